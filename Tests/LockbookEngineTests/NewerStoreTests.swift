import GRDB
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// A database that a newer program changes while this one has it open.
struct NewerStoreTests {
    @Test func `is neither read nor written any more`() async throws {
        let laptop = try await Person("ada", on: try TestServer()).firstDevice()
        try laptop.write("/a.md", "one")
        let store = laptop.lockbook.store
        // As another process does.
        let newer = try DatabaseQueue(path: LocalStore.path(in: store.directory))
        try newer.inDatabase { db in
            try db.execute(sql: "PRAGMA user_version = \(LocalStore.version + 1)")
        }

        let needed = LockbookError.updateNeeded(what: "the data directory \(store.directory)")
        #expect(throws: needed) { try laptop.write("/a.md", "two") }
        #expect(throws: needed) { try laptop.lockbook.conflicts() }
        let version = try newer.inDatabase { try Int.fetchOne($0, sql: "PRAGMA user_version") }
        #expect(version == LocalStore.version + 1)
        try newer.close()
    }
}
