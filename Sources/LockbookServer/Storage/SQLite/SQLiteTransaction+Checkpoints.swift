import FoundationEssentials
import GRDB
import LockbookCrypto
import LockbookModel

extension SQLiteStore {
    static let states = """
        -- What a checkpoint of a log with shares says of each scope.
        CREATE TABLE checkpoint_state (
            log INTEGER NOT NULL,
            position INTEGER NOT NULL,
            scope BLOB NOT NULL,
            bytes BLOB NOT NULL,
            PRIMARY KEY (log, position, scope)
        ) STRICT, WITHOUT ROWID;
        CREATE TRIGGER checkpoint_gone AFTER DELETE ON checkpoint BEGIN
            DELETE FROM checkpoint_state WHERE log = OLD.log AND position = OLD.position;
        END;
        """
}

extension SQLiteTransaction {
    /// How many that were replaced are kept, however short a time ago that was: no quota counts them.
    private static let replacedCheckpointCount = 8

    func newestCheckpoint(of log: AccountKey, upTo position: UInt64) throws -> StoredCheckpoint? {
        try checkpoint(
            statement(
                """
                SELECT position, bytes FROM checkpoint WHERE log = ? AND position <= ?
                ORDER BY position DESC LIMIT 1
                """
            ),
            [log.row, position.column]
        )
    }

    func checkpoint(at position: UInt64, of log: AccountKey) throws -> StoredCheckpoint? {
        try checkpoint(
            statement("SELECT position, bytes FROM checkpoint WHERE log = ? AND position = ?"),
            [log.row, position.column]
        )
    }

    func states(at position: UInt64, of log: AccountKey) throws -> [[UInt8]] {
        try Data.fetchAll(
            statement(
                """
                SELECT bytes FROM checkpoint_state WHERE log = ? AND position = ? ORDER BY scope
                """
            ),
            arguments: [log.row, position.column]
        ).map { Array($0) }
    }

    private func checkpoint(_ statement: Statement, _ arguments: StatementArguments) throws
        -> StoredCheckpoint?
    {
        try Row.fetchOne(statement, arguments: arguments).map { row in
            StoredCheckpoint(
                position: try UInt64(column: row[0]),
                bytes: Array(row[1] as Data)
            )
        }
    }

    func insert(
        _ checkpoint: Checkpoint,
        _ states: [SeenScopeState],
        of log: AccountKey,
        at time: Int64
    ) throws {
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
        let insert = try statement(
            "INSERT INTO checkpoint_state (log, position, scope, bytes) VALUES (?, ?, ?, ?)"
        )
        for state in states {
            try insert.execute(arguments: [
                log.row, checkpoint.head.position.column, state.scope.data, Data(state.bytes),
            ])
        }
        try deleteEarlierCheckpoints(of: log)
    }

    private func deleteEarlierCheckpoints(of log: AccountKey) throws {
        try statement(
            """
            DELETE FROM checkpoint WHERE log = ?1 AND position < (
                SELECT position FROM checkpoint WHERE log = ?1
                ORDER BY position DESC LIMIT 1 OFFSET ?2)
            """
        ).execute(arguments: [log.row, Self.replacedCheckpointCount])
    }
}
