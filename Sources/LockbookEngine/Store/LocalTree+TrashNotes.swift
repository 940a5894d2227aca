import GRDB
import LockbookModel

/// Since when files are in the trash, as this device knows it.
extension LocalTree {
    func noteTrashed(_ file: FileID) throws {
        try db.cachedStatement(
            sql: "INSERT OR IGNORE INTO trash (file, since, here) VALUES (?, ?, ?)"
        ).run(file.bytes.data, try serverNow(), environment.now().milliseconds)
    }

    /// The time in milliseconds by the server's clock, as far as this device knows the difference:
    /// what is kept for a time must not depend on a clock that somebody sets.
    func serverNow() throws -> Int64 {
        environment.now().milliseconds &+ 1_000 &* (try number(.clockOffset))
    }

    func forgetTrashed(_ file: FileID) throws {
        try db.cachedStatement(sql: "DELETE FROM trash WHERE file = ?").run(file.bytes.data)
    }

    /// Whether something is in the trash since a time that neither clock has seen: a server told it
    /// for a while.
    func hasLaterTrash() throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM trash WHERE since > ? AND since > here)"
            ),
            arguments: [try serverNow()]
        ) ?? false
    }

    /// Has that be there since now.
    ///
    /// Not since before this device's own clock says: a server may tell too early a time as well.
    func redateLaterTrash() throws {
        let now = try serverNow()
        try db.execute(
            sql: "UPDATE trash SET since = max(here, ?) WHERE since > ? AND since > here",
            arguments: [now, now]
        )
    }

    /// Files that are in the trash for so many milliseconds and are not purged already.
    ///
    /// Both clocks have to say so: a server that tells another time, or somebody who sets this
    /// device's clock, must not empty the trash.
    func trashed(for time: Int64) throws -> [FileID] {
        let limits = try trashLimits(time)
        return try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT file FROM trash WHERE since <= ? AND here <= ?
                        AND file NOT IN (SELECT file FROM purge)
                        AND file NOT IN (SELECT file FROM conflict WHERE kind = 'trashed')
                    ORDER BY file
                    """
            ),
            arguments: [limits.server, limits.here]
        ).compactMap { FileID($0.bytes(0)) }
    }

    /// Whether a file is in the trash for so many milliseconds.
    func isTrashed(_ file: FileID, for time: Int64) throws -> Bool {
        let limits = try trashLimits(time)
        return try Int.fetchOne(
            db.cachedStatement(
                sql: "SELECT 1 FROM trash WHERE file = ? AND since <= ? AND here <= ?"
            ),
            arguments: [file.bytes.data, limits.server, limits.here]
        ) != nil
    }

    /// Whether a merge put a document into the trash, or left it there, that somebody had written in: it
    /// stays until somebody decides.
    func isUndecidedInTrash(_ file: FileID) throws -> Bool {
        try Int.fetchOne(
            db.cachedStatement(
                sql: "SELECT 1 FROM conflict WHERE file = ? AND kind = 'trashed'"
            ),
            arguments: [file.bytes.data]
        ) != nil
    }

    /// All documents that wait there for somebody to decide.
    func undecidedInTrash() throws -> [FileID] {
        try Row.fetchAll(
            db.cachedStatement(sql: "SELECT file FROM conflict WHERE kind = 'trashed'")
        ).compactMap { FileID($0.bytes(0)) }
    }

    private func trashLimits(_ time: Int64) throws -> (server: Int64, here: Int64) {
        (try serverNow() &- time, environment.now().milliseconds &- time)
    }
}
