import FoundationEssentials
import GRDB
import LockbookCrypto
import LockbookModel

extension SQLiteTransaction {
    func entry(_ position: UInt64, of log: AccountKey) throws -> StoredEntry? {
        let found = try Row.fetchOne(
            statement(
                "SELECT header, hash, certificate, at FROM entry WHERE log = ? AND position = ?"
            ),
            arguments: [log.row, position.column]
        )
        return try found.map { row in
            StoredEntry(
                header: Array(row[0] as Data),
                hash: try Hash256(column: row[1]),
                certificate: (row[2] as Data?).map { Array($0) },
                time: row[3]
            )
        }
    }

    func groups(_ position: UInt64, of log: AccountKey) throws -> [[UInt8]] {
        try Data.fetchAll(
            statement(
                "SELECT bytes FROM entry_group WHERE log = ? AND position = ? ORDER BY scope"
            ),
            arguments: [log.row, position.column]
        ).map { Array($0) }
    }

    func headers(_ positions: ClosedRange<UInt64>, of log: AccountKey) throws -> [[UInt8]] {
        try Data.fetchAll(
            statement(
                """
                SELECT header FROM entry WHERE log = ? AND position BETWEEN ? AND ?
                ORDER BY position
                """
            ),
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
        let supersede = try hot("UPDATE version SET superseded = ? WHERE id = ?")
        supersede.bind(position.column, at: 1)
        for version in versions {
            guard let old = version.replacing else { continue }
            supersede.bind(old, at: 2)
            _ = try supersede.step()
            supersede.reset()
        }
        let insert = try hot(
            """
            INSERT INTO version
                (log, position, record, blob, deleted, file, parent, scope, tag)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        insert.bind(log.row, at: 1)
        insert.bind(position.column, at: 2)
        for version in versions {
            let facts = version.facts
            insert.bind(version.record.row, at: 3)
            insert.bind(version.blob?.row, at: 4)
            insert.bind(facts.isDeleted ? 1 : 0, at: 5)
            insert.bind(facts.id.bytes, at: 6)
            insert.bind(facts.parent.bytes, at: 7)
            insert.bind(facts.scope.bytes, at: 8)
            insert.bind(facts.nameTag, at: 9)
            _ = try insert.step()
            insert.reset()
        }
    }
}
