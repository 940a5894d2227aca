import GRDB
import LockbookCrypto

extension LocalStore {
    /// Gives space back to the disk when more than a tenth of the database is empty, and more than
    /// a quarter of a megabyte.
    ///
    /// It copies the database, so it is for what happens rarely. That it cannot be done, because
    /// another process is at work or the disk is full, is no failure: the space is used again.
    func shrink() {
        try? queue.writeWithoutTransaction { db in
            let free = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
            let all = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            guard free > 64, free * 10 > all else { return }
            // Of the copy, which is as sealed as the database, nothing but what the cache holds is in memory.
            try db.execute(sql: "PRAGMA temp_store = 1")
            defer { try? db.execute(sql: "PRAGMA temp_store = 2") }
            try db.execute(sql: "VACUUM")
            try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }

    /// Moves what was committed from the write-ahead log into the database, and leaves no page in the
    /// log; where another process reads at this moment, that is left to who closes the database last.
    func emptyLog() {
        try? queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }

    /// Removes the files of blobs that a committed change let go of.
    ///
    /// Nobody refers to one of them meanwhile, whose file would go: who does has to change the store, too,
    /// and looks for the file. That one stays is no failure: a sync removes it.
    func removeFiles(of names: [BlobName]) {
        // What a rehearsal lets go of is another store's.
        guard context.original == nil else { return }
        try? queue.inTransaction(.immediate) { db in
            let tree = LocalTree(db: db, context: context)
            for name in names where try !tree.hasBlob(name) { blobs.remove(name) }
            return .commit
        }
    }

    /// Moves what was committed from the write-ahead log into the database, which has to be done when the
    /// process ends: sooner where it waits for a server.
    func settleLog() {
        try? queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)")
        }
    }
}
