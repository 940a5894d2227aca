import GRDB

extension LocalTree {
    /// Empties the tables, so that nobody takes what is left of them for an account's notes.
    func forgetEverything() throws {
        for table in [
            "file", "directory", "blob", "absent", "pending", "pushed", "setting", "trash", "purge",
            "version", "conflict", "command", "replaced", "joined", "contact", "followed",
            "share_grant", "share_wrap", "share_wish", "answer", "refused_entry", "refused_record",
        ] {
            try db.execute(sql: "DELETE FROM \(table)")
        }
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
            holdsFiles = try DatabaseQueue(path: path, configuration: configuration).read { db in
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
