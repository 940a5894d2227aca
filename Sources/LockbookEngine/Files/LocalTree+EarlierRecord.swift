import LockbookCrypto
import LockbookModel

extension LocalTree {
    /// Opens an earlier record of a file, with its key of that time: each epoch's key is sealed in
    /// the records of the next one.
    /// - Parameters:
    ///   - kept: that key, where it was kept with the record.
    ///   - others: where records of the epochs between may be.
    func open(
        _ record: FileRecord,
        of row: FileRow,
        with kept: FileKey? = nil,
        among others: [FileRecord] = []
    ) throws -> File {
        if let kept, record.isOf(kept) { return try toppedOff(record.file(key: kept)) }
        return try toppedOff(record.file(key: key(ofEarlier: record, of: row, among: others)))
    }

    /// The key that a file had at an earlier record of it.
    func key(
        ofEarlier record: FileRecord,
        of row: FileRow,
        among others: [FileRecord]
    ) throws -> FileKey {
        var key = try key(of: row)
        var current = try self.record(of: row)
        var known: [UInt32: FileRecord] = [:]
        for other in others where other.facts.id == row.id { known[other.facts.epoch] = other }
        if let base = row.base, let agreed = try? FileRecord(base) {
            known[agreed.facts.epoch] = agreed
        }
        while current.facts.epoch > record.facts.epoch {
            guard let previous = try current.previousKey(key) else {
                throw DamagedRecord.keyDoesNotOpen
            }
            key = previous
            let commitment = key.bodyKey().commitment
            guard current.facts.epoch - 1 > record.facts.epoch, record.keyCommitment != commitment
            else { break }
            // Nonsense that was overruled had epochs between them, and no keys.
            let between = known.filter { epoch, other in
                epoch > record.facts.epoch && epoch < current.facts.epoch
                    && other.keyCommitment == commitment
            }
            guard let older = between.max(by: { $0.key < $1.key }) else {
                throw DamagedRecord.keyDoesNotOpen
            }
            current = older.value
        }
        return key
    }
}
