import GRDB
import LockbookCrypto
import LockbookModel

/// What an account may do in scopes that were asked for before.
struct KnownRights {
    fileprivate var modes: [FileID: ShareMode] = [:]
    /// All that it holds.
    fileprivate var held: [FileID: ShareMode]?

    init() {}
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

    /// The grants of an account on all files, those that take one back too.
    func grants(to account: AccountID) throws -> [Grant] {
        try Row.fetchAll(
            db.cachedStatement(sql: "SELECT bytes FROM share_grant WHERE grantee = ?"),
            arguments: [account.hash.bytes.data]
        ).map { try grant($0.bytes(0)) }
    }

    private func grant(_ bytes: [UInt8]) throws -> Grant {
        try openedKeys.grants.value(of: bytes) { try Grant($0) }
    }

    /// The files that this account shares with somebody.
    func sharedIDs() throws -> Set<FileID> {
        guard !isForeign else { return [] }
        return Set(try allGrants().filter { $0.mode > .none }.map(\.file))
    }

    func keep(_ grant: Grant) throws {
        (rights, granteeNames) = (KnownRights(), nil)
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
        // Of one that was told inside of another scope, and ended before this device came to it,
        // nothing else is here.
        let grants = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT bytes FROM share_grant WHERE grantee = ?
                        AND EXISTS (SELECT 1 FROM file WHERE id = share_grant.file)
                    """
            ),
            arguments: [author.hash.bytes.data]
        ).map { try grant($0.bytes(0)) }
        var held: [FileID: ShareMode] = [:]
        for grant in grants where grant.mode > .none { held[grant.file] = grant.mode }
        return held
    }

    /// What this account may do in a scope of another one's tree: the most that it holds on it, or
    /// on one around it.
    func right(in scope: FileID) throws -> ShareMode {
        var known = KnownRights()
        return try right(in: scope, &known)
    }

    /// The same for many files, as long as no folder changes.
    func right(in scope: FileID, _ known: inout KnownRights) throws -> ShareMode {
        if let mode = known.modes[scope] { return mode }
        let held = try known.held ?? held()
        known.held = held
        let mode = try PageView(tree: self).scopes(around: scope).reduce(ShareMode.none) {
            max($0, held[$1] ?? .none)
        }
        known.modes[scope] = mode
        return mode
    }

    /// Whether a command may write in a scope.
    func mayWrite(in scope: FileID) throws -> Bool {
        guard isForeign else { return true }
        return try right(in: scope, &rights) >= .write
    }

    /// Refuses a change of what may only be read, and of where and what the shared file itself is.
    func requireRight(to file: File, _ row: FileRow?) throws {
        guard try mayWrite(in: file.scope) else {
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
        rights = KnownRights()
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
}
