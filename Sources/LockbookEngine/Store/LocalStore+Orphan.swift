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
    ///
    /// Nor is it one without an account, in which a person would make a new one.
    static func refuseOrphan(in directory: String) throws {
        guard let path = try orphan(in: directory) else { return }
        throw LockbookError.store(
            reason: "\(path) is there without the \(AccountFile.fileName) that opens it; put "
                + "that back, or move the database away"
        )
    }

    /// A database that holds files, in a folder without a key file: the account's own or, where that is
    /// gone, one of what others share; none where a logout emptied it.
    private static func orphan(in directory: String) throws -> String? {
        let own = path(in: directory)
        if Disk.exists(own) { return holdsFiles(own) ? own : nil }
        let shares = StoreContext.sharesFolder(in: directory)
        do {
            return try StoreContext.namesOfSharers(in: directory).map {
                path(in: "\(shares)/\($0)")
            }
            .first { Disk.exists($0) && holdsFiles($0) }
        } catch let failure as DiskFailure {
            throw LockbookError.io(path: failure.path, reason: failure.reason)
        }
    }

    /// Also of a database that does not open.
    private static func holdsFiles(_ path: String) -> Bool {
        var configuration = Configuration()
        configuration.busyMode = .timeout(15)
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { queue.closeForGood() }
            return try queue.read { db in
                try db.tableExists("file")
                    && Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM file)") ?? false
            }
        } catch {
            return true
        }
    }
}
