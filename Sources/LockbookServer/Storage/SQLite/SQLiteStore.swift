import CSQLite
import FoundationEssentials
import GRDB
import LockbookCrypto
import LockbookModel

/// The embedded store: one SQLite database, one writer, several readers.
package struct SQLiteStore: MetadataStore {
    /// Raised when an older program could no longer use the data.
    package static let version = 1

    /// What one account asks for at a time takes half of them: who reads much keeps nobody from reading.
    private static let readerCount = 2 * AccountTurns.running

    private let pool: DatabasePool
    private let keepsThread: Bool

    /// Once for the process, before its first database is opened.
    private static let isUncounted = sqlite3_config_memstatus(0) == SQLITE_OK

    /// Opens or makes the database, and brings its schema up to date.
    /// - Parameter keepsThread: whether transactions run on the thread that asks for them; a server
    ///   with one request at a time needs no other.
    package init(path: String, keepsThread: Bool = false) throws {
        self.keepsThread = keepsThread
        _ = Self.isUncounted
        var configuration = Configuration()
        configuration.maximumReaderCount = Self.readerCount
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA cache_size = -12000")
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 8000")
        }
        pool = try Self.pool(path, configuration)
        let found = try pool.read { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
        guard found <= Self.version else {
            throw StoreFailure.newer(found: found, known: Self.version)
        }
        try pool.writeWithoutTransaction { database in
            // An answer means that the change survives a power failure. Said here and not with the
            // other settings: the pool asks for less when it turns on the log.
            try database.execute(sql: "PRAGMA synchronous = FULL")
            // A staging request is 8 MiB: with less, its pages would be written twice.
            try database.execute(sql: "PRAGMA cache_size = -24000")
            // What a transaction of unusual size made of the write-ahead log, which is brought to its
            // place at 32 MiB, is given back.
            try database.execute(sql: "PRAGMA journal_size_limit = 41943040")
        }
        try Self.migrator.migrate(pool)
        // Where the disk is full, a start that writes nothing still lets everybody read.
        guard found != Self.version else { return }
        try pool.write { try $0.execute(sql: "PRAGMA user_version = \(Self.version)") }
    }

    /// What begins with `file:` would be a URI to SQLite, and the database elsewhere.
    private static func pool(_ path: String, _ configuration: Configuration) throws -> DatabasePool
    {
        let isLikeURI = path.utf8.starts(with: "file:".utf8)
        return try DatabasePool(path: isLikeURI ? "./" + path : path, configuration: configuration)
    }

    /// Opens a database only to read it, also one that a server is using.
    /// - Throws: `UnreadableDatabase` where it is none any more.
    init(reading path: String) throws {
        keepsThread = false
        _ = Self.isUncounted
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(10)
        do {
            pool = try Self.pool(path, configuration)
            try pool.read { database in
                let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
                guard found <= Self.version else {
                    throw StoreFailure.newer(found: found, known: Self.version)
                }
                guard try Self.migrator.hasCompletedMigrations(database) else {
                    throw StoreFailure.older
                }
            }
        } catch let error as DatabaseError {
            guard let failure = UnreadableDatabase(error) else { throw error }
            throw failure
        }
    }

    /// What SQLite finds wrong with the database.
    func faults() async throws -> [String] {
        do {
            return try await pool.read { database in
                try String.fetchAll(database, sql: "PRAGMA integrity_check")
            }
            .flatMap { $0.split(separator: "\n").map(String.init) }.filter { $0 != "ok" }
        } catch let error as DatabaseError {
            guard let failure = UnreadableDatabase(error) else { throw error }
            return [failure.reason]
        }
    }

    package func read<Value: Sendable>(_ body: @Sendable (any MetadataReading) throws -> Value)
        async throws -> Value
    {
        if keepsThread { return try readHere(body) }
        return try await pool.read { try body(SQLiteTransaction(database: $0)) }
    }

    package func write<Value: Sendable>(_ body: @Sendable (any MetadataWriting) throws -> Value)
        async throws -> Value
    {
        do {
            if keepsThread { return try writeHere(body) }
            return try await pool.write { try body(SQLiteTransaction(database: $0)) }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
            // What it had come to in the write-ahead log is not to keep the room from everybody.
            try? await checkpoint(.truncate)
            throw StoreFailure.full
        }
    }

    package func settle() async throws {
        try await checkpoint(.passive)
    }

    private func checkpoint(_ kind: Database.CheckpointMode) async throws {
        if keepsThread { return try checkpointHere(kind) }
        _ = try await pool.writeWithoutTransaction { try $0.checkpoint(kind) }
    }

    private func checkpointHere(_ kind: Database.CheckpointMode) throws {
        _ = try pool.writeWithoutTransaction { try $0.checkpoint(kind) }
    }

    private func readHere<Value>(_ body: (any MetadataReading) throws -> Value) throws -> Value {
        try pool.read { try body(SQLiteTransaction(database: $0)) }
    }

    private func writeHere<Value>(_ body: (any MetadataWriting) throws -> Value) throws -> Value {
        try pool.write { try body(SQLiteTransaction(database: $0)) }
    }

    package func close() throws {
        // The pool leaves the write-ahead log where it is: a backup of the database's file alone would be
        // of the past. Where there is no room for it now, the next start does it.
        if !pool.configuration.readonly { try? checkpointHere(.truncate) }
        try pool.close()
        // GRDB writes to a log of no bytes when it opens it, which it could not on a full disk.
        // SQLite takes one that is shorter than its header for an empty one.
        if !pool.configuration.readonly { try? SystemFile.fillEmpty("\(pool.path)-wal") }
    }
}

/// A database that a disk damaged, or that is none any more.
struct UnreadableDatabase: Error {
    var reason: String
}

extension UnreadableDatabase {
    /// Nil for what is wrong with something else.
    fileprivate init?(_ error: DatabaseError) {
        guard error.resultCode == .SQLITE_CORRUPT || error.resultCode == .SQLITE_NOTADB else {
            return nil
        }
        reason = error.message ?? "it is damaged"
    }

    /// Whether that is why something failed.
    static func isCause(of error: any Error) -> Bool {
        (error as? DatabaseError).flatMap { UnreadableDatabase($0) } != nil
    }
}

/// One transaction on the embedded store.
struct SQLiteTransaction: MetadataWriting {
    let database: Database

    func statement(_ sql: StaticString) throws -> Statement {
        try database.cachedStatement(sql: "\(sql)")
    }

    func hot(_ sql: StaticString) throws -> HotStatement {
        HotStatement(try statement(sql))
    }
}

extension Hash256 {
    var data: Data { withUnsafeBytes { Data($0) } }

    init(column data: Data) throws(StoreFailure) {
        guard let hash = Hash256(data) else { throw .damaged }
        self = hash
    }
}

extension FileID {
    var data: Data { Data(bytes) }

    init(column data: Data) throws(StoreFailure) {
        guard let id = FileID(data) else { throw .damaged }
        self = id
    }
}

extension UInt64 {
    /// Positions and sizes come from rows that this program wrote.
    init(column value: Int64) throws(StoreFailure) {
        guard let number = UInt64(exactly: value) else { throw .damaged }
        self = number
    }

    /// As SQLite keeps integers; what is larger is larger than everything there.
    var column: Int64 { Int64(clamping: self) }
}
