import FoundationEssentials
import GRDB
import LockbookCrypto
import LockbookModel

extension SQLiteTransaction {
    func records(_ hashes: [Hash256], of owner: AccountKey) throws -> [StoredRecord?] {
        let find = try hot("SELECT id, bytes FROM record WHERE owner = ? AND hash = ?")
        find.bind(owner.row, at: 1)
        return try hashes.map { hash in
            find.bind(hash, at: 2)
            defer { find.reset() }
            guard try find.step() else { return nil }
            return StoredRecord(key: RecordKey(row: find.int(at: 0)), bytes: find.bytes(at: 1))
        }
    }

    func absentRecords(_ hashes: [Hash256], of owner: AccountKey) throws -> [Hash256] {
        let find = try hot("SELECT 1 FROM record WHERE owner = ? AND hash = ?")
        find.bind(owner.row, at: 1)
        return try hashes.filter { hash in
            find.bind(hash, at: 2)
            defer { find.reset() }
            return try !find.step()
        }
    }

    func insert(_ records: [NewRecord], of owner: AccountKey, at time: Int64) throws -> [RecordKey]
    {
        let insert = try hot(
            """
            INSERT INTO record (owner, at, hash, bytes) VALUES (?, ?, ?, ?)
            ON CONFLICT (owner, hash) DO NOTHING
            """
        )
        insert.bind(owner.row, at: 1)
        insert.bind(time, at: 2)
        let touch = try hot("UPDATE record SET at = ? WHERE owner = ? AND hash = ? RETURNING id")
        touch.bind(time, at: 1)
        touch.bind(owner.row, at: 2)
        return try records.map { record in
            insert.bind(record.hash, at: 3)
            insert.bind(record.bytes, at: 4)
            if let row = try insert.inserted() { return RecordKey(row: row) }
            touch.bind(record.hash, at: 3)
            return RecordKey(row: try touch.returned())
        }
    }

    func currentFiles(_ ids: [FileID], in log: AccountKey) throws -> [CurrentFile?] {
        let find = try hot(
            """
            SELECT version.id, record.bytes, version.blob FROM version JOIN record ON record.id = version.record
            WHERE log = ? AND file = ? AND superseded IS NULL
            ORDER BY position DESC LIMIT 1
            """
        )
        find.bind(log.row, at: 1)
        return try ids.map { id in
            find.bind(id.bytes, at: 2)
            defer { find.reset() }
            guard try find.step() else { return nil }
            let record = try FileRecord(find.bytes(at: 1))
            return CurrentFile(
                version: find.int(at: 0),
                facts: record.facts,
                keyCommitment: record.keyCommitment,
                blob: find.optionalInt(at: 2).map { BlobKey(row: $0) }
            )
        }
    }

    func undeletedChild(of parent: FileID, tagged tag: Hash256, in log: AccountKey) throws
        -> FileID?
    {
        let find = try hot(
            """
            SELECT file FROM version
            WHERE log = ? AND parent = ? AND tag = ? AND superseded IS NULL AND deleted = 0
            """
        )
        find.bind(log.row, at: 1)
        find.bind(parent.bytes, at: 2)
        find.bind(tag, at: 3)
        defer { find.reset() }
        guard try find.step() else { return nil }
        guard let file = FileID(find.bytes(at: 0)) else { throw StoreFailure.damaged }
        return file
    }

    func state(of log: AccountKey, at position: UInt64, after file: FileID?, limit: Int) throws
        -> [StateItem]
    {
        let find = try hot(
            """
            SELECT file, scope, record.hash, record.id, length(record.bytes)
            FROM version JOIN record ON record.id = version.record
            WHERE log = ?1 AND file > ?3 AND position <= ?2
                AND (superseded IS NULL OR superseded > ?2)
            ORDER BY file LIMIT ?4
            """
        )
        find.bind(log.row, at: 1)
        find.bind(position.column, at: 2)
        find.bind(file?.bytes ?? [], at: 3)
        find.bind(Int64(limit), at: 4)
        defer { find.reset() }
        var items: [StateItem] = []
        while try find.step() {
            guard let file = FileID(find.bytes(at: 0)), let scope = FileID(find.bytes(at: 1)),
                let hash = Hash256(find.bytes(at: 2))
            else { throw StoreFailure.damaged }
            items.append(
                StateItem(
                    file: file,
                    scope: scope,
                    recordHash: hash,
                    record: RecordKey(row: find.int(at: 3)),
                    recordByteCount: Int(find.int(at: 4))
                )
            )
        }
        return items
    }

    func content(of item: StateItem) throws -> [UInt8] {
        let found = try Data.fetchOne(
            statement("SELECT bytes FROM record WHERE id = ?"),
            arguments: [item.record.row]
        )
        guard let found else { throw StoreFailure.damaged }
        return Array(found)
    }
}
