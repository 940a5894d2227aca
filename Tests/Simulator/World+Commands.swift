import LockbookEngine

/// What people take back, bring back and decide.
extension World {
    /// Something that somebody does with what was there before.
    /// - Returns: what was done; nil when there was nothing to do it to.
    func command(
        _ kind: Event.Kind,
        _ device: SimulatedDevice,
        _ lockbook: Lockbook,
        _ files: [FileInfo],
        _ draw: inout Draw
    ) async throws -> String? {
        switch kind {
        case .undo: try await undo(device, lockbook, &draw)
        case .restoreVersion: try await restoreVersion(device, lockbook, files, &draw)
        case .resolve: try await resolve(device, lockbook, &draw)
        default: nil
        }
    }

    /// The last command mostly, and sometimes one before it.
    private func undo(_ device: SimulatedDevice, _ lockbook: Lockbook, _ draw: inout Draw)
        async throws -> String?
    {
        let all = try lockbook.commands()
        let some = draw.once(in: 3) ? all.prefix(8) : all.prefix(1)
        guard let command = draw.pick(some) else { return nil }
        let foretold = try lockbook.undo(command.number, of: command.owner, isDryRun: true)
        try await change(foretold.changes.map(\.id), device, lockbook) {
            let done = try lockbook.undo(command.number, of: command.owner)
            try require(
                done == foretold,
                "device \(device.number): an undo did not do what its dry run said"
            )
        }
        for change in foretold.changes { tally.count("undone to be \(change.change.rawValue)") }
        let changes = foretold.changes.map { "\($0.path) \($0.change.rawValue) \($0.id)" }
        return "undo \(command.number): \(changes)"
    }

    /// An earlier version over the present one, or over what is in the trash.
    private func restoreVersion(
        _ device: SimulatedDevice,
        _ lockbook: Lockbook,
        _ files: [FileInfo],
        _ draw: inout Draw
    ) async throws -> String? {
        // The server is asked for versions, and a sync is waited for.
        guard !device.isSyncing else { return nil }
        let isTrashed = draw.once(in: 4)
        let trashed = try lockbook.trash().filter { $0.type == .document }.map(\.id)
        let documents = files.filter { $0.type == .document }
        guard let id = draw.pick(isTrashed ? trashed : documents.map(\.id)) else { return nil }
        if let document = documents.first(where: { $0.id == id }) {
            // What is replaced has to be known.
            guard try await read(document, device, lockbook) != nil else { return nil }
        }
        let history = try await lockbook.history(.id(prefix: id))
        guard let version = draw.pick(history.versions.dropFirst()) else { return nil }
        let old = isTrashed ? try await wordsInTrash(of: device, [id]) : []
        try await change([id], device, lockbook, trashed: old) {
            _ = try await lockbook.restore(.id(prefix: id), version: version.version)
        }
        if isTrashed { tally.count("versions of what was in the trash") }
        return "restore \(id) as it was when \(version.device) had \(version.change.rawValue) it"
    }

    private func resolve(_ device: SimulatedDevice, _ lockbook: Lockbook, _ draw: inout Draw)
        async throws -> String?
    {
        guard let conflict = draw.pick(try lockbook.conflicts()),
            let side = draw.pick(KeptSide.allCases)
        else { return nil }
        // What it holds is looked at first, which a sync would wait for.
        let isTrashed = conflict.kind == .trashed
        guard !isTrashed || !device.isSyncing else { return nil }
        let old = isTrashed ? try await wordsInTrash(of: device, [conflict.id]) : []
        let about = [conflict.id] + visible(conflict.other, lockbook)
        try await change(about, device, lockbook, trashed: old, keepsAll: side == .both) {
            let resolved = try lockbook.resolve(.id(prefix: conflict.id), keeping: side)
            if isTrashed, resolved.path == nil { oracle.willDelete([conflict.id]) }
        }
        tally.count("resolved \(conflict.kind.rawValue), \(side.rawValue)")
        return "resolve \(conflict.kind.rawValue) \(conflict.path) \(conflict.id) for \(side)"
    }

    private func visible(_ path: String?, _ lockbook: Lockbook) -> [String] {
        path.flatMap { try? lockbook.info(.path($0)).id }.map { [$0] } ?? []
    }
}

// MARK: What became of it

extension World {
    /// A file with the words in it; none when they are not on the device.
    private struct Held {
        let file: FileInfo
        let words: Set<Int>
        /// Those that somebody wrote behind a marker, which goes with its line.
        let ofMarkers: Set<Int>
    }

    private func held(_ lockbook: Lockbook) async throws -> [String: Held] {
        var held: [String: Held] = [:]
        for file in try visible(lockbook) {
            var bytes: [UInt8] = []
            if file.type == .document, file.isHere {
                try await lockbook.read(.path(file.path)) { bytes += $0 }
                noteMarkers(in: bytes)
            }
            held[file.id] = Held(
                file: file,
                words: Oracle.tokens(in: bytes),
                ofMarkers: Oracle.tokens(behindMarkersIn: bytes)
            )
        }
        return held
    }

