import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// A device that was never there, with a key that knows more than a restored server.
@Suite struct RollbackNewDeviceTests {
    private func accepting(dryRun: Bool = false) -> SyncOptions {
        var options = SyncOptions()
        options.acceptsRollback = true
        options.isDryRun = dryRun
        return options
    }

    @Test func `what an older server shows is not taken in until the user says so`() async throws {
        let server = try TestServer()
        let alice = Person("alice", on: server)
        let laptop = try await alice.firstDevice()
        try laptop.write("/old.md", "old\n")
        try await laptop.sync()
        let backup = try server.backup()
        defer { try? FileManager.default.removeItem(atPath: backup) }
        try laptop.write("/new.md", "new\n")
        try await laptop.sync()
        let phone = try await alice.device(named: "phone", like: laptop, synced: false)
        try server.restore(backup)

        for _ in 0..<2 {
            let error = await #expect(throws: LockbookError.self) { try await phone.sync() }
            guard case .rolledBack(known: 2, shown: 1) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(throws: LockbookError.self) { try phone.paths() }
            _ = try await phone.sync(accepting(dryRun: true))
        }
        try await phone.sync(accepting())
        #expect(try phone.paths() == ["/old.md"])
        try await phone.sync()
        try await laptop.sync(accepting())
        try await converge(alice, laptop, phone)
        #expect(try phone.paths() == ["/new.md", "/old.md"])
    }
}
