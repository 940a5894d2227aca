import GRDB
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// A dry run is of a copy, which has to be able to read the database.
struct DryRunWithoutRoomTests {
    @Test func `where the database is opened alone a dry run does not wait for itself`()
        async throws
    {
        let laptop = try await Person("alice", on: TestServer()).firstDevice()
        let store = laptop.lockbook.store
        // As on a full disk, which has no room for the file that processes share.
        try store.queue.inDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }

        #expect(throws: LockbookError.noSpace(for: laptop.directory)) { try store.rehearsal() }
    }
}
