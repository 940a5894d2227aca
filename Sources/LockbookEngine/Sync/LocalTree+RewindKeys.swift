import LockbookCrypto
import LockbookModel

/// Keys of files as they were at an earlier entry, where they are others now.
struct KeysThen {
    private let then: [FileID: [UInt8]?]
    private(set) var changed: [FileID: FileKey] = [:]
    /// Those on the way to one, too.
    private var found: [FileID: FileKey] = [:]

    /// - Parameter then: what was agreed of the files that changed since.
    init(_ then: [FileID: [UInt8]?]) { self.then = then }

    /// - Throws: `DamagedRecord` where the key of then does not open any more.
    mutating func take(_ row: FileRow, in tree: LocalTree) throws {
        let record = try record(of: row.id, in: tree)
        // Each epoch's key is sealed in the records of the next one.
        let current = try tree.record(of: row)
        if record.facts.epoch + 1 == current.facts.epoch,
            let previous = try current.previousKey(try tree.key(of: row)), record.isOf(previous)
        {
            changed[row.id] = previous
        } else {
            changed[row.id] = try key(of: row.id, in: tree)
        }
    }

    /// Unwrapped on the way down from the root, or from where it was wrapped for this account.
    ///
    /// By records alone: a folder that was around it then may not be here any more.
    private mutating func key(of id: FileID, in tree: LocalTree) throws -> FileKey {
        var chain: [FileRecord] = []
        var next = id
        while found[next] == nil {
            let record = try record(of: next, in: tree)
            chain.append(record)
            if let key = wrapped(record, in: tree) {
                found[next] = key
                chain.removeLast()
                break
            }
            guard next != tree.root else { break }
            guard chain.count < LocalTree.mostDepth else { throw DamagedRecord.keyDoesNotOpen }
            next = record.facts.parent
        }
        for record in chain.reversed() {
            let facts = record.facts
            let above = facts.id == tree.root ? nil : found[facts.parent]
            guard let folder = above.map(FolderKeys.init(of:)) ?? rootKeys(above: facts, in: tree)
            else { throw DamagedRecord.keyDoesNotOpen }
            found[facts.id] = try record.key(in: folder)
        }
        guard let key = found[id] else { throw DamagedRecord.keyDoesNotOpen }
        return key
    }

    private func rootKeys(above facts: FileFacts, in tree: LocalTree) -> FolderKeys? {
        facts.id == tree.root ? FolderKeys(root: tree.keys) : nil
    }

    private func record(of id: FileID, in tree: LocalTree) throws -> FileRecord {
        let known: [UInt8]? = try then[id] ?? tree.row(id)?.base
        guard let bytes = known else { throw DamagedRecord.keyDoesNotOpen }
        return try FileRecord(bytes)
    }

    /// The key as it was wrapped for this account: also of what was shared by itself later, with the
    /// key that it had.
    private func wrapped(_ record: FileRecord, in tree: LocalTree) -> FileKey? {
        guard record.facts.id != tree.root, let key = try? tree.wrappedKey(of: record.facts),
            record.isOf(key)
        else { return nil }
        return key
    }
}

extension FileRecord {
    /// Whether it is sealed under this key.
    func isOf(_ key: FileKey) -> Bool { key.bodyKey().commitment == keyCommitment }
}
