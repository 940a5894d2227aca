import GRDB
import LockbookModel

/// Since when files are in the trash, as this device knows it.
extension LocalTree {
    func noteTrashed(_ file: FileID) throws {
        try db.cachedStatement(sql: "INSERT OR IGNORE INTO trash (file, since) VALUES (?, ?)")
            .run(file.bytes.data, try serverNow())
    }

    /// The time in milliseconds by the server's clock, as far as this device knows the difference:
    /// what is kept for a time must not depend on a clock that somebody sets.
    func serverNow() throws -> Int64 {
        environment.now().milliseconds &+ 1_000 &* (try number(.clockOffset))
    }

    func forgetTrashed(_ file: FileID) throws {
        try db.cachedStatement(sql: "DELETE FROM trash WHERE file = ?").run(file.bytes.data)
    }

    /// Files that were deleted before a time, in milliseconds, and are not purged already.
    func trashed(before time: Int64) throws -> [FileID] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT file FROM trash
                WHERE since <= ? AND file NOT IN (SELECT file FROM purge) ORDER BY file
                """,
            arguments: [time]
        ).compactMap { FileID($0.bytes(0)) }
    }

    /// Since when a file is in the trash, in milliseconds; nil when that is not known.
    func trashedSince(_ file: FileID) throws -> Int64? {
        try Int64.fetchOne(
            db,
            sql: "SELECT since FROM trash WHERE file = ?",
            arguments: [file.bytes.data]
        )
    }
}
