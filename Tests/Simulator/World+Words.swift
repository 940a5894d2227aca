import GRDB
import LockbookEngine

extension World {
    /// Every word that somebody wrote is in a live document, or somebody took it out, or deleted
    /// the document, or a folder that it stands in: then it is in the trash.
    func checkWords(_ words: Set<Int>) async throws {
        let places = try places(on: devices[0])
        let missing = oracle.tokens.filter {
            !words.contains($0.number) && !oracle.removable.contains($0.number)
        }
        guard !missing.isEmpty else { return }
        // The document may have become another one that somebody deleted.
        let deleted = try devices[0].lockbook?.trash().map(\.id).filter { isExcused($0, places) }
        let trashed = try await wordsInTrash(of: devices[0], deleted)
        // Of what somebody deleted a second version may be there besides, which is a new file.
        let isDeleted = missing.contains { isExcused($0.file, places) }
        let beside = isDeleted ? try await wordsInTrash(of: devices[0]) : []
        for token in missing where !trashed.contains(token.number) {
            if isExcused(token.file, places), beside.contains(token.number) { continue }
            // Not all that is deleted is in the trash: where the word was seen tells.
            guard !watched.isEmpty else {
                unexplained.insert(token.number)
                continue
            }
            let seen = carriers[token.number] ?? []
            let folders = foldersOfCarriers[token.number] ?? []
            try require(
                // What the trash has, it has with all words.
                !isExcused(token.file, places)
                    && seen.union(folders).contains { oracle.deleted.contains($0) }
                    // What no server ever had leaves nothing where it was made and deleted.
                    && seen.contains { places[$0] != nil || oracle.deleted.contains($0) },
                "\(Oracle.word(token.number)), written to id:\(token.file) on device \(token.device), is lost"
            )
        }
    }

    /// Counts the words that a document has twice where no conflict was seen.
    ///
    /// Two new documents that became one may have a line of each.
    func countTwice(in bytes: [UInt8]) {
        let twice = Oracle.repeated(in: bytes).subtracting(oracle.mayStandTwice)
        guard !twice.isEmpty, !Oracle.hasMarkers(bytes) else { return }
        tally.count("words that stand twice", twice.count)
    }

    /// Notes what may stand twice in a document that somebody changes: the two versions of a
    /// conflict have words in common, and where he takes out the markers nothing tells.
    func noteMarkers(in bytes: [UInt8]) {
        if Oracle.hasMarkers(bytes) { oracle.allowTwice(Oracle.repeated(in: bytes)) }
    }

    /// Whether a document is dead because somebody deleted it or a folder above it.
    func isExcused(_ file: String, _ places: [String: Place]) -> Bool {
        var isDead = false
        var isDeleted = false
        var id = file
        var seen: Set<String> = []
        while let place = places[id], seen.insert(id).inserted {
            if place.isDeleted { isDead = true }
            if oracle.deleted.contains(id) { isDeleted = true }
            id = place.parent
        }
        return isDead && isDeleted
    }

    struct Place {
        let parent: String
        let isDeleted: Bool
    }

    /// Where every file stands, those in the trash too.
    func places(on device: SimulatedDevice) throws -> [String: Place] {
        let queue = try DatabaseQueue(path: "\(device.folder.path)/lockbook.db")
        let rows = try queue.read { db in
            try Row.fetchAll(
                db,
                sql: "SELECT lower(hex(id)), lower(hex(parent)), deleted FROM file"
            )
        }
        var places: [String: Place] = [:]
        for row in rows { places[row[0]] = Place(parent: row[1], isDeleted: row[2]) }
        return places
    }

    // MARK: Watching

    /// A new document became one with another of its name, which may be deleted in the same sync, as its
    /// folder may be renamed or moved.
    func noteJoin(
        _ note: SyncReport.Note,
        _ before: [FileInfo],
        _ device: SimulatedDevice
    ) throws {
        guard !watched.isEmpty else { return }
        let name = note.path.split(separator: "/").last ?? ""
        let places = try places(on: device)
        let parent = places[note.id]?.parent
        // The folder may be one of another device, into which one of the same name was folded.
        let folder =
            parent == places[parent ?? ""]?.parent
            ? "" : before.first { $0.id == parent }?.path
        let was = [folder.map { "\($0)/\(name)" }, note.path].compactMap(\.self)
        let joined = was.lazy.compactMap { path in before.first { $0.path == path } }.first?.id
        guard let file = joined else { return }
        let other = note.id
        // What was written in the middle of the sync was seen nowhere yet.
        let written = oracle.tokens.filter { $0.file == file }.map(\.number)
        for token in watched
        where written.contains(token) || carriers[token]?.contains(file) == true {
            carriers[token, default: []].insert(other)
        }
    }

    /// Notes in which documents the watched words are now, and in which folders those stand.
    func watch() async throws {
        guard !watched.isEmpty else { return }
        for device in devices {
            guard let lockbook = device.lockbook else { continue }
            let files = try lockbook.list(.path("/"), recursive: true)
            for file in files where file.type == .document && file.isHere {
                var bytes: [UInt8] = []
                try await lockbook.read(.path(file.path)) { bytes += $0 }
                let found = Oracle.tokens(in: bytes).intersection(watched)
                let above = files.filter { file.path.hasPrefix($0.path + "/") }.map(\.id)
                for token in found {
                    carriers[token, default: []].insert(file.id)
                    foldersOfCarriers[token, default: []].formUnion(above)
                }
            }
        }
    }
}
