import GRDB
import LockbookCrypto

extension LocalSchema {
    /// What makes the tables of a new database: what all migrations come to.
    ///
    /// Most of their time goes into changing tables that they just made, so a process goes through
    /// them once, in memory: there is a database for each account that shares something.
    private static let whole = Result {
        let queue = try DatabaseQueue()
        defer { queue.closeForGood() }
        return try queue.inDatabase { db in
            try run(db, from: 0, key: DeviceKey(random: .system), random: .system)
            // Each after what it is of: their numbers rise, and stay when a table is changed.
            return try String.fetchAll(
                db,
                sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"
            ).joined(separator: ";\n")
        }
    }

    /// Runs the migrations that a database did not have yet.
    /// - Parameters:
    ///   - version: the number of the last one that it had; 0 for an empty one.
    ///   - key: seals what an older program had in clear.
    static func migrate(
        _ db: Database,
        from version: Int,
        key: DeviceKey,
        random: RandomSource
    ) throws {
        if version == 0 {
            try db.execute(sql: whole.get())
        } else {
            try run(db, from: version, key: key, random: random)
        }
    }

    private static func run(
        _ db: Database,
        from version: Int,
        key: DeviceKey,
        random: RandomSource
    ) throws {
        for function in sealing(InvitationKeys(key), random) { db.add(function: function) }
        for (number, migration) in migrations where number > version {
            try db.execute(sql: migration)
        }
    }
}
