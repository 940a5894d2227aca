import GRDB
import LockbookModel

/// What commands on this device deleted, for the guard that asks before a push deletes much.
extension LocalTree {
    /// Milliseconds for which a command's deletion counts as asked for.
    private static let noteLifetime: Int64 = 7 * 86_400_000

    func noteDeletion(of file: FileID) throws {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO deletion (file, at) VALUES (?, ?)")
            .execute(arguments: [file.bytes.data, environment.now().milliseconds])
        try forgetRevived(file)
    }

    func wasDeletedLately(_ file: FileID) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT at FROM deletion WHERE file = ?")
        guard let at = try Int64.fetchOne(statement, arguments: [file.bytes.data]) else {
            return false
        }
        let (age, overflow) = environment.now().milliseconds.subtractingReportingOverflow(at)
        // A clock that was put back makes a note of the future.
        return !overflow && age.magnitude <= UInt64(Self.noteLifetime)
    }

    /// Forgets notes of what is pushed or was undone.
    func sweepDeletionNotes() throws {
        try db.cachedStatement(
            sql: """
                DELETE FROM deletion
                WHERE file NOT IN (SELECT id FROM file WHERE local IS NOT NULL AND deleted = 1)
                """
        ).execute()
    }

    /// Whether a page has an entry of this device that it does not remember.
    ///
    /// Then its data folder was put back from an older copy, or runs on two machines, and what is
    /// noted here is of another time.
    func isOfLaterTime(_ page: VerifiedPage) throws -> Bool {
        let device = account.device
        guard page.entries.contains(where: { $0.device == device }) else { return false }
        let pending = try pending()?.header.bytes
        return page.entries.contains { $0.device == device && $0.bytes != pending }
    }

    func forgetDeletionNotes() throws {
        try db.cachedStatement(sql: "DELETE FROM deletion").execute()
    }
}
