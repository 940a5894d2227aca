import GRDB
import LockbookCrypto
import LockbookModel

/// What commands here want somebody to be allowed in a share, until it is in the log.
extension LocalTree {
    struct ShareWish {
        let file: FileID
        let grantee: AccountID
        var mode: ShareMode
        /// Whether it is another mode for who holds one, which lets nobody in.
        var isChange = false
        /// Whether a transfer that another account has accepted wants it: nobody decided it.
        var isSettling = false
        /// Whether that transfer had ended when the server lost it: what its owner has restored since is
        /// his alone, and nobody comes back into it.
        var isFinal = false
        /// Why the share could not be taken back, where a sync has tried that.
        var obstacle: Obstacle?
        /// Whether this account lost the right to decide it, be it only for a while.
        var isForfeited = false

        enum Obstacle {
            /// The server refused it.
            case refusal
            /// What was moved in the share has to be synced before, and could not be.
            case moves
        }
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
                isChange: (row[3] as Int) & Self.kinds == Self.changing,
                isSettling: (row[3] as Int) & Self.kinds == Self.settling,
                isFinal: (row[3] as Int) & Self.final != 0,
                obstacle: Self.obstacle(row[3]),
                isForfeited: (row[3] as Int) & Self.forfeited != 0
            )
        }
    }

    /// Where the files stand of which something is wanted.
    func wishedPaths() throws -> [FileID: String] {
        try wishes().reduce(into: [:]) { paths, wish in
            if try row(wish.file) != nil { paths[wish.file] = try shownPath(of: wish.file) }
        }
    }

    /// Whether anything was changed or wanted here that its log does not have.
    func hasSomethingToSend() throws -> Bool {
        try hasChanges() || hasPending() || !wishes().isEmpty
    }

    private static func obstacle(_ changes: Int) -> ShareWish.Obstacle? {
        if changes & refused != 0 { return .refusal }
        return changes & waiting != 0 ? .moves : nil
    }

    /// Notes what is wanted; that it could not be taken back before stays noted.
    ///
    /// Who wants it now has the right to, whatever was between.
    func wish(_ wish: ShareWish) throws {
        try db.execute(
            sql: """
                INSERT INTO share_wish (file, grantee, mode, changes)
                VALUES (?, ?, ?, ?)
                ON CONFLICT (file, grantee) DO UPDATE SET
                    mode = excluded.mode,
                    changes = excluded.changes | (changes & \(Self.obstacles))
                """,
            arguments: [
                wish.file.bytes.data, wish.grantee.hash.bytes.data, Int(wish.mode.rawValue),
                (wish.isSettling ? Self.settling : wish.isChange ? Self.changing : 0)
                    | (wish.isFinal ? Self.final : 0),
            ]
        )
    }

    /// What the column `changes` says of a wish.
    private static let changing = 1
    private static let settling = 2
    private static let kinds = 3
    /// These stand beside the others.
    private static let refused = 4
    private static let waiting = 8
    private static let obstacles = 12
    private static let forfeited = 16
    private static let final = 32

    /// Notes why a share could not be taken back, where that is wanted still.
    func mark(_ wish: ShareWish, _ obstacle: ShareWish.Obstacle) throws {
        try db.execute(
            sql: """
                UPDATE share_wish SET changes = changes & \(Self.kinds | Self.final) | ?
                WHERE file = ? AND grantee = ? AND mode = ?
                """,
            arguments: [
                obstacle == .refusal ? Self.refused : Self.waiting, wish.file.bytes.data,
                wish.grantee.hash.bytes.data, Int(ShareMode.none.rawValue),
            ]
        )
    }

    /// Notes that this account lost the right to decide it: the next push drops it, and says so.
    func markForfeited(_ wish: ShareWish) throws {
        try db.execute(
            sql: "UPDATE share_wish SET changes = changes | ? WHERE file = ? AND grantee = ?",
            arguments: [
                Self.forfeited, wish.file.bytes.data, wish.grantee.hash.bytes.data,
            ]
        )
    }

    func forget(_ wish: ShareWish) throws {
        try db.execute(
            sql: "DELETE FROM share_wish WHERE file = ? AND grantee = ?",
            arguments: [wish.file.bytes.data, wish.grantee.hash.bytes.data]
        )
    }
}
