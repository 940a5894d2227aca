import FoundationEssentials
import GRDB
import LockbookCrypto
import LockbookModel

extension SQLiteTransaction {
    func entry(_ position: UInt64, of log: AccountKey) throws -> StoredEntry? {
        let found = try Row.fetchOne(
            statement("SELECT header, hash, certificate FROM entry WHERE log = ? AND position = ?"),
            arguments: [log.row, position.column])
        return try found.map { row in
            StoredEntry(
                header: Array(row[0] as Data), hash: try Hash256(column: row[1]),
                certificate: (row[2] as Data?).map { Array($0) })
        }
    }

    func groups(_ position: UInt64, of log: AccountKey) throws -> [[UInt8]] {
        try Data.fetchAll(
            statement(
                "SELECT bytes FROM entry_group WHERE log = ? AND position = ? ORDER BY scope"),
            arguments: [log.row, position.column]
        ).map { Array($0) }
    }

    func headers(_ positions: ClosedRange<UInt64>, of log: AccountKey) throws -> [[UInt8]] {
        try Data.fetchAll(
            statement(
                """
                SELECT header FROM entry WHERE log = ? AND position BETWEEN ? AND ?
                ORDER BY position
                """),
            arguments: [log.row, positions.lowerBound.column, positions.upperBound.column]
        ).map { Array($0) }
    }

    func append(_ entry: NewEntry, to log: AccountKey) throws {
        let position = entry.header.position.column
        try statement(
            """
            INSERT INTO entry (log, position, at, hash, header, certificate)
            VALUES (?, ?, ?, ?, ?, ?)
            """
        ).execute(arguments: [
            log.row, position, entry.time, entry.headerHash.data, Data(entry.header.bytes),
            entry.certificate.map { Data($0) },
        ])
        for group in entry.groups {
            try statement(
                "INSERT INTO entry_group (log, position, scope, bytes) VALUES (?, ?, ?, ?)"
            ).execute(arguments: [log.row, position, group.scope.data, Data(group.bytes)])
        }
        try statement("UPDATE account SET head_position = ?, head_hash = ? WHERE id = ?")
            .execute(arguments: [position, entry.headerHash.data, log.row])
    }

    func apply(_ versions: [NewVersion], at position: UInt64, to log: AccountKey) throws {
        // All old versions step back first: names may change places within one push.
        let supersede = try statement("UPDATE version SET superseded = ? WHERE id = ?")
        for version in versions {
            guard let old = version.replacing else { continue }
            try supersede.execute(arguments: [position.column, old])
        }
        let insert = try statement(
            """
            INSERT INTO version
                (log, position, record, blob, deleted, file, parent, scope, tag)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        for version in versions {
            let facts = version.facts
            try insert.execute(arguments: [
                log.row, position.column, version.record.row, version.blob?.row,
                facts.isDeleted ? 1 : 0, facts.id.data, facts.parent.data, facts.scope.data,
                facts.nameTag.data,
            ])
        }
    }

    func newestCheckpoint(of log: AccountKey) throws -> StoredCheckpoint? {
        try checkpoint(
            statement(
                """
                SELECT position, bytes FROM checkpoint WHERE log = ?
                ORDER BY position DESC LIMIT 1
                """), [log.row])
    }

    func checkpoint(at position: UInt64, of log: AccountKey) throws -> StoredCheckpoint? {
        try checkpoint(
            statement("SELECT position, bytes FROM checkpoint WHERE log = ? AND position = ?"),
            [log.row, position.column])
    }

    private func checkpoint(_ statement: Statement, _ arguments: StatementArguments) throws
        -> StoredCheckpoint?
    {
        try Row.fetchOne(statement, arguments: arguments).map { row in
            StoredCheckpoint(
                position: try UInt64(column: row[0]), bytes: Array(row[1] as Data))
        }
    }

    func insert(_ checkpoint: Checkpoint, of log: AccountKey, at time: Int64) throws {
        // A device may still be reading the one before, so that goes later.
        try statement(
            """
            UPDATE checkpoint SET replaced = ?
            WHERE log = ? AND position < ? AND replaced IS NULL
            """
        ).execute(arguments: [time, log.row, checkpoint.head.position.column])
        try statement(
            """
            INSERT INTO checkpoint (log, position, bytes) VALUES (?, ?, ?)
            ON CONFLICT (log, position) DO NOTHING
            """
        ).execute(arguments: [
            log.row, checkpoint.head.position.column, Data(checkpoint.bytes),
        ])
    }
}
