import Foundation
import GRDB

@testable import LockbookServer

extension TestServer {
    /// Opens a copy of the store as one that an older program left, and this one finds.
    /// - Parameters:
    ///   - migration: the first one that the older program did not have.
    ///   - sql: takes out of the store what that put into it.
    func withStoreOfBefore<Result>(
        _ migration: String,
        _ sql: String,
        _ body: (SQLiteStore) async throws -> Result
    ) async throws -> Result {
        let copy = path + "-copy"
        defer { try? FileManager.default.removeItem(atPath: copy) }
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
        let database = try DatabaseQueue(path: copy + "/server.sqlite")
        let source = try DatabaseQueue(path: path + "/server.sqlite")
        try source.backup(to: database)
        try await database.write { database in
            try database.execute(sql: sql)
            try database.execute(
                sql: "DELETE FROM grdb_migrations WHERE identifier = ?",
                arguments: [migration]
            )
        }
        try database.close()
        let store = try SQLiteStore(path: copy + "/server.sqlite")
        let result = try await body(store)
        try store.close()
        return result
    }
}
