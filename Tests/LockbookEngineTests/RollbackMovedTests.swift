import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

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
