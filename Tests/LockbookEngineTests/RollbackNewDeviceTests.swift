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

    /// Brings the account to a device that has it, which asks nobody.
    private func importAgain(_ key: String, on device: Device) async throws {
        _ = try await Lockbook.importAccount(
            key: key,
            server: try ServerAddress("http://127.0.0.1:7654"),
            directory: device.directory,
            environment: .system
        )
    }

    @Test func `a key of another branch is told on a device that has the account`() async throws {
        let server = try TestServer()
        let (laptop, desk) = try await Person("alice", on: server)
            .twoDevices(holding: ["/old.md": "old\n"])
        let early = try laptop.lockbook.compactKey()
        let backup = try server.backup()
        defer { try? FileManager.default.removeItem(atPath: backup) }
        try laptop.write("/new.md", "new\n")
        try await laptop.sync()
        let key = try laptop.lockbook.compactKey()
        // What is not known yet contradicts nothing.
        try desk.lockbook.checkKey(key)
        try server.restore(backup)
        try desk.write("/other.md", "other\n")
        try await desk.sync()

        #expect(throws: LockbookError.forked(position: 2)) { try desk.lockbook.checkKey(key) }
        await #expect(throws: LockbookError.forked(position: 2)) {
            try await importAgain(key, on: desk)
        }
        let own = try desk.lockbook.compactKey()
        for fine in [early, own] {
            try desk.lockbook.checkKey(fine)
            try await importAgain(fine, on: desk)
        }
        try desk.lockbook.checkKey(laptop.lockbook.recoveryPhrase().joined(separator: " "))
        try await desk.sync()
    }

    @Test func `the next sync looks for what a key knows more than the device that it came to`()
        async throws
    {
        let server = try TestServer()
        let (laptop, desk) = try await Person("alice", on: server)
            .twoDevices(holding: ["/old.md": "old\n"])
        let backup = try server.backup()
        defer { try? FileManager.default.removeItem(atPath: backup) }
        try laptop.write("/new.md", "new\n")
        try await laptop.sync()
        let key = try laptop.lockbook.compactKey()
        try await importAgain(key, on: desk)
        try await importAgain(key, on: desk)
        // Words know nothing, and take nothing back.
        try await importAgain(
            laptop.lockbook.recoveryPhrase().joined(separator: " "),
            on: desk
        )
        try server.restore(backup)
        await #expect(throws: LockbookError.rolledBack(known: 2, shown: 1)) {
            try await desk.sync()
        }
        try await desk.sync(accepting())
        try await laptop.sync(accepting())
        try await desk.sync()
        #expect(try desk.paths() == ["/new.md", "/old.md"])
    }
}
