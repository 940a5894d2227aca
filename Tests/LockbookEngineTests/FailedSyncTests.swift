import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What `status` tells of a sync that was refused.
struct FailedSyncTests {
    @Test func `it is told of until a sync comes through, and a dry run is none`() async throws {
        let alice = Person("alice", on: try TestServer())
        let laptop = try await alice.firstDevice()
        try await laptop.sync()
        #expect(try laptop.lockbook.status().failed == nil)

        try laptop.lockbook.noteFailedSync("the first reason")
        try laptop.lockbook.noteFailedSync("no promise was kept")
        #expect(try laptop.lockbook.status().failed?.reason == "no promise was kept")
        #expect(try laptop.lockbook.briefStatus().hasFailed)
        _ = try await laptop.dryRun()
        #expect(try laptop.lockbook.status().failed != nil)

        try await laptop.sync()
        #expect(try laptop.lockbook.status().failed == nil)
        #expect(try !laptop.lockbook.briefStatus().hasFailed)
    }
}
