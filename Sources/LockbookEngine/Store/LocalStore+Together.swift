import GRDB
import GRDBSQLite
import LockbookCrypto
import LockbookModel

/// One command whose changes stand in the stores of several accounts.
struct JointCommand: Equatable {
    /// The same in all of the stores: 16 bytes.
    let id: [UInt8]
    /// How many stores it changed.
    let parts: Int
}

extension LocalStore {
    /// Changes several stores as one command of its own: when something fails in one, nothing was
    /// done in any of them.
    ///
    /// Each commits by itself, in the order given, after everything else was done in all of them. A
    /// machine that dies in between leaves what the first ones have, so what makes comes before
    /// what deletes.
    /// - Parameter body: is given a tree for each store.
    static func change<Result>(
        _ stores: [LocalStore],
        _ body: ([LocalTree]) throws -> Result
    ) throws -> Result {
        let lock = try jointLock(of: stores)
        defer { withExtendedLifetime(lock) {} }
        let turn = try turn(in: stores)
        return try writeTogether(stores) { trees in
            for tree in trees { tree.journal = tree.emptyJournal() }
            let result = try body(trees)
            try keepJournals(of: trees, turn)
            return result
        }
    }

    /// Makes one command of those that several stores have open.
    ///
    /// For what is done in batches, which are durable one by one: where it is cut off before this, each
    /// store has a command of its own.
    static func joinCommands(of stores: [LocalStore]) throws {
        let parts = stores.compactMap { store in
            store.openCommand.map { (store: store, number: $0) }
        }
        guard parts.count > 1 else { return }
        let changed = parts.map { $0.store }
        let lock = try jointLock(of: changed)
        defer { withExtendedLifetime(lock) {} }
        try writeTogether(changed) { trees in
            let commands = try zip(trees, parts).map { try $0.command($1.number) }
            // What is joined already has parts that are not among these.
            guard commands.allSatisfy({ $0 != nil && $0?.joint == nil }) else { return }
            let joint = JointCommand(
                id: trees[0].environment.random.bytes(16),
                parts: parts.count
            )
            for (tree, part) in zip(trees, parts) { try tree.note(joint, for: part.number) }
        }
    }

    /// Gives a tree for each store, and commits all of them after that.
    private static func writeTogether<Result>(
        _ stores: [LocalStore],
        _ body: ([LocalTree]) throws -> Result
    ) throws -> Result {
        func open(_ rest: ArraySlice<LocalStore>, _ trees: [LocalTree]) throws -> Result {
            guard let store = rest.last else { return try body(trees) }
            return try store.write { try open(rest.dropLast(), [$0] + trees) }
        }
        return try open(stores[...], [])
    }

    /// Two such commands at once that begin with each other's last store would wait for ever.
    /// - Returns: nil for one store alone.
    private static func jointLock(of stores: [LocalStore]) throws -> LockFile? {
        guard stores.count > 1, let store = stores.first else { return nil }
        let directory = store.context.account.directory
        do {
            if let lock = try BusyWait.lock(folder: directory, store.environment.busy) {
                return lock
            }
        } catch let failure as DiskFailure {
            throw LockbookError.io(path: failure.path, reason: failure.reason)
        }
        throw LockbookError.busy(what: "the data directory \(directory)")
    }

    private static func keepJournals(of trees: [LocalTree], _ turn: Int64?) throws {
        let numbers = try trees.map { try $0.keepJournal(joining: nil, turn) }
        let parts = numbers.count { $0 != nil }
        let joint = trees.first.map {
            JointCommand(id: $0.environment.random.bytes(16), parts: parts)
        }
        for (tree, number) in zip(trees, numbers) {
            if let number, let joint, parts > 1 { try tree.note(joint, for: number) }
            try tree.flush()
            // A commit that follows others has little left to do then, and to fail at.
            if trees.count > 1 { try tree.writeOut() }
        }
    }
}

extension LocalTree {
    /// Writes the pages that the transaction changed to the disk before it is committed
    /// (https://www.sqlite.org/c3ref/db_cacheflush.html).
    fileprivate func writeOut() throws {
        let code = sqlite3_db_cacheflush(db.sqliteConnection)
        guard code == SQLITE_OK else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code))
        }
    }
}
