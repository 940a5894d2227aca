import Foundation
import GRDB
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// A server that was restored from a backup, and shares that moved since.
struct RollbackMovedTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    @Test(arguments: ["in", "out"])
    func `a share that moved since the backup moves again`(direction: String) async throws {
        let laptop = try await ada.firstDevice()
        try laptop.write("/team/plan.md", "plan")
        try laptop.write("/sub/note.md", "note")
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/team", .write, laptop, desk)
        try await share("/sub", .write, laptop, tablet)
        let devices = [laptop, desk, tablet]
        func syncAll(_ options: SyncOptions = SyncOptions()) async throws {
            for device in devices { try await device.sync(options) }
        }
        if direction == "out" {
            try laptop.move("/sub", to: "/team/")
            try await syncAll()
        }
        let backup = try people.server.backup()
        defer { try? FileManager.default.removeItem(atPath: backup) }
        try laptop.move(
            direction == "in" ? "/sub" : "/team/sub",
            to: direction == "in" ? "/team/" : "/"
        )
        try await syncAll()
        try tablet.write("/sub/note.md", "note by carol")
        try await tablet.sync()
        try await syncAll()
        try people.server.restore(backup)

        var options = SyncOptions()
        options.acceptsRollback = true
        try await syncAll(options)
        try await syncAll()
        for (device, path) in [
            (laptop, direction == "in" ? "/team/sub" : "/sub"), (tablet, "/sub"),
        ] { #expect(try await device.text(path + "/note.md") == "note by carol") }
        #expect(try desk.paths().contains("/team/sub/note.md") == (direction == "in"))
        try await converge(ada, laptop)
        try await converge(bob, desk)
        try await converge(carol, tablet)
    }
}

/// The same moves, each of which gives new keys, made on two devices of the owner.
extension RollbackMovedTests {
    private func accept(_ devices: Device...) async throws {
        var options = SyncOptions()
        options.acceptsRollback = true
        for device in devices { try await device.sync(options) }
    }

    @Test func `a member follows new keys of what he had seen leave before the server went back`()
        async throws
    {
        let laptop = try await ada.firstDevice()
        try laptop.write("/box/in/note.md", "note")
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/box/in", .write, laptop, tablet)
        try await share("/box", .read, laptop, desk)
        let phone = try await ada.device(named: "phone", like: laptop)
        let backup = try people.server.backup()
        defer { try? FileManager.default.removeItem(atPath: backup) }
        try phone.move("/box/in", to: "/")
        try await phone.sync()
        try await desk.sync()
        try laptop.lockbook.setShare(.path("/box/in"), of: "carol", to: nil)
        try people.server.restore(backup)

        try await accept(laptop, phone, tablet, desk)
        try await laptop.sync()
        try await converge(ada, laptop, phone)
        try await converge(bob, desk)
        try await converge(carol, tablet)
        #expect(try laptop.paths().contains("/in/note.md"))
        #expect(try desk.paths() == ["/box"])
    }
}

/// A member who wrote in something that left a share, which was taken back from him since the backup.
extension RollbackMovedTests {
    @Test(arguments: [false, true], [false, true])
    func `words in what left a share that was taken back are kept`(
        synced: Bool,
        knowsKeysOfThen: Bool
    ) async throws {
        let laptop = try await ada.firstDevice()
        try laptop.write("/proj/a.md", "a\n")
        try laptop.write("/proj/in/b.md", "b\n")
        try await laptop.sync()
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/proj", .write, laptop, tablet)
        func syncBoth() async throws {
            for device in [laptop, tablet] { try await device.sync() }
        }
        let backup = try people.server.backup()
        defer { try? FileManager.default.removeItem(atPath: backup) }
        _ = try await laptop.lockbook.share(.path("/proj/in"), with: "carol", mode: .write)
        try await syncBoth()
        try laptop.lockbook.setShare(.path("/proj"), of: "carol", to: nil)
        try await syncBoth()
        try laptop.move("/proj/in", to: "/")
        try await syncBoth()
        let offer = try #require(try tablet.lockbook.offers().first)
        _ = try tablet.lockbook.acceptShare(id: offer.id)
        try await tablet.sync()
        try tablet.write("/in/new.md", "new")
        try tablet.write("/in/b.md", "b\nedited\n")
        if synced {
            try await tablet.sync()
            try await syncBoth()
        }
        if !knowsKeysOfThen { try forgetFirstKeys(of: laptop, at: tablet) }
        try people.server.restore(backup)

        // By then the folder around it is not to be seen any more.
        try await accept(laptop, tablet)
        try await converge(carol, tablet)
        try await converge(ada, laptop)
        for device in [laptop, tablet] {
            #expect(try await device.text("/in/new.md") == "new")
            #expect(try await device.text("/in/b.md") == "b\nedited\n")
        }
    }

    /// Takes the keys of the first epoch from what a member's device knows of an owner's shares.
    private func forgetFirstKeys(of owner: Device, at device: Device) throws {
        let account = owner.lockbook.store.context.owner
        let other = try #require(try device.lockbook.shared(by: account))
        try other.store.write { tree in
            try tree.db.execute(sql: "DELETE FROM share_wrap WHERE epoch = 1")
        }
    }
}
