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
                    changes = excluded.changes | (changes & \(Self.refused))
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
}
