import FoundationEssentials
import GRDB
import Glibc
import LockbookCrypto
import LockbookModel
import Synchronization

/// The database of one device: no name, content, key or secret in clear, and one transaction for all
/// that belongs together.
final class LocalStore: Sendable {
    static let fileName = "lockbook.db"
    /// The number of the newest migration this program knows.
    static let version = LocalSchema.migrations.map(\.0).max() ?? 0

    let directory: String
    let queue: DatabaseQueue
    let context: StoreContext
    /// The file of the database; nil for one without a name.
    private let file: OpenedFile?
    /// The command that changes belong to.
    let command = Mutex(OpenCommand())

    var blobs: BlobFolder { context.blobs }
    var environment: EngineEnvironment { context.environment }

    /// Opens the store, making it when it is not there.
    convenience init(account: AccountFile, keys: AccountKeys, environment: EngineEnvironment) throws
    {
        try self.init(StoreContext(account: account, keys: keys, environment: environment))
    }

    init(_ context: StoreContext) throws {
        directory = context.directory
        self.context = context
        let path = Self.path(in: directory)
        do {
            let found: Int?
            (queue, found) = try Self.open(path, BusyWait.mode(context))
            file = OpenedFile(path)
            guard let found, found <= Self.version else { throw isOfNewer }
            if found < Self.version {
                try queue.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
                try migrate()
                // Of what an older program had in clear nothing stays in older pages.
                if found > 0 { emptyLog() }
            }
        } catch let error as DatabaseError {
            throw Self.failure(error, context)
        }
    }

    init(queue: DatabaseQueue, context: StoreContext) {
        file = nil
        directory = context.directory
        self.queue = queue
        self.context = context
    }

    deinit {
        queue.closeForGood()
    }

    /// Where the database of a directory is, as SQLite takes it: what begins with `file:` would be a URI.
    static func path(in directory: String) -> String {
        let path = directory + "/" + fileName
        return path.utf8.starts(with: "file:".utf8) ? "./" + path : path
    }

    private func migrate() throws {
        try queue.inTransaction(.immediate) { db in
            let found = try knownVersion(of: db)
            try LocalSchema.migrate(
                db,
                from: found,
                key: context.account.deviceKey,
                random: environment.random
            )
            if found > 0 { try LocalTree(db: db, context: context).keepKeysOfVersions() }
            try db.execute(sql: "PRAGMA user_version = \(Self.version)")
            return .commit
        }
    }

    private var isOfNewer: LockbookError {
        .updateNeeded(what: "the data directory \(directory)")
    }

    /// The number of the last migration that the database has now.
    /// - Throws: `.updateNeeded` where a newer program was here since this one opened it. What that wrote
    ///   could be taken for nothing.
    @discardableResult
    private func knownVersion(of db: Database) throws -> Int {
        let found = try Int.fetchOne(db.cachedStatement(sql: "PRAGMA user_version")) ?? 0
        guard found <= Self.version else { throw isOfNewer }
        return found
    }

    /// Reads in one transaction, so that everything seen belongs together.
    func read<Result>(_ body: (LocalTree) throws -> Result) throws -> Result {
        do {
            return try transaction(.deferred) { tree in try body(tree) }
        } catch {
            throw failure(error)
        }
    }

    /// Changes in one transaction: all of it is durable at the end, or nothing happened.
    func write<Result>(_ body: (LocalTree) throws -> Result) throws -> Result {
        var (dropped, added): ([BlobName], [BlobName]) = ([], [])
        var isWhole = false
        do {
            let result = try transaction(.immediate) { tree in
                guard Disk.exists(AccountFile.path(in: context.account.directory)), isInPlace else {
                    throw LockbookError.store(
                        reason: "the account was removed from \(directory) meanwhile"
                    )
                }
                defer { (dropped, added) = (tree.droppedFiles, tree.addedFiles) }
                let result = try body(tree)
                try tree.flush()
                isWhole = true
                return result
            }
            if !dropped.isEmpty { removeFiles(of: dropped) }
            return result
        } catch {
            // On a full disk they would take the room that is needed to make some.
            if !added.isEmpty, !isWhole || Self.isUndone(error) { removeFiles(of: added) }
            throw failure(error)
        }
    }

