import GRDB
import LockbookCrypto
import LockbookModel

/// What a merge met of the states that files once were, on this device or on another one.
struct MetPast {
    /// Files as a device has them that is behind, which are what this device went on from.
    var bases: [FileID: File] = [:]
    fileprivate var tags: [Hash256] = []
}

/// States of files that this device had agreed to after the entry that it went back to.
///
/// A device that is behind pushes such a state again as a change of its own, and so would this device
/// what another one has gone beyond. Of each state no more than a keyed digest is kept.
extension LocalTree {
    private static let lifetimeOfPast: Int64 = 90 * 86_400_000
    private var pastKey: LocalKey { account.deviceKey.key(for: "past") }

    /// Digests of what was agreed of a file after a step.
    ///
    /// - Parameters:
    ///   - file: what it is now, before this device goes back.
    ///   - then: what was agreed of it at the step; nil also where there is no step.
    ///   - isSure: whether all that the server has since came after what it lost.
    func past(
        of row: FileRow,
        as file: File,
        then: [UInt8]?,
        after step: LogStep?,
        isSure: Bool
    ) throws -> Set<Hash256> {
        guard file.id != root else { return [] }
        let key = pastKey
        var tags: Set<Hash256> = []
        var known: Set<Hash256> = [key.tag(file.looks)]
        for (bytes, state) in try states(of: row, after: step) {
            let tag = key.tag(state.looks)
            tags.insert(tag)
            if bytes == then { known.insert(tag) }
        }
        tags.subtract(known)
        let isOwn = file.author == author && file.device == account.device
        if isSure, row.local == nil, row.base != nil, !isOwn {
            tags.insert(key.tag(file.looks(by: file)))
        }
        return tags
    }

    /// What was agreed of a file since a step, as far as its keys lead there, and what was agreed then.
    private func states(
        of row: FileRow,
        after step: LogStep?
    ) throws -> [(bytes: [UInt8], file: File)] {
        let number = step?.number ?? 0
        let before = try db.cachedStatement(
            sql: """
                SELECT before FROM rewound
                WHERE file = ? AND step > ? AND before IS NOT NULL ORDER BY step DESC
                """
        ).all([row.id.bytes.data, number]) { $0.bytes(0) }
        let current = try record(of: row).facts.epoch
        var keys = [current: try key(of: row)]
        var states: [(bytes: [UInt8], file: File)] = []
        for bytes in [row.local, row.base].compactMap({ $0 }) + before {
            let record = try FileRecord(bytes)
            let epoch = record.facts.epoch
            guard let key = keys[epoch], let file = try? record.file(key: key) else { continue }
            // Each epoch's key is sealed in the records of the next one.
            if let previous = try? record.previousKey(key) { keys[epoch &- 1] = previous }
            if bytes != row.local { states.append((bytes: bytes, file: try toppedOff(file))) }
        }
        return states
    }

    /// Keeps what these files were, in place of what was kept of them before.
    func keepPast(_ past: [FileID: Set<Hash256>]) throws {
        let forget = try db.cachedStatement(sql: "DELETE FROM past WHERE file = ?")
        let keep = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO past (file, tag, at) VALUES (?, ?, ?)"
        )
        let now = environment.now().milliseconds
        var rights = KnownRights()
        for (id, tags) in past.sorted(by: { $0.key < $1.key }) {
            try forget.run(id.bytes.data)
            // What it may only read is as the server has it, and nothing to be put right.
            guard let row = try row(id),
                try !isForeign || right(in: scope(of: row), &rights) >= .write
            else { continue }
            for tag in tags { try keep.run(id.bytes.data, tag.bytes.data, now) }
        }
    }

    /// Finds what is no change of the other side, or none of this one.
    ///
    /// What this device had gone beyond stands for what was agreed: what it made of it stays, and is
    /// pushed again. What this device only had from the device that now says something else of it
    /// was no change of this one: that device had it, too, and went on from it.
    /// - Parameter local: gets files that stay as they are here, and loses those that follow.
    func meetPast(
        _ news: [FileID: File],
        _ local: inout [FileID: File],
        besides passed: Set<FileID>
    ) throws -> MetPast {
        var met = MetPast()
        guard try hasPast() else { return met }
        let key = pastKey
        var rights = KnownRights()
        for (id, theirs) in news where !passed.contains(id) {
            guard let row = try row(id), !row.isDamaged, (row.local == nil) == (local[id] == nil),
                let mine = try local[id] ?? opened(row), !mine.looksSame(as: theirs)
            else { continue }
            let state = key.tag(theirs.looks)
            let follower = key.tag(mine.looks(by: theirs))
            if try isPast(state, of: id) {
                // Where it may only read, it has nothing to say.
                guard try !isForeign || right(in: scope(of: row), &rights) >= .write else {
                    continue
                }
                local[id] = mine
                met.bases[id] = theirs
                met.tags.append(state)
            } else if local[id] != nil, try isPast(follower, of: id) {
                local[id] = nil
                met.tags.append(follower)
            }
        }
        return met
    }

    /// Each of them counts once.
    func forget(_ met: MetPast) throws {
        let forget = try db.cachedStatement(sql: "DELETE FROM past WHERE tag = ?")
        for tag in met.tags { try forget.run(tag.bytes.data) }
    }

    /// What these files are is in the log: whoever changes them now knows it.
    func forgetPast(of files: [FileID]) throws {
        guard try hasPast() else { return }
        let forget = try db.cachedStatement(sql: "DELETE FROM past WHERE file = ?")
        for id in files { try forget.run(id.bytes.data) }
    }

    private func hasPast() throws -> Bool {
        guard let oldest = try Int64.fetchOne(db, sql: "SELECT min(at) FROM past") else {
            return false
        }
        let limit = environment.now().milliseconds &- Self.lifetimeOfPast
        guard oldest < limit else { return true }
        try db.cachedStatement(sql: "DELETE FROM past WHERE at < ?").run(limit)
        return try Int64.fetchOne(db, sql: "SELECT min(at) FROM past") != nil
    }

    private func isPast(_ tag: Hash256, of file: FileID) throws -> Bool {
        try db.cachedStatement(sql: "SELECT 1 FROM past WHERE file = ? AND tag = ?")
            .first([file.bytes.data, tag.bytes.data]) { _ in true } ?? false
    }
}

extension File {
    /// What a user could tell it from others by, see `looksSame`, in canonical bytes.
    fileprivate var looks: [UInt8] {
        var encoder = CanonicalEncoder(reserving: 128)
        encodeLooks(into: &encoder)
        return encoder.bytes
    }

    /// The same, together with who wrote another state of it, and on what.
    fileprivate func looks(by writer: File) -> [UInt8] {
        var encoder = CanonicalEncoder(reserving: 192)
        encodeLooks(into: &encoder)
        encoder.append(writer.author.hash)
        encoder.append(fixed: writer.device.bytes)
        return encoder.bytes
    }

    private func encodeLooks(into encoder: inout CanonicalEncoder) {
        encoder.append(fixed: id.bytes)
        encoder.append(fixed: parent.bytes)
        encoder.append(counted: name.text.utf8)
        encoder.append(isDeleted)
        encoder.append(isExecutable)
        encoder.append(counted: content?.version.bytes ?? [])
        encoder.append(target != nil)
        if let target {
            encoder.append(target.owner.hash)
            encoder.append(fixed: target.file.bytes)
        }
    }
}
