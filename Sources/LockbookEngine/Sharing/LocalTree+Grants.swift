import GRDB
import LockbookCrypto
import LockbookModel

/// What an account may do in scopes that were asked for before.
struct KnownRights {
    fileprivate(set) var modes: [FileID: ShareMode] = [:]
}

extension LocalTree {
    /// Whether something of this tree is or was shared.
    func isShared() throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM share_grant)
                        OR EXISTS (SELECT 1 FROM setting WHERE key = 'wasShared')
                    """
            )
        ) ?? false
    }

    /// The grants that hold on a file, those that take one back too.
    func grants(of file: FileID) throws -> [Grant] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT bytes FROM share_grant WHERE file = ? ORDER BY grantee"
            ),
            arguments: [file.bytes.data]
        ).map { try grant($0.bytes(0)) }
    }

    func allGrants() throws -> [Grant] {
        try Row.fetchAll(
            db.cachedStatement(sql: "SELECT bytes FROM share_grant ORDER BY file, grantee")
        )
        .map { try grant($0.bytes(0)) }
    }

    /// What some bytes say, which takes a multiplication of points to find out: each once.
    private func grant(_ bytes: [UInt8]) throws -> Grant {
        if let known = openedGrants[bytes] { return known }
        let grant = try Grant(bytes)
        openedGrants[bytes] = grant
        return grant
    }

    /// The files that this account shares with somebody.
    func sharedIDs() throws -> Set<FileID> {
        guard !isForeign else { return [] }
        return Set(try allGrants().filter { $0.mode > .none }.map(\.file))
    }

    func keep(_ grant: Grant) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO share_grant (file, grantee, bytes) VALUES (?, ?, ?)",
            arguments: [
                grant.file.bytes.data, AccountID(grant.grantee).hash.bytes.data, grant.bytes.data,
            ]
        )
    }

    /// What this account may do in another one's tree, by shared file.
    func held() throws -> [FileID: ShareMode] {
        if try isOwnerGone() { return [:] }
        var held: [FileID: ShareMode] = [:]
        for grant in try allGrants() where AccountID(grant.grantee) == author && grant.mode > .none
        {
            // Of one that was told inside of another scope, and ended before this device came to it,
            // nothing else is here.
            if try row(grant.file) != nil { held[grant.file] = grant.mode }
        }
        return held
    }

    /// What this account may do in a scope of another one's tree: the most that it holds on it, or
    /// on one around it.
    func right(in scope: FileID) throws -> ShareMode {
        let held = try held()
        return try PageView(tree: self).scopes(around: scope).reduce(.none) {
            max($0, held[$1] ?? .none)
        }
    }

    /// The same for many files, as long as no folder changes.
    func right(in scope: FileID, _ known: inout KnownRights) throws -> ShareMode {
        if let mode = known.modes[scope] { return mode }
        let mode = try right(in: scope)
        known.modes[scope] = mode
        return mode
    }

    /// Refuses a change of what may only be read, and of where and what the shared file itself is.
    func requireRight(to file: File, _ row: FileRow?) throws {
        guard try right(in: file.scope) >= .write else {
            throw LockbookError.readOnly(path: try path(of: row?.id ?? file.parent))
        }
        guard let row else {
            guard file.parent != root else { throw LockbookError.root }
            return
        }
        if try row.parent == root || file.parent == root || scope(of: row) == row.id {
            guard file.parent == row.parent, row.isDeleted == file.isDeleted,
                try self.file(row).name == file.name
            else { throw LockbookError.ownersToChange(path: try path(of: row)) }
        }
        guard try scope(of: row) == file.scope else {
            throw LockbookError.shareBorder(path: try path(of: row))
        }
    }

    /// The scopes around one of whose surroundings nothing is here.
    func told(around scope: FileID) throws -> Set<FileID> {
        guard isForeign else { return [] }
        return Set(
            try Row.fetchAll(
                db.cachedStatement(sql: "SELECT outer FROM share_told WHERE scope = ?"),
                arguments: [scope.bytes.data]
            ).compactMap { FileID($0.bytes(0)) }
        )
    }

    /// Every scope of which something was told.
    func toldScopes() throws -> Set<FileID> {
        Set(
            try Row.fetchAll(db.cachedStatement(sql: "SELECT DISTINCT scope FROM share_told"))
                .compactMap { FileID($0.bytes(0)) }
        )
    }

    /// - Parameter anew: scopes of which what was told before holds no more.
    func keepTold(_ told: [FileID: Set<FileID>], anew: Set<FileID>) throws {
        for scope in anew.sorted() {
            try db.execute(
                sql: "DELETE FROM share_told WHERE scope = ?",
                arguments: [scope.bytes.data]
            )
        }
        for (scope, outer) in told {
            for file in outer {
                try db.execute(
                    sql: "INSERT OR IGNORE INTO share_told (scope, outer) VALUES (?, ?)",
                    arguments: [scope.bytes.data, file.bytes.data]
                )
            }
        }
    }

    // MARK: Wishes

    struct ShareWish {
        let file: FileID
        let grantee: AccountID
        var mode: ShareMode
        /// Whether it is another mode for who holds one, which lets nobody in.
        var isChange = false
        /// Whether a transfer that another account has accepted wants it: nobody decided it.
        var isSettling = false
        /// Whether the server has refused to take the share back.
        var isRefused = false
    }

    func wishes() throws -> [ShareWish] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT file, grantee, mode, changes FROM share_wish ORDER BY file, grantee"
            )
        ).compactMap { row in
            guard let file = FileID(row.bytes(0)), let grantee = Hash256(row.bytes(1)),
                let mode = ShareMode(rawValue: UInt8(clamping: row[2] as Int))
            else { return nil }
            return ShareWish(
                file: file,
                grantee: AccountID(hash: grantee),
                mode: mode,
                isChange: (row[3] as Int) & ~Self.refused == Self.changing,
                isSettling: (row[3] as Int) & ~Self.refused == Self.settling,
                isRefused: (row[3] as Int) & Self.refused != 0
            )
        }
    }

    /// Whether anything was changed or wanted here that its log does not have.
    func hasSomethingToSend() throws -> Bool {
        try hasChanges() || hasPending() || !wishes().isEmpty
    }

    /// Notes what is wanted; that the server refused to take it back before stays noted.
    func wish(_ wish: ShareWish) throws {
        try db.execute(
            sql: """
                INSERT INTO share_wish (file, grantee, mode, changes)
                VALUES (?, ?, ?, ?)
                ON CONFLICT (file, grantee) DO UPDATE SET
                    mode = excluded.mode,
                    changes = excluded.changes | changes & \(Self.refused)
                """,
            arguments: [
                wish.file.bytes.data, wish.grantee.hash.bytes.data, Int(wish.mode.rawValue),
                wish.isSettling ? Self.settling : wish.isChange ? Self.changing : 0,
            ]
        )
    }

    /// What the column `changes` says of a wish.
    private static let changing = 1
    private static let settling = 2
    /// Stands beside the others.
    private static let refused = 4

    /// Notes that the server refused to take a share back, where that is wanted still.
    func markRefused(_ wish: ShareWish) throws {
        try db.execute(
            sql: """
                UPDATE share_wish SET changes = changes | ?
                WHERE file = ? AND grantee = ? AND mode = ?
                """,
            arguments: [
                Self.refused, wish.file.bytes.data, wish.grantee.hash.bytes.data,
                Int(ShareMode.none.rawValue),
            ]
        )
    }

    func forget(_ wish: ShareWish) throws {
        try db.execute(
            sql: "DELETE FROM share_wish WHERE file = ? AND grantee = ?",
            arguments: [wish.file.bytes.data, wish.grantee.hash.bytes.data]
        )
    }

    // MARK: Contacts

    func contact(_ account: AccountID) throws -> AccountCertificate? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT certificate FROM contact WHERE account = ?"),
            arguments: [account.hash.bytes.data]
        ).map { try AccountCertificate(verifying: $0.bytes(0)) }
    }

    func contact(named name: String) throws -> AccountCertificate? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT certificate FROM contact WHERE username = ?"),
            arguments: [name]
        ).map { try AccountCertificate(verifying: $0.bytes(0)) }
    }

    /// Remembers who somebody is.
    /// - Throws: `.keyChanged` when the name belonged to other keys before.
    func pin(_ certificate: AccountCertificate) throws {
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

    /// Whether somebody is called so whom this device met, or who sees a file or is to see it.
    func isName(_ username: String, of file: FileID) throws -> Bool {
        if try contact(named: username) != nil { return true }
        let grantees =
            try grants(of: file).map { AccountID($0.grantee) }
            + wishes().filter { $0.file == file }.map(\.grantee)
        return try grantees.contains { try self.username(of: $0) == username }
    }

    /// What an account is called, as far as this device knows it.
    ///
    /// What a grant calls somebody is the word of who made it: where another account is known by
    /// that name here, it is the account's id.
    func username(of account: AccountID) throws -> String {
        if account == author { return self.account.username }
        if let known = try contact(account) { return known.username.text }
        let grants = try allGrants()
        let held = grants.first { AccountID($0.grantee) == account }
        guard let grant = try held ?? lostGrant(to: account) else {
            return try known(account)?.username.text ?? account.description
        }
        let name = grant.granteeName
        let isOthers =
            try name.text == self.account.username
            || contact(named: name.text).map { $0.account != account } ?? false
            || grants.contains {
                $0.granteeName == name && $0.mode > .none && AccountID($0.grantee) != account
            }
        return isOthers ? account.description : name.text
    }

    /// The name that the next grant to somebody has: of who was met, not what an earlier one says.
    func granteeName(in old: Grant) throws -> Username {
        try contact(AccountID(old.grantee))?.username ?? old.granteeName
    }

    func followed() throws -> [AccountID] {
        try Row.fetchAll(db.cachedStatement(sql: "SELECT owner FROM followed ORDER BY owner"))
            .compactMap { Hash256($0.bytes(0)).map { AccountID(hash: $0) } }
    }

    func follow(_ owner: AccountID) throws {
        try db.execute(
            sql: "INSERT OR IGNORE INTO followed (owner) VALUES (?)",
            arguments: [owner.hash.bytes.data]
        )
    }

    func unfollow(_ owner: AccountID) throws {
        try db.execute(
            sql: "DELETE FROM followed WHERE owner = ?",
            arguments: [owner.hash.bytes.data]
        )
    }
}
