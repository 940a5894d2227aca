import Glibc
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// A database that was read-only for a while: SQLite gives what it makes beside one the same mode.
struct StoreModesTests {
    @Test func `what stands beside a database can be written again when that can`() async throws {
        let laptop = try await Person("alice", on: TestServer()).firstDevice()
        try laptop.write("/a.md", "a")
        let database = laptop.directory + "/" + LocalStore.fileName
        for ending in ["-wal", "-shm"] {
            #expect(chmod(database + ending, 0o400) == 0)
        }
        let again = try laptop.again()
        for ending in ["-wal", "-shm"] {
            #expect(try Disk.status(database + ending).st_mode & 0o777 == 0o600)
        }
        try again.write("/b.md", "b")
        #expect(try await laptop.text("/b.md") == "b")
    }
}