    /// Whether a transaction that failed at its very end is sure not to be found done by the next process.
    ///
    /// SQLite says that it is full before the last page of it is in the write-ahead log. That the file which
    /// processes share has no room is found out after that, as are most other failures.
    static func isUndone(_ error: any Error) -> Bool {
        (error as? DatabaseError)?.resultCode == .SQLITE_FULL
    }

    /// Whether the account's database is still the one in its folder; nobody would look at this one.
    private var isInPlace: Bool { (context.accountStore ?? self).file?.isInPlace ?? true }

    private func transaction<Result>(
        _ kind: Database.TransactionKind,
        _ body: (LocalTree) throws -> Result
    ) throws -> Result {
        var result: Result?
        try queue.inTransaction(kind) { db in
            let tree = LocalTree(db: db, context: context)
            result = try db.tellingUnread {
                try knownVersion(of: db)
                return try body(tree)
            }
            return .commit
        }
        guard let result else { throw LockbookError.store(reason: "the transaction was lost") }
        return result
    }

    /// What is told of a transaction that failed.
    private func failure(_ error: any Error) -> any Error {
        switch error {
        case let error as DatabaseError: Self.failure(error, context)
        case let failure as DiskFailure:
            failure.isOfRoom && failure.path.hasPrefix(directory + "/")
                ? LockbookError.noSpace(for: directory)
                : LockbookError.io(path: failure.path, reason: failure.reason)
        default: error
        }
    }

    private static func isWrite(_ error: DatabaseError) -> Bool {
        [.SQLITE_IOERR_WRITE, .SQLITE_IOERR_SHMSIZE, .SQLITE_IOERR_TRUNCATE]
            .contains(error.extendedResultCode)
    }

    static func failure(_ error: DatabaseError, _ context: StoreContext) -> LockbookError {
        let directory = context.directory
        guard error.resultCode == .SQLITE_BUSY, context.account.isWithoutLocks else {
            return failure(error, directory: directory)
        }
        return .store(reason: "the file system of \(directory) gives no locks")
    }

    static func failure(_ error: DatabaseError, directory: String) -> LockbookError {
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            .busy(what: "the data directory \(directory)")
        case .SQLITE_FULL:
            .noSpace(for: directory)
        case .SQLITE_IOERR where isWrite(error) && Disk.sizeLimit != nil:
            .store(
                reason:
                    "no file may have more than \(Disk.sizeLimit ?? 0) bytes here, and the data "
                    + "directory \(directory) needs one",
                limit: .full
            )
        case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE:
            // A full disk is called so when the file that processes share has no room.
            .noSpace(for: directory)
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM:
            unopened(in: directory)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            .damagedStore(directory: directory)
        default:
            .store(reason: "the database in \(directory): \(error.message ?? "error")")
        }
    }

    /// What is told of a database that does not open, or not for writing.
    private static func unopened(in directory: String) -> LockbookError {
        let path = path(in: directory)
        // Without a descriptor: to close one gives up the locks that this process has on the file.
        if faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) != 0, errno != ENOENT {
            let reason = DiskFailure(path).reason
            return .store(reason: "the database in \(directory) cannot be read: \(reason)")
        }
        for beside in [path + "-wal", path + "-shm"]
        where faccessat(AT_FDCWD, beside, R_OK, AT_EACCESS) != 0 && errno != ENOENT {
            let reason = DiskFailure(beside).reason
            return .store(reason: "\(beside), a part of the database, cannot be read: \(reason)")
        }
        return .unwritable(directory)
    }
}
