import GRDB
import LockbookCrypto
import LockbookModel

/// What another account had shared with this one since a backup to which its server was put back.
///
/// It stays here as it is until its owner says again who may do what there: nothing of it is sent,
/// and that the server does not show it does not mean that it was taken back.
extension LocalTree {
    /// The shared files, with what this account might do there.
    func missed() throws -> [FileID: ShareMode] {
        // He will not.
        if try isOwnerGone() { return [:] }
        let bytes = try setting(.missed) ?? []
        var missed: [FileID: ShareMode] = [:]
        for start in stride(from: 0, to: bytes.count, by: 17) where start + 17 <= bytes.count {
            guard let id = FileID(bytes[start..<start + 16]),
                let mode = ShareMode(rawValue: bytes[start + 16])
            else { continue }
            missed[id] = mode
        }
        return missed
    }

    private func set(missed: [FileID: ShareMode]) throws {
        let bytes = missed.sorted { $0.key < $1.key }.flatMap { $0.key.bytes + [$0.value.rawValue] }
        try set(.missed, to: bytes.isEmpty ? nil : bytes)
    }

    /// What this account held at a step, of what is here now.
    func held(at step: LogStep?) throws -> [FileID: ShareMode] {
        guard step != nil else { return [:] }
        var held = try held()
        for (file, grantee, then) in try grants(at: step) where grantee == author {
            held[file] = then.flatMap { $0.mode > .none ? $0.mode : nil }
        }
        return held
    }

    /// - Parameter held: what this account held before it went back, and then.
    func noteMissed(_ held: (before: [FileID: ShareMode], then: [FileID: ShareMode])) throws {
        let lost = held.before.filter { $0.value > held.then[$0.key] ?? .none }
        guard !lost.isEmpty else { return }
        try set(missed: missed().merging(lost) { max($0, $1) })
    }

    /// Lets go of what its owner has decided anew, before the grants are kept.
    ///
    /// One that is told again, because somebody else was let in, says nothing.
    func forgetMissed(in grants: [Grant]) throws {
        var missed = try missed()
        guard !missed.isEmpty else { return }
        let held = try held()
        for grant in grants where AccountID(grant.grantee) == author {
            guard let mode = missed[grant.file] else { continue }
            let isNews = held[grant.file] == nil || grant.mode == .none || grant.mode >= mode
            if isNews { missed[grant.file] = nil }
        }
        try set(missed: missed)
    }

    /// All that this account holds of another one's tree, or held until the server lost that.
    func heldOrMissed() throws -> [FileID: ShareMode] {
        try held().merging(missed()) { max($0, $1) }
    }

    /// Takes the loss of these for their end: they are let go of as what was taken back.
    func endMissed(_ files: Set<FileID>) throws {
        try set(missed: missed().filter { !files.contains($0.key) })
        // No grant says that they were held: that they were here does.
        let note = try db.cachedStatement(
            sql: "INSERT OR IGNORE INTO rewound (file, step, before) VALUES (?, 1, NULL)"
        )
        for file in files.sorted() { try note.run(file.bytes.data) }
    }

    /// Why a change waits for the owner of this tree.
    func waitingReason() throws -> String {
        "\(try username(of: owner)) has to share it again: the server does not know of it any more"
    }

    /// Changes of this device that wait for the owner of what they are in.
    func waitingForOwner() throws -> Set<FileID> {
        let missed = try missed()
        guard !missed.isEmpty else { return [] }
        var inside: [FileID: Bool] = [root: false]
        var rights = KnownRights()
        return try Set(
            changedRows().filter { row in
                try !row.isDamaged && isInside(row, missed, &inside)
                    && right(in: scope(of: row), &rights) < .write
            }.map(\.id)
        )
    }

