import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// A sync that follows a server which was put back, and does not come to its end.
struct RollbackBrokenOffTests {
    let server: TestServer
    let laptop: Device

    /// What the server had lost is on the laptop alone.
    init() async throws {
        server = try TestServer()
        laptop = try await Person("alice", on: server).firstDevice()
        let backup = try server.backup()
        defer { try? FileManager.default.removeItem(atPath: backup) }
        try laptop.write("/new.md", "new\n")
        try await laptop.sync()
        try server.restore(backup)
    }

    @Test func `the one that comes through tells how far it went back, once`() async throws {
        var options = SyncOptions()
        options.acceptsRollback = true
        laptop.faults.next("/v1/push", .lost)
        nonisolated(unsafe) var unfinished: SyncReport?
        await #expect(throws: LockbookError.self) { [options] in
            _ = try await laptop.lockbook.sync(options, unfinished: { unfinished = $0 })
        }
        // Nothing was pushed again so far.
        #expect(unfinished != nil && unfinished?.rollback == nil)
        // A dry run takes nothing away.
        options.acceptsRollback = false
        options.isDryRun = true
        #expect(try await laptop.lockbook.sync(options).rollback?.files == 1)
        let report = try await laptop.sync()
        #expect(report.rollback?.files == 1)
        #expect(report.pushed == ["/new.md"])
        #expect(try await laptop.sync().rollback == nil)
    }
}
