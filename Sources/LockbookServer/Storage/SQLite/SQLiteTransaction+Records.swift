import FoundationEssentials
import GRDB
import LockbookCrypto
import LockbookModel

extension SQLiteTransaction {
    func records(_ hashes: [Hash256], of owner: AccountKey) throws -> [StoredRecord?] {
        let find = try statement("SELECT id, bytes FROM record WHERE owner = ? AND hash = ?")
        return try hashes.map { hash in
            try find.first([owner.row, hash.data]) { row in
                StoredRecord(key: RecordKey(row: row[0]), bytes: Array(row[1] as Data))
            }
        }
    }

    func absentRecords(_ hashes: [Hash256], of owner: AccountKey) throws -> [Hash256] {
        let find = try statement("SELECT 1 FROM record WHERE owner = ? AND hash = ?")
        return try hashes.filter { hash in
            try find.first([owner.row, hash.data]) { _ in true } == nil
        }
    }

    func insert(_ records: [NewRecord], of owner: AccountKey, at time: Int64) throws -> [RecordKey] {
        let insert = try statement(
            """
            INSERT INTO record (owner, at, hash, bytes) VALUES (?, ?, ?, ?)
            ON CONFLICT (owner, hash) DO UPDATE SET at = excluded.at RETURNING id
            """)
        return try records.map { record in
            insert.setUncheckedArguments([
                owner.row, time, record.hash.data, Data(record.bytes),
            ])
            guard let row = try Int64.fetchAll(insert).first else { throw StoreFailure.damaged }
            return RecordKey(row: row)
        }
    }

    func currentFiles(_ ids: [FileID], in log: AccountKey) throws -> [CurrentFile?] {
        let find = try statement(
            """
            SELECT version.id, record.bytes FROM version JOIN record ON record.id = version.record
            WHERE log = ? AND file = ? AND superseded IS NULL
            ORDER BY position DESC LIMIT 1
            """)
        return try ids.map { id in
            try find.first([log.row, id.data]) { row in
                CurrentFile(
                    version: row[0], facts: try FileRecord(Array(row[1] as Data)).facts)
            }
        }
    }

    func undeletedChild(of parent: FileID, tagged tag: Hash256, in log: AccountKey) throws
        -> FileID?
    {
        let find = try statement(
            """
            SELECT file FROM version
            WHERE log = ? AND parent = ? AND tag = ? AND superseded IS NULL AND deleted = 0
            """)
        return try find.first([log.row, parent.data, tag.data]) { try FileID(column: $0[0]) }
    }

    func state(of log: AccountKey, at position: UInt64, after file: FileID?, limit: Int) throws
        -> [StateItem]
    {
        let rows = try Row.fetchCursor(
            statement(
                """
                SELECT file, scope, record.hash, record.id, length(record.bytes), superseded
                FROM version JOIN record ON record.id = version.record
                WHERE log = ?1 AND file > ?3 AND position <= ?2
                    AND (superseded IS NULL OR superseded > ?2)
                ORDER BY file LIMIT ?4
                """),
            arguments: [log.row, position.column, file?.data ?? Data(), limit])
        var items: [StateItem] = []
        while let row = try rows.next() {
            items.append(
                StateItem(
                    file: try FileID(column: row[0]), scope: try FileID(column: row[1]),
                    recordHash: try Hash256(column: row[2]), record: RecordKey(row: row[3]),
                    recordByteCount: row[4], isSuperseded: (row[5] as Int64?) != nil))
        }
        return items
    }

    func content(of item: StateItem) throws -> [UInt8] {
        let found = try Data.fetchOne(
            statement("SELECT bytes FROM record WHERE id = ?"), arguments: [item.record.row])
        guard let found else { throw StoreFailure.damaged }
        return Array(found)
    }
}
