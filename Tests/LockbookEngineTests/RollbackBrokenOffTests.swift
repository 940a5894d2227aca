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

    private var accepting: SyncOptions {
        var options = SyncOptions()
        options.acceptsRollback = true
        return options
    }

    /// A sync that goes back, and loses its connection before anything is pushed again.
    /// - Returns: what it had to tell.
    private func breakOff() async throws -> [SyncReport] {
        laptop.faults.next("/v1/push", .lost)
        var unfinished: [SyncReport] = []
        do {
            _ = try await laptop.lockbook.sync(accepting, unfinished: { unfinished.append($0) })
            Issue.record("the push was lost")
        } catch LockbookError.offline {}
        return unfinished
    }

    @Test func `the one that comes through tells how far it went back, once`() async throws {
        var trying = SyncOptions()
        trying.isDryRun = true
        let unfinished = try await breakOff()
        // Nothing was pushed again so far.
        #expect(unfinished.count == 1 && unfinished.allSatisfy { $0.rollback == nil })
        // A dry run takes nothing away.
        #expect(try await laptop.sync(trying).rollback?.files == 1)
        let report = try await laptop.sync()
        #expect(report.rollback?.files == 1)
        #expect(report.pushed == ["/new.md"])
        #expect(try await laptop.sync().rollback == nil)
    }

    @Test func `where the server goes back once more before that, both are told as one`()
        async throws
    {
        try await laptop.sync(accepting)
        var backups: [String] = []
        defer { for path in backups { try? FileManager.default.removeItem(atPath: path) } }
        for paths in [["/both.md", "/first.md"], ["/both.md", "/second.md"]] {
            backups.append(try server.backup())
            for path in paths { try laptop.write(path, "written after \(backups.count)\n") }
            try await laptop.sync()
        }
        try server.restore(backups[1])
        _ = try await breakOff()
        try server.restore(backups[0])

        let report = try await laptop.sync(accepting)

        let rollback = try #require(report.rollback)
        #expect(rollback.files == 3)
        #expect(rollback.common.map { $0 + 2 } == rollback.known)
        #expect(rollback.shown == rollback.common)
        #expect(report.pushed.sorted() == ["/both.md", "/first.md", "/second.md"])
        // They are told once.
        backups.append(try server.backup())
        try laptop.write("/third.md", "third\n")
        try await laptop.sync()
        try server.restore(backups[2])
        #expect(try await laptop.sync(accepting).rollback?.files == 1)
    }

    /// Nothing of the log is known then, and the server knows no account.
    @Test func `killed where the server has forgotten the account, the next one tells it of that`()
        async throws
    {
        let empty = try TestServer()
        let nothing = try empty.backup()
        defer { try? FileManager.default.removeItem(atPath: nothing) }
        try server.restore(nothing)
        try laptop.refuseToForgetRegistration(true)
        await #expect(throws: LockbookError.self) { try await laptop.sync(accepting) }
        try laptop.refuseToForgetRegistration(false)
        try await laptop.sync(accepting)
        let phone = try await Person("alice", on: server).device(named: "phone", like: laptop)
        #expect(try await phone.text("/new.md") == "new\n")
        #expect(try await phone.snapshot() == laptop.snapshot())
    }
}
