import CSQLite
import Foundation
import GRDB
import GRDBSQLite
import Testing

@testable import LockbookEngine

/// What a disk does not give is not damaged.
struct UnreadPageTests {
    private let path = FileManager.default.temporaryDirectory.path + "/unread-\(UUID()).db"

    @Test func `a page that the disk does not give is told as that, and is there when it does`()
        throws
    {
        try fill()
        defer { remove() }
        let queue = try opened()
        let error = #expect(throws: DatabaseError.self) {
            try queue.read { db in
                // Once in a transaction, SQLite does not ask whether the file changed.
                _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master")
                return try withoutReading(db) { try size(db) }
            }
        }
        let failure = LocalStore.failure(try #require(error), directory: "/notes")
        #expect(failure == .store(reason: "the database in /notes: disk I/O error"))
        #expect(try queue.inDatabase(size) == 900_000)
    }

    @Test func `a page that is not one is damaged`() throws {
        try fill()
        defer { remove() }
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.seek(toOffset: 4_096)
        try file.write(contentsOf: Data(repeating: 0xff, count: 400_000))
        try file.close()

        let queue = try opened()
        let error = #expect(throws: DatabaseError.self) { try queue.inDatabase(size) }
        let failure = LocalStore.failure(try #require(error), directory: "/notes")
        #expect(failure == .damagedStore(directory: "/notes"))
    }

    @Test func `a database that cannot be read is told from a directory that cannot be written`()
        throws
    {
        let folder = FileManager.default.temporaryDirectory.path + "/unread-\(UUID())"
        let database = LocalStore.path(in: folder)
        func told() throws -> LockbookError {
            let error = #expect(throws: DatabaseError.self) {
                _ = try LocalStore.open(database, .immediateError)
            }
            return LocalStore.failure(try #require(error), directory: folder)
        }
        let sentence = "the data directory \(folder) cannot be written"
        #expect(try told() == .store(reason: sentence, limit: .unwritable))

        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // Of what leads to itself nobody reads anything, not even who has all rights.
        try FileManager.default.createSymbolicLink(
            atPath: database,
            withDestinationPath: database
        )
        let reason = DiskFailure(database, code: ELOOP).reason
        #expect(
            try told() == .store(reason: "the database in \(folder) cannot be read: \(reason)")
        )
    }

    private func fill() throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE note (text BLOB)")
            for _ in 0..<300 {
                try db.execute(sql: "INSERT INTO note VALUES (zeroblob(3000))")
            }
        }
        try queue.close()
    }

    /// A database of which few pages are in memory.
    private func opened() throws -> DatabaseQueue {
        let queue = try DatabaseQueue(path: path)
        try queue.inDatabase { try $0.execute(sql: "PRAGMA cache_size = 10") }
        return queue
    }

    private func size(_ db: Database) throws -> Int? {
        try db.tellingUnread { try Int.fetchOne(db, sql: "SELECT sum(length(text)) FROM note") }
    }

    /// Reads a database whose pages the disk does not give, as SQLite's own files tell of EIO.
    private func withoutReading<Result>(_ db: Database, _ body: () throws -> Result) throws
        -> Result
    {
        var found: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &found)
        let file = try #require(found)
        let whole = try #require(file.pointee.pMethods)
        let failing = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        failing.initialize(to: whole.pointee)
        failing.pointee.xRead = { _, _, _, _ in ResultCode.SQLITE_IOERR_CORRUPTFS.rawValue }
        failing.pointee.xFileControl = { _, question, answer in
            guard question == SQLITE_FCNTL_LAST_ERRNO else { return SQLITE_NOTFOUND }
            answer?.storeBytes(of: EIO, as: CInt.self)
            return SQLITE_OK
        }
        file.pointee.pMethods = UnsafePointer(failing)
        defer {
            file.pointee.pMethods = whole
            failing.deallocate()
        }
        return try body()
    }

    private func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
