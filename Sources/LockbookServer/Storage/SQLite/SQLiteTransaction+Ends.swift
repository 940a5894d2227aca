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
            -- Until its large blobs are removed.
            has_files INTEGER NOT NULL DEFAULT 1,
            statement BLOB NOT NULL,
            certificate BLOB NOT NULL
        ) STRICT;
        CREATE TRIGGER account_ended BEFORE INSERT ON account WHEN EXISTS (
            SELECT 1 FROM account_end WHERE id = NEW.id OR account = NEW.account
                OR username = NEW.username OR request_key = NEW.request_key
        ) BEGIN
            SELECT RAISE(ABORT, 'the account was deleted');
        END;
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

    func endsWithFiles() throws -> [AccountID] {
        let find = try statement("SELECT account FROM account_end WHERE has_files = 1 ORDER BY id")
        return try Data.fetchAll(find).map { AccountID(hash: try Hash256(column: $0)) }
    }

    func noteFilesGone(of account: AccountID) throws {
        try statement("UPDATE account_end SET has_files = 0 WHERE account = ?")
            .execute(arguments: [account.hash.data])
    }

    func end(_ account: StoredAccount, with end: AccountEnd, at time: Int64) throws {
        let row = account.key.row
        try statement(
            """
            INSERT INTO account_end
                (id, account, username, request_key, at, statement, certificate)
            SELECT id, account, username, request_key, ?, ?, certificate FROM account WHERE id = ?
            """
        ).execute(arguments: [time, Data(end.bytes), row])
        // First what is kept right by each row that goes.
        try delete(from: "usage", where: "owner", row)
        for table: StaticString in ["version", "share_grant", "checkpoint", "entry_group", "entry"]
        {
            try delete(from: table, where: "log", row)
        }
        for table: StaticString in ["record", "blob", "upload", "invitation"] {
            try delete(from: table, where: "owner", row)
        }
        try delete(from: "acquaintance", where: "account", row)
        try statement("DELETE FROM acquaintance WHERE other = ?")
            .execute(arguments: [account.id.hash.data])
        // Who waited to be let in somewhere waits no more, and the invitation can be used.
        try statement(
            "UPDATE invitation SET claimant = NULL, claim = x'' WHERE claimant = ? AND state = 0"
        ).execute(arguments: [account.id.hash.data])
        try delete(from: "account", where: "id", row)
        // What others read before this is not there any more.
        try database.execute(sql: "UPDATE collection SET mark = mark + 1")
    }

    private func delete(from table: StaticString, where column: StaticString, _ row: Int64) throws {
        try database.execute(sql: "DELETE FROM \(table) WHERE \(column) = ?", arguments: [row])
    }
}
