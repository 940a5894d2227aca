import GRDB
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// The room of what is gone for good, and how the disk has it back.
struct ShrinkTests {
    @Test func `the database becomes smaller by way of the disk, and not of memory`() async throws {
        let alice = Person("alice", on: try TestServer())
        let laptop = try await alice.firstDevice(registered: false)
        let paths = (1...20).map { "/\($0).bin" }
        for path in paths { try laptop.write(path, noise(30_000, seed: 1)) }
        let queue = laptop.lockbook.store.queue
        var statements: [String] = []
        queue.inDatabase { $0.trace { statements.append($0.description) } }
        _ = try laptop.lockbook.purge(paths.map { .path($0) })
        queue.inDatabase { $0.trace() }

        let place = try #require(statements.firstIndex(of: "VACUUM"))
        #expect(statements[..<place].last == "PRAGMA temp_store = 1")
        let (left, temporary) = try queue.inDatabase { db in
            try (
                Int.fetchOne(db, sql: "PRAGMA freelist_count"),
                Int.fetchOne(db, sql: "PRAGMA temp_store")
            )
        }
        #expect(left == 0 && temporary == 2)
        #expect(try laptop.lockbook.validate() == [])
    }
}
