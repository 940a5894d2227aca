import Foundation
import GRDB
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

    @Test(arguments: ["-wal", "-shm"])
    func `what stands beside a database and cannot be read is named`(ending: String) throws {
        let folder = try Place()
        let database = folder.url.path + "/" + LocalStore.fileName
        #expect(FileManager.default.createFile(atPath: database, contents: nil))
        // Root may read whatever has a mode; what leads to itself nobody can.
        #expect(symlink(database + ending, database + ending) == 0)
        let told = LocalStore.failure(
            DatabaseError(resultCode: .SQLITE_CANTOPEN),
            directory: folder.url.path
        )
        guard case .store(let reason, _) = told else {
            Issue.record("\(told)")
            return
        }
        #expect(reason.hasPrefix("\(database)\(ending), a part of the database, cannot be read: "))
    }
}
