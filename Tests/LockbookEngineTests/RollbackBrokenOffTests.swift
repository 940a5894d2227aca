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
        var accepting = SyncOptions()
        accepting.acceptsRollback = true
        var trying = SyncOptions()
        trying.isDryRun = true
        laptop.faults.next("/v1/push", .lost)
        var unfinished: [SyncReport] = []
        do {
            _ = try await laptop.lockbook.sync(accepting, unfinished: { unfinished.append($0) })
            Issue.record("the push was lost")
        } catch LockbookError.offline {}
        // Nothing was pushed again so far.
        #expect(unfinished.count == 1 && unfinished.allSatisfy { $0.rollback == nil })
        // A dry run takes nothing away.
        #expect(try await laptop.sync(trying).rollback?.files == 1)
        let report = try await laptop.sync()
        #expect(report.rollback?.files == 1)
        #expect(report.pushed == ["/new.md"])
        #expect(try await laptop.sync().rollback == nil)
    }
}
