import GRDB

extension LocalTree {
    /// Empties all tables, so that nobody takes what is left of them for an account's notes.
    ///
    /// The keys of other people go, too: who makes an account here next has met nobody, and this
    /// one finds whom it met in its address book.
    func forgetEverything() throws {
        let tables = try String.fetchAll(
            db,
            sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND sql IS NOT NULL"
        )
        // Twice: what goes from one table can be noted in another by a trigger.
        for table in tables + tables { try db.execute(sql: "DELETE FROM \(table)") }
        discardBlocks()
    }
}

extension LocalStore {
    /// Refuses a folder whose store lost its key file: a new account in it would make it unreadable,
    /// and what was not synced of the old one would be gone.
    static func refuseOrphan(in directory: String) throws {
        let path = path(in: directory)
        guard Disk.exists(path) else { return }
        var configuration = Configuration()
        configuration.busyMode = .timeout(15)
        let holdsFiles: Bool
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { queue.closeForGood() }
            holdsFiles = try queue.read { db in
                try db.tableExists("file")
                    && Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM file)") ?? false
            }
        } catch is DatabaseError {
            holdsFiles = true
        }
        guard !holdsFiles else {
            throw LockbookError.store(
                reason: "\(path) is there without the \(AccountFile.fileName) that opens it; put "
                    + "that back, or move the database away"
            )
        }
    }
}
