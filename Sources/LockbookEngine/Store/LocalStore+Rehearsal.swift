import GRDB
import LockbookCrypto

extension LocalStore {
    /// Where a rehearsal puts contents that are too large for its database.
    static func rehearsalFolder(_ directory: String) -> BlobFolder {
        BlobFolder(directory + "/rehearsal", over: directory + "/blobs")
    }

    /// One folder for an account and for what others share with it.
    private static func rehearsalFolder(_ context: StoreContext) -> BlobFolder {
        BlobFolder(
            rehearsalFolder(context.account.directory).path,
            over: context.directory + "/blobs"
        )
    }

    /// An empty one, for what a sync would make a store for.
    static func rehearsal(ofNew context: StoreContext) throws -> LocalStore {
        var context = context
        context.blobs = rehearsalFolder(context)
        do {
            let queue = try DatabaseQueue(path: "")
            try queue.inDatabase { db in
                try LocalSchema.migrate(
                    db,
                    from: 0,
                    key: context.account.deviceKey,
                    random: context.environment.random
                )
            }
            return LocalStore(queue: queue, context: context)
        } catch let error as DatabaseError {
            throw failure(error, context)
        }
    }

    /// A copy to try a sync on, which is gone when nothing refers to it any more.
    ///
    /// It is a database of its own that SQLite keeps in memory and in a file without a name, so
    /// nothing waits for it and no crash leaves it behind. The bytes of contents are not copied:
    /// they are read where they are.
    func rehearsal() throws -> LocalStore {
        do {
            // Nobody else, this copy included, could read it before it is closed.
            guard try !isHeldAlone else { throw DatabaseError(resultCode: .SQLITE_FULL) }
            var configuration = Configuration()
            configuration.busyMode = BusyWait.mode(self.context)
            let copy = try DatabaseQueue(path: "", configuration: configuration)
            try copy.writeWithoutTransaction { db in
                try db.execute(
                    sql: "ATTACH ? AS original",
                    arguments: [Self.path(in: directory)]
                )
                // One transaction: everything copied belongs together.
                try db.inTransaction {
                    try db.tellingUnread(of: "original") {
                        try Self.copyTables(of: "original", in: db)
                    }
                    return .commit
                }
                try db.execute(sql: "DETACH original")
            }
            var context = context
            context.blobs = Self.rehearsalFolder(context)
            context.original = self
            return LocalStore(queue: copy, context: context)
        } catch let error as DatabaseError {
            throw Self.failure(error, context)
        }
    }

    /// Whether it was opened for this process alone, for want of room on the disk.
    private var isHeldAlone: Bool {
        get throws {
            try queue.inDatabase { db in
                try String.fetchOne(db, sql: "PRAGMA locking_mode") == "exclusive"
            }
        }
    }

    private static func copyTables(of original: String, in db: Database) throws {
        // Without triggers: what they would note is copied.
        let schema = try String.fetchAll(
            db,
            sql: """
                SELECT sql FROM \(original).sqlite_master
                WHERE type IN ('table', 'index') AND sql IS NOT NULL ORDER BY type DESC
                """
        )
        for statement in schema { try db.execute(sql: statement) }
        let tables = try String.fetchAll(
            db,
            sql: "SELECT name FROM \(original).sqlite_master WHERE type = 'table'"
        )
        // Of these no sync wants to know.
        let unwanted: Set<String> = ["exported", "imported", "command", "replaced", "joined"]
        for table in tables where !unwanted.contains(table) {
            let columns = table == "blob" ? "name, NULL" : "*"
            try db.execute(
                sql: "INSERT INTO main.\(table) SELECT \(columns) FROM \(original).\(table)"
            )
        }
    }

    /// The bytes of a blob that is a row; nil for a file, and for one that is not here any more.
    func smallBlob(_ name: BlobName) throws -> [UInt8]? {
        try read { tree in
            guard case .bytes(let bytes) = try tree.blob(name) else { return nil }
            return bytes
        }
    }
}
