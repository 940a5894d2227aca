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
            guard case .rolledBack(known: 2, shown: 1, sharer: nil) = error else {
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

    /// The key was written down on one branch, and the server shows another.
    @Test(arguments: [false, true], [1, 3])
    func `a new device takes no branch that its key was not written down on`(
        isShared: Bool,
        count: Int
    ) async throws {
        let server = try TestServer()
        let alice = Person("alice", on: server)
        let laptop = try await alice.firstDevice()
        let bob = try await Person("bob", on: server).firstDevice(named: "desk")
        try laptop.write("/team/old.md", "old\n")
        try await laptop.sync()
        if isShared {
            _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .read)
            try await laptop.sync()
            try await bob.sync()
        }
        let desk = try await alice.device(named: "desk", like: laptop)
        let backup = try server.backup()
        defer { try? FileManager.default.removeItem(atPath: backup) }
        try laptop.write("/new.md", "new\n")
        try await laptop.sync()
        let key = try laptop.lockbook.compactKey()
        try server.restore(backup)
        for number in 1...count {
            try desk.write("/other-\(number).md", "other\n")
            try await desk.sync()
        }
        let phone = try await alice.device(named: "phone", by: key, synced: false)
        let error = await #expect(throws: LockbookError.self) { try await phone.sync() }
        guard case .rolledBack = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(throws: LockbookError.self) { try phone.paths() }
        try await phone.sync(accepting())
        #expect(try phone.paths().contains("/other-1.md"))
    }
}
