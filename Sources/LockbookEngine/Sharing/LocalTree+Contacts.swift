import GRDB
import LockbookCrypto
import LockbookModel

/// Who others are, as far as this device knows, and whose logs it follows.
extension LocalTree {
    func contact(_ account: AccountID) throws -> AccountCertificate? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT certificate FROM contact WHERE account = ?"),
            arguments: [account.hash.bytes.data]
        ).map { try certificate($0.bytes(0)) }
    }

    func contact(named name: String) throws -> AccountCertificate? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT certificate FROM contact WHERE username = ?"),
            arguments: [name]
        ).map { try certificate($0.bytes(0)) }
    }

    private func certificate(_ bytes: [UInt8]) throws -> AccountCertificate {
        try openedKeys.certificates.value(of: bytes) { try AccountCertificate(verifying: $0) }
    }

    /// Remembers who somebody is.
    /// - Throws: `.keyChanged` when the name belonged to other keys before, `.integrity` when it is
    ///   this account itself, which nobody but a server that lies takes for another one.
    func pin(_ certificate: AccountCertificate) throws {
        guard certificate.account != author else {
            throw LockbookError.integrity(reason: "the server takes this account for another one")
        }
        let name = certificate.username.text
        if !isForeign { try know(name, certificate.account) }
        if let known = try contact(named: name) {
            guard known.account == certificate.account else {
                throw LockbookError.keyChanged(username: name)
            }
            return
        }
        if let known = try contact(certificate.account) {
            throw LockbookError.keyChanged(username: known.username.text)
        }
        try db.execute(
            sql: "INSERT INTO contact (account, username, certificate) VALUES (?, ?, ?)",
            arguments: [certificate.account.hash.bytes.data, name, certificate.bytes.data]
        )
    }

    /// Whether somebody is called so who sees a file, or is to see it.
    func isShared(_ file: FileID, with username: String) throws -> Bool {
        let grantees =
            try grants(of: file).filter { $0.mode > .none }.map { AccountID($0.grantee) }
            + wishes().filter { $0.file == file && $0.mode > .none }.map(\.grantee)
        return try grantees.contains { try self.username(of: $0) == username }
    }

    /// What an account is called, as far as this device knows it.
    ///
    /// What a grant calls somebody is the word of who made it: where another account is known by
    /// that name here, it is the account's id.
    /// - Parameter news: grants that came and are not kept yet.
    func username(of account: AccountID, told news: [Grant] = []) throws -> String {
        if account == author { return self.account.username }
        if let known = try contact(account) { return known.username.text }
        // Asked for everybody in a list, each would have all of them looked through.
        var names = try granteeNames ?? GranteeNames(allGrants())
        granteeNames = names
        if !news.isEmpty { names.add(news) }
        guard let name = try names.name(of: account) ?? lostGrant(to: account)?.granteeName else {
            return try known(account)?.username.text ?? account.description
        }
        let isOthers =
            try name.text == self.account.username
            || contact(named: name.text).map { $0.account != account } ?? false
            || names.isHeld(name, besides: account)
        return isOthers ? account.description : name.text
    }

    /// The name that the next grant to somebody has: of who was met, not what an earlier one says.
    func granteeName(in old: Grant) throws -> Username {
        try contact(AccountID(old.grantee))?.username ?? old.granteeName
    }

    /// Whose logs are followed: never this account's own, whatever an earlier sync believed.
    func followed() throws -> [AccountID] {
        try Row.fetchAll(
            db.cachedStatement(sql: "SELECT owner FROM followed WHERE owner <> ? ORDER BY owner"),
            arguments: [author.hash.bytes.data]
        ).compactMap { Hash256($0.bytes(0)).map { AccountID(hash: $0) } }
    }

    /// Whose trees are here: of those that are followed, and what stayed of others.
    func sharers() throws -> [AccountID] { try followed() + leftBehind() }

    /// Whose logs are not followed although there is a tree of theirs here.
    ///
    /// A server that was put back does not know any more that they share something: what was taken in
    /// before that stays. Who is met has no tree here as a rule, so it is not looked for one by one.
    func leftBehind() throws -> [AccountID] {
        let names = Set(try StoreContext.namesOfSharers(in: account.directory))
        guard !names.isEmpty else { return [] }
        return try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT account FROM contact
                    WHERE account <> ? AND account NOT IN (SELECT owner FROM followed)
                    ORDER BY account
                    """
            ),
            arguments: [author.hash.bytes.data]
        )
        .compactMap { Hash256($0.bytes(0)).map { AccountID(hash: $0) } }
        .filter { owner in
            guard names.contains(owner.description) else { return false }
            let directory = StoreContext.directory(of: owner, in: account)
            return Disk.exists(directory + "/" + LocalStore.fileName)
        }
    }

    func follow(_ owner: AccountID) throws {
        try db.execute(
            sql: "INSERT OR IGNORE INTO followed (owner) VALUES (?)",
            arguments: [owner.hash.bytes.data]
        )
    }

    /// Forgets that this account itself was taken for another one.
    func forgetSelf() throws {
        try unfollow(author)
        for table in ["contact", "known"] {
            try db.execute(
                sql: "DELETE FROM \(table) WHERE account = ?",
                arguments: [author.hash.bytes.data]
            )
        }
    }

    func unfollow(_ owner: AccountID) throws {
        try db.execute(
            sql: "DELETE FROM followed WHERE owner = ?",
            arguments: [owner.hash.bytes.data]
        )
    }
}

/// What grants call the accounts that they are for.
struct GranteeNames {
    /// By the first grant to each.
    private var names: [AccountID: Username] = [:]
    /// Who holds something under a name.
    private var holders: [Username: Set<AccountID>] = [:]

    init(_ grants: [Grant]) { add(grants) }

    mutating func add(_ grants: [Grant]) {
        for grant in grants {
            let account = AccountID(grant.grantee)
            if names[account] == nil { names[account] = grant.granteeName }
            guard grant.mode > .none else { continue }
            holders[grant.granteeName, default: []].insert(account)
        }
    }

    func name(of account: AccountID) -> Username? { names[account] }

    /// In the order of the accounts.
    var all: [(AccountID, Username)] {
        names.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Whether another account holds something under a name as well.
    func isHeld(_ name: Username, besides account: AccountID) -> Bool {
        holders[name]?.contains { $0 != account } ?? false
    }
}
