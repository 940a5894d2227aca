import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// A server that was restored from a backup, and of which another device has signed a checkpoint since.
///
/// That says nothing of the time at which the log of the backup ends: what a device agreed upon by then
/// is what its changes are of.
@Suite struct RollbackCheckpointTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    /// - Parameter isBefore: whether there is an earlier checkpoint, too.
    private func devices(isBefore: Bool = false) async throws -> (laptop: Device, phone: Device) {
        let (laptop, phone) = try await ada.twoDevices(holding: [
            "/text.md": "one\ntwo\n", "/deleted.md": "d", "/purged.md": "p", "/moved.md": "m",
            "/renamed.md": "r", "/f/": "",
        ])
        if isBefore {
            try await sign(phone, "/early.md")
            try await laptop.sync()
        }
        return (laptop, phone)
    }

    private func losing(_ change: () async throws -> Void) async throws {
        let backup = try people.server.backup()
        defer { try? FileManager.default.removeItem(atPath: backup) }
        try await change()
        try people.server.restore(backup)
    }

    /// Pushes a note, and a checkpoint after it.
    private func sign(_ device: Device, _ path: String) async throws {
        let signing = try device.again(signingAfter: 1)
        try signing.write(path, "signed")
        try await signing.sync()
    }

    @discardableResult
    private func accept(_ device: Device) async throws -> SyncReport {
        var options = SyncOptions()
        options.acceptsRollback = true
        return try await device.sync(options)
    }

    private func change(_ laptop: Device) async throws {
        try laptop.write("/text.md", "one\ntwo\nthree\n")
        try laptop.delete("/deleted.md")
        _ = try laptop.lockbook.purge([.path("/purged.md")])
        try laptop.move("/moved.md", to: "/f/")
        _ = try laptop.lockbook.rename(.path("/renamed.md"), to: "name.md")
        try await laptop.sync()
    }

    @Test(arguments: [false, true])
    func `what the server lost is pushed again as it is here`(isBefore: Bool) async throws {
        let (laptop, phone) = try await devices(isBefore: isBefore)
        try await losing { try await change(laptop) }
        try await sign(phone, "/new.md")

        let report = try await accept(laptop)
        #expect(report.notes == [])
        #expect(report.rollback?.common != nil)
        try await phone.sync()
        let early = isBefore ? ["/early.md"] : []
        let paths = (early + ["/f/", "/f/moved.md", "/name.md", "/new.md", "/text.md"]).sorted()
        for device in [laptop, phone] {
            #expect(try device.paths().sorted() == paths, "\(device.name)")
            #expect(try await device.text("/text.md") == "one\ntwo\nthree\n")
            #expect(try device.lockbook.conflicts().isEmpty)
            #expect(try device.lockbook.trash().map(\.path) == ["/deleted.md"])
            #expect(try device.lockbook.validate() == [])
        }
        let fresh = try await ada.device(named: "fresh", like: laptop)
        #expect(try await fresh.snapshot() == laptop.snapshot())
    }

    /// What came before the checkpoint is gone at the server: of that time it shows nothing.
    @Test func `what is left is a checkpoint, and nothing but what was purged comes back`()
        async throws
    {
        let (laptop, phone) = try await devices()
        try await losing { try await change(laptop) }
        try await sign(phone, "/new.md")
        try await people.server.collect(afterDays: 91)

        try await accept(laptop)
        try await phone.sync()
        try await laptop.sync()
        let paths = ["/f/", "/f/moved.md", "/name.md", "/new.md", "/purged.md", "/text.md"]
        for device in [laptop, phone] {
            #expect(try device.paths().sorted() == paths, "\(device.name)")
            #expect(try await device.text("/text.md") == "one\ntwo\nthree\n")
            #expect(try device.lockbook.validate() == [])
        }
        let fresh = try await ada.device(named: "fresh", like: laptop)
        #expect(try await fresh.snapshot() == laptop.snapshot())
    }

    @Test(arguments: [false, true])
    func `what was moved out of a share stays out, and so do later words`(isCollected: Bool)
        async throws
    {
        let laptop = try await ada.firstDevice()
        let desk = try await bob.firstDevice(named: "desk")
        try laptop.write("/team/plan.md", "plan")
        try laptop.write("/team/list.md", "list")
        try await laptop.sync()
        try await share("/team", .read, laptop, desk)
        let phone = try await ada.device(named: "phone", like: laptop)
        try await losing {
            try laptop.move("/team/plan.md", to: "/private.md")
            try await laptop.sync()
            try laptop.write("/private.md", "plan and secret")
            try await laptop.sync()
        }
        try await sign(phone, "/new.md")
        if isCollected { try await people.server.collect(afterDays: 91) }

        try await accept(laptop)
        try await desk.sync()
        #expect(try desk.paths() == ["/team", "/team/list.md"])
        try await phone.sync()
        for device in [laptop, phone] {
            #expect(try await device.text("/private.md") == "plan and secret", "\(device.name)")
            #expect(try device.lockbook.validate() == [])
        }
    }
}
