import FoundationEssentials
import GRDB
import LockbookCrypto
import LockbookModel

extension SQLiteTransaction {
    /// What `account(_:)` reads, of accounts that were not deleted.
    private static let selection = """
        SELECT id, account, certificate, signing_key, head_position, head_hash, bodies_from,
            username
        FROM live_account
        """

    func account(requestKey: Hash256) throws -> StoredAccount? {
        try account(where: "request_key = ?", [requestKey.data])
    }

    func account(id: AccountID) throws -> StoredAccount? {
        try account(where: "account = ?", [id.hash.data])
    }

    func account(key: AccountKey) throws -> StoredAccount? {
        try account(where: "id = ?", [key.row])
    }

    func account(named username: Username) throws -> StoredAccount? {
        try account(where: "username = ?", [username.text])
    }

    func accounts() throws -> [StoredAccount] {
        let all = try database.cachedStatement(sql: "\(Self.selection) ORDER BY id")
        return try Row.fetchAll(all).map(account(_:))
    }

    func logs() throws -> [AccountKey] {
        try Int64.fetchAll(statement("SELECT id FROM live_account ORDER BY id"))
            .map { AccountKey(row: $0) }
    }

    private func account(where condition: StaticString, _ arguments: StatementArguments) throws
        -> StoredAccount?
    {
        let one = try database.cachedStatement(sql: "\(Self.selection) WHERE \(condition)")
        return try Row.fetchOne(one, arguments: arguments).map(account(_:))
    }

    private func account(_ row: Row) throws -> StoredAccount {
        StoredAccount(
            key: AccountKey(row: row[0]),
            id: AccountID(hash: try Hash256(column: row[1])),
            username: row[7],
            certificate: Array(row[2] as Data),
            signingKey: try VerifyingKey(Hash256(column: row[3])),
            head: LogHead(
                position: try UInt64(column: row[4]),
                hash: try Hash256(column: row[5])
            ),
            bodiesFrom: try UInt64(column: row[6])
        )
    }

    func insert(_ certificate: AccountCertificate, head: LogHead) throws -> AccountKey {
        try statement(
            """
            INSERT INTO account
                (id, account, username, request_key, signing_key, head_position, head_hash,
                    certificate)
            VALUES (1 + max((SELECT ifnull(max(id), 0) FROM account),
                (SELECT ifnull(max(id), 0) FROM account_end)), ?, ?, ?, ?, ?, ?, ?)
            """
        ).execute(arguments: [
            certificate.account.hash.data, certificate.username.text,
            certificate.keys.request.bytes.data, certificate.keys.signing.bytes.data,
            head.position.column, head.hash.data, Data(certificate.bytes),
        ])
        return AccountKey(row: database.lastInsertedRowID)
    }
}
