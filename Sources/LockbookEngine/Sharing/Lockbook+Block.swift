import GRDB
import LockbookCrypto
import LockbookModel

extension Lockbook {
    /// Shows nothing that an account offers, on all devices, and has the server refuse its offers;
    /// from the next sync on.
    ///
    /// What was accepted stays until it is left.
    /// The server is asked who that is, where no device of this account has met the name.
    public func block(_ username: String) async throws {
        let isMet = try store.read { try $0.known(username) != nil }
        if !isMet {
            let other = try await recipient(username)
            try store.write { try $0.pin(other) }
        }
        try setBlocked(username, true)
    }

    /// Lets an account offer something again, from the next sync on.
    /// - Throws: `.notBlocked`.
    public func unblock(_ username: String) throws {
        guard try blocked().contains(username) else {
            throw LockbookError.notBlocked(username: username)
        }
        try setBlocked(username, false)
    }

    /// The names of the accounts that are blocked.
    public func blocked() throws -> [String] {
        try store.read { tree in
            try String.fetchAll(
                tree.db,
                sql: "SELECT username FROM known WHERE blocking % 2 = 1 ORDER BY username"
            )
        }
    }

    private func setBlocked(_ username: String, _ isBlocked: Bool) throws {
        try store.write { tree in
            guard let known = try tree.known(username) else {
                throw LockbookError.noSuchUser(username: username)
            }
            guard known.isBlocked != isBlocked else { return }
            try tree.db.execute(
                sql: "UPDATE known SET blocking = blocking + 1 WHERE username = ?",
                arguments: [username]
            )
            try tree.acquaint(known.account, isBlocked ? .blocked : .unknown)
        }
    }
}

/// What the server is yet to be told of an account; the numbers stand in rows.
enum AcquaintanceNews: Int {
    case unknown = 0
    case known = 1
    case blocked = 2
}

extension LocalTree {
    /// Whether an account was blocked, under whatever name.
    ///
    /// Each device may have met it under another one, where a server has shown it so.
    func isBlocked(_ account: AccountID) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT max(blocking % 2) FROM known WHERE account = ?"),
            arguments: [account.hash.bytes.data]
        ) ?? false
    }

    /// Whether nothing is taken from who shows this: the account was blocked, or one that had its name
    /// before.
    ///
    /// So the user passes by who took a name anew, of whom no device believes that he is the same.
    func isBlocked(_ certificate: AccountCertificate) throws -> Bool {
        try isBlocked(certificate.account)
            || known(certificate.username.text)?.isBlocked ?? false
    }

    /// Notes what the server is to be told by the next sync.
    func acquaint(_ account: AccountID, _ news: AcquaintanceNews) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO acquaintance (account, state) VALUES (?, ?)",
            arguments: [account.hash.bytes.data, news.rawValue]
        )
    }

    /// Who answers an offer knows whose it is: it counts no more as a stranger's.
    func noteAnswer(to account: AccountID) throws {
        guard try !isBlocked(account) else { return }
        try acquaint(account, .known)
    }

    func acquaintances() throws -> [(account: AccountID, news: AcquaintanceNews)] {
        try Row.fetchAll(db, sql: "SELECT account, state FROM acquaintance ORDER BY account")
            .compactMap { row in
                guard let account = Hash256(row.bytes(0)),
                    let news = AcquaintanceNews(rawValue: row[1])
                else { return nil }
                return (AccountID(hash: account), news)
            }
    }

    func forgetAcquaintance(_ account: AccountID) throws {
        try db.execute(
            sql: "DELETE FROM acquaintance WHERE account = ?",
            arguments: [account.hash.bytes.data]
        )
    }
}