    private func isInside(
        _ start: FileRow,
        _ missed: [FileID: ShareMode],
        _ known: inout [FileID: Bool]
    ) throws -> Bool {
        var path: [FileID] = []
        var next: FileRow? = start
        var isInside = false
        while let row = next {
            if let found = known[row.id] {
                isInside = found
                break
            }
            known[row.id] = false
            path.append(row.id)
            if missed[row.id] != nil {
                isInside = true
                break
            }
            next = try self.row(row.parent)
        }
        for id in path { known[id] = isInside }
        return isInside
    }
}

/// What others wrote in what they share, and this device had only taken from the server that lost it.
extension LocalTree {
    /// Of these files those that are as somebody else made them.
    func ofOthers<Files: Sequence<FileID>>(_ files: Files) throws -> Set<FileID> {
        guard isForeign else { return [] }
        return try Set(
            files.filter { id in
                guard let row = try row(id), row.local == nil, !row.isDamaged, let base = row.base
                else { return false }
                return try FileRecord(base).facts.author != author
            }
        )
    }

    /// Remembers of files whose words they are, as long as nothing else is written there.
    func noteOthers(_ files: Set<FileID>) throws {
        var all: [FileID: [UInt8]] = try wordsOfOthers().filter { try row($0.key)?.local != nil }
        for id in files {
            guard let row = try row(id), row.local != nil else { continue }
            all[id] = try file(row).words
        }
        let bytes = all.sorted { $0.key < $1.key }.flatMap { $0.key.bytes + $0.value }
        try set(.wordsOfOthers, to: bytes.isEmpty ? nil : bytes)
    }

    /// By file how the blob began that somebody else made: a version's id may be that of own words.
    func wordsOfOthers() throws -> [FileID: [UInt8]] {
        let bytes = try setting(.wordsOfOthers) ?? []
        var words: [FileID: [UInt8]] = [:]
        for start in stride(from: 0, to: bytes.count, by: 32) where start + 32 <= bytes.count {
            guard let id = FileID(bytes[start..<start + 16]) else { continue }
            words[id] = Array(bytes[start + 16..<start + 32])
        }
        return words
    }

    func isOfOthers(_ file: File, in words: [FileID: [UInt8]]) -> Bool {
        words[file.id] == file.words
    }

    /// Of these rows those that are as others made them where this account could only read: they give
    /// way to what comes, as there is nothing of its own to be joined with it.
    func givingWay(_ rows: [FileRow]) throws -> Set<FileID> {
        let missed = try missed().filter { $0.value < .write }
        guard !missed.isEmpty else { return [] }
        let words = try wordsOfOthers()
        var inside: [FileID: Bool] = [root: false]
        return try Set(
            rows.filter { row in
                guard try words[row.id] != nil && isInside(row, missed, &inside),
                    let file = try opened(row)
                else { return false }
                return isOfOthers(file, in: words)
            }.map(\.id)
        )
    }

    /// What others wrote where this account may only read is theirs to push again: it goes, and comes
    /// again when they have done so.
    func dropUnwritable(_ files: Set<FileID>) throws {
        var rights = KnownRights()
        let waiting = try waitingForOwner()
        var rows: [FileID: FileRow] = [:]
        for id in files where !waiting.contains(id) {
            guard let row = try row(id), row.local != nil,
                try right(in: scope(of: row), &rights) < .write
            else { continue }
            rows[id] = row
        }
        // What is written in a new folder keeps it.
        var isSettled = false
        while !isSettled {
            isSettled = true
            for row in rows.values where row.base == nil {
                guard try children(of: row.id).contains(where: { rows[$0.id] == nil }) else {
                    continue
                }
                rows[row.id] = nil
                isSettled = false
            }
        }
        guard !rows.isEmpty else { return }
        _ = try takeBack(
            rows.values.sorted { $0.id < $1.id }.map { row in
                StrandedFile(
                    id: row.id,
                    path: "",
                    name: try name(of: row),
                    document: nil,
                    change: nil
                )
            }
        )
    }
}

extension File {
    /// Which words it holds, in 16 bytes.
    fileprivate var words: [UInt8] {
        content?.blobPrefix.bytes ?? [UInt8](repeating: 0, count: 16)
    }
}
