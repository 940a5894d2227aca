import FoundationEssentials
import GRDB
import LockbookCrypto
import LockbookModel

extension SQLiteStore {
    static let ends = """
        -- Accounts that their owners deleted. `id` is the row that was the account's, and is not used again.
        CREATE TABLE account_end (
            id INTEGER PRIMARY KEY,
            account BLOB NOT NULL UNIQUE,
            username TEXT NOT NULL UNIQUE,
            request_key BLOB NOT NULL UNIQUE,
            at INTEGER NOT NULL,
            -- Until its other rows and its files are removed.
            is_unfinished INTEGER NOT NULL DEFAULT 1,
            statement BLOB NOT NULL,
            certificate BLOB NOT NULL
        ) STRICT;
        CREATE TRIGGER account_ended BEFORE INSERT ON account WHEN EXISTS (
            SELECT 1 FROM account_end WHERE id = NEW.id OR account = NEW.account
                OR username = NEW.username OR request_key = NEW.request_key
        ) BEGIN
            SELECT RAISE(ABORT, 'the account was deleted');
        END;
        -- Whoever asks for accounts asks here: the row of a deleted one stays until those that refer to it
        -- are gone, and nobody is to find it meanwhile.
        CREATE VIEW live_account AS SELECT * FROM account
            WHERE NOT EXISTS (SELECT 1 FROM account_end WHERE account_end.id = account.id);
        """
}

extension SQLiteTransaction {
    func end(of account: AccountID) throws -> StoredEnd? {
        let find = try statement("SELECT account, statement FROM account_end WHERE account = ?")
        return try end(find, [account.hash.data])
    }

    func end(requestKey: Hash256) throws -> StoredEnd? {
        let find = try statement(
            "SELECT account, statement FROM account_end WHERE request_key = ?"
        )
        return try end(find, [requestKey.data])
    }

    func end(named username: Username) throws -> StoredEnd? {
        let find = try statement("SELECT account, statement FROM account_end WHERE username = ?")
        return try end(find, [username.text])
    }

    private func end(_ find: Statement, _ arguments: StatementArguments) throws -> StoredEnd? {
        try Row.fetchOne(find, arguments: arguments).map { row in
            StoredEnd(
                id: AccountID(hash: try Hash256(column: row[0])),
                statement: Array(row[1] as Data)
            )
        }
    }

    func unfinishedEnds() throws -> [AccountID] {
        let find = try statement(
            "SELECT account FROM account_end WHERE is_unfinished = 1 ORDER BY id"
        )
        return try Data.fetchAll(find).map { AccountID(hash: try Hash256(column: $0)) }
    }

    func finishEnd(of account: AccountID) throws {
        try statement("UPDATE account_end SET is_unfinished = 0 WHERE account = ?")
            .execute(arguments: [account.hash.data])
    }

    /// A transaction whose size is that of what others can see of the account: a disk that is nearly full has
    /// room for it, however much is kept.
    func end(_ account: StoredAccount, with end: AccountEnd, at time: Int64) throws {
        let row = account.key.row
        try statement(
            """
            INSERT INTO account_end
                (id, account, username, request_key, at, statement, certificate)
            SELECT id, account, username, request_key, ?, ?, certificate FROM account WHERE id = ?
            """
        ).execute(arguments: [time, Data(end.bytes), row])
        // Without it nothing is counted for each row that goes later.
        try delete(from: "usage", where: "owner", row)
        // Those that let somebody in: of others there may be any number, and nobody finds them any more.
        try statement("DELETE FROM share_grant WHERE log = ? AND superseded IS NULL AND mode > 0")
            .execute(arguments: [row])
        try delete(from: "invitation", where: "owner", row)
        try delete(from: "acquaintance", where: "account", row)
        try statement("DELETE FROM acquaintance WHERE other = ?")
            .execute(arguments: [account.id.hash.data])
        // Who waited to be let in somewhere waits no more, and the invitation can be used.
        try statement(
            "UPDATE invitation SET claimant = NULL, claim = x'' WHERE claimant = ? AND state = 0"
        ).execute(arguments: [account.id.hash.data])
    }

    func deleteRows(of ended: AccountID, atMost count: Int) throws -> Bool {
        let find = try statement(
            """
            SELECT account.id FROM account JOIN account_end ON account_end.id = account.id
            WHERE account.account = ?
            """
        )
        guard let row = try Int64.fetchOne(find, arguments: [ended.hash.data]) else { return false }
        // Those that name others first.
        for kind in Self.rowsOfAccount where try delete(kind, of: row, atMost: count) {
            return true
        }
        try delete(from: "account", where: "id", row)
        return false
    }

    /// Where rows of an account are, and how many bytes are in one besides a few columns of fixed size.
    private static let rowsOfAccount:
        [(table: StaticString, key: StaticString, owner: StaticString, bytes: StaticString)] = [
            ("version", "id", "log", "0"),
            ("share_grant", "id", "log", "length(bytes)"),
            ("checkpoint_state", "log, position, scope", "log", "length(bytes)"),
            ("checkpoint", "log, position", "log", "length(bytes)"),
            ("entry_group", "id", "log", "length(bytes)"),
            ("entry", "log, position", "log", "length(header) + ifnull(length(certificate), 0)"),
            ("record", "id", "owner", "length(bytes)"),
            (
                "blob", "id", "owner",
                "ifnull(length(bytes), 0) + ifnull(length(segments), 0)"
            ),
            ("upload", "owner, name", "owner", "length(segments)"),
            ("unnamed", "owner, name", "owner", "0"),
        ]

    /// Deletes rows of one kind: no more bytes than so many of 2 KiB have, or one that is larger.
    /// - Returns: whether there were any.
    private func delete(
        _ kind: (
            table: StaticString, key: StaticString, owner: StaticString, bytes: StaticString
        ),
        of row: Int64,
        atMost count: Int
    ) throws -> Bool {
        try database.execute(
            sql: """
                DELETE FROM \(kind.table) WHERE (\(kind.key)) IN (
                    SELECT \(kind.key) FROM (
                        SELECT \(kind.key), sum(bytes) OVER (ROWS UNBOUNDED PRECEDING) - bytes AS before
                        FROM (SELECT \(kind.key), \(kind.bytes) AS bytes FROM \(kind.table)
                            WHERE \(kind.owner) = ? LIMIT ?)
                    ) WHERE before < ?
                )
                """,
            arguments: [row, count, count * 2_048]
        )
        return database.changesCount > 0
    }

    private func delete(from table: StaticString, where column: StaticString, _ row: Int64) throws {
        try database.execute(sql: "DELETE FROM \(table) WHERE \(column) = ?", arguments: [row])
    }
}