    /// Does something that may take words out, delete files and bring others back, and notes what
    /// became of them.
    /// - Parameters:
    ///   - about: the files that it is about.
    ///   - trashed: the words of those of them that are in the trash.
    ///   - keepsAll: whether no word may go.
    func change(
        _ about: [String],
        _ device: SimulatedDevice,
        _ lockbook: Lockbook,
        trashed: Set<Int> = [],
        keepsAll: Bool = false,
        _ body: () async throws -> Void
    ) async throws {
        let before = try await held(lockbook)
        do { try await body() } catch {
            // What was killed may have been done.
            if device.folder.isDead { noteAll(about, before, trashed) }
            throw error
        }
        guard !device.folder.isDead else { return noteAll(about, before, trashed) }
        let after = try await held(lockbook)
        let kept = try keptInTrash(on: device)
        let live = after.values.reduce(into: Set()) { $0.formUnion($1.words) }
        oracle.allowTwice(trashed)
        // What comes out of the trash as it was may come without its content.
        let isHere = about.allSatisfy { after[$0]?.file.isHere != false }
        var gone = isHere ? trashed.subtracting(live) : []
        for (id, old) in before.sorted(by: { $0.key < $1.key }) {
            guard let new = after[id] else {
                noteGone(old.file, before, after, device)
                // Who takes back what he made knows what was in it, as who deletes it does.
                if !kept.contains(id) { oracle.remove(old.words) }
                continue
            }
            // What two devices bring back stands where each put it.
            oracle.allowTwice(new.words.subtracting(old.words))
            let lost = old.words.subtracting(new.words)
            guard !lost.isEmpty else { continue }
            gone.formUnion(lost.subtracting(live))
            guard let found = try await wordsOfVersions(of: id, lockbook)?.union(live) else {
                continue
            }
            tally.count("replaced words in the history", lost.count)
            try require(
                lost.isSubset(of: found),
                "device \(device.number): no version of \(new.file.path) has \(words(lost.subtracting(found)))"
            )
        }
        if keepsAll {
            let unmarked = about.reduce(into: gone) { $0.subtract(before[$1]?.ofMarkers ?? []) }
            try require(
                unmarked.isEmpty,
                "device \(device.number): \(words(unmarked)) went with neither side"
            )
        }
        oracle.remove(gone)
        for (id, new) in after.sorted(by: { $0.key < $1.key }) {
            // What is moved back may go into a share, and be there again for who had deleted it.
            let isBack = before[id].map { plan.isSharing && $0.file.path != new.file.path } ?? true
            if isBack { oracle.didRestore(id) }
        }
    }

    private func words(_ words: Set<Int>) -> String {
        words.sorted().map(Oracle.word).joined(separator: ", ")
    }

    /// A file that is not there any more; what was below it went with it.
    private func noteGone(
        _ file: FileInfo,
        _ before: [String: Held],
        _ after: [String: Held],
        _ device: SimulatedDevice
    ) {
        oracle.willDelete([file.id])
        let isBelow = before.values.contains {
            after[$0.file.id] == nil && file.path.hasPrefix($0.file.path + "/")
        }
        if !isBelow { noteDeletion(of: file.id, on: device) }
    }

    /// All that may have become of these files and of what is below them.
    private func noteAll(_ about: [String], _ before: [String: Held], _ trashed: Set<Int>) {
        oracle.remove(trashed)
        for id in about {
            oracle.didRestore(id)
            guard let top = before[id] else { continue }
            for held in before.values
            where held.file.id == id || held.file.path.hasPrefix(top.file.path + "/") {
                oracle.remove(held.words)
                oracle.willDelete([held.file.id])
            }
        }
    }

    /// The words in all versions of a document that are on the device; nil of another account's, of
    /// which only the history tells.
    private func wordsOfVersions(of id: String, _ lockbook: Lockbook) async throws -> Set<Int>? {
        var words: Set<Int> = []
        let versions: [FileVersion]
        do { versions = try lockbook.versionsHere(.id(prefix: id)) } catch LockbookError.notFound
            where plan.isSharing
        {
            return nil
        }
        for version in versions where version.isHere {
            var bytes: [UInt8] = []
            try await lockbook.read(.id(prefix: id), version: version.version) { bytes += $0 }
            words.formUnion(Oracle.tokens(in: bytes))
        }
        return words
    }
}

extension LockbookError {
    /// What somebody is told who takes back, brings back or decides what he cannot.
    func isRefusalOfCommand(isSharing: Bool) -> Bool {
        switch self {
        case .versionGone, .earlierNotKnown: isSharing || isNotKept
        case .nothingToUndo, .cannotUndo, .tooLargeToUndo, .notInTrash, .noVersion,
            .noConflict, .neitherSide, .sameWriter, .ambiguous:
            true
        default: false
        }
    }

    /// Whether an earlier version is not there because a server keeps some alone, or gives no answer.
    private var isNotKept: Bool {
        switch self {
        case .versionGone(_, .notKept), .earlierNotKnown(_, .unreachable): true
        default: false
        }
    }
}
