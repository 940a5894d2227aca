import LockbookEngine
import LockbookTestSupport
import Testing

/// What every device of everybody is told of a share that gets another owner, or does not after all.
struct TransferTellsTests: SharingStories {
    let people: Sharers
    /// Ada's, who gives the share away.
    let laptop: Device
    let phone: Device
    /// Bob's, who takes it.
    let desk: Device
    let second: Device
    /// Carol's, who is a member.
    let tablet: Device
    let reader: Device

    /// Ada shares a folder with bob and with carol; each has two devices that have seen it.
    init() async throws {
        people = try Sharers()
        (laptop, desk, tablet) = try await people.oneDeviceEach(
            holding: ["/team/plan.md": "plan"]
        )
        phone = try await people.ada.device(named: "phone", like: laptop)
        second = try await people.bob.device(named: "second", like: desk)
        reader = try await people.carol.device(named: "reader", like: tablet)
        for device in [desk, tablet] { try await share("/team", .write, laptop, device) }
        for device in [phone, second, reader] { try await device.sync() }
    }

    /// Ada gives it to bob, who accepts it; she has not seen that yet.
    private func give() async throws {
        try await give(laptop, desk)
        try await take(desk)
        try await desk.sync()
    }

    @Test func `nothing in what is being given away can be shared by itself`() async throws {
        try laptop.write("/team/sub/deep.md", "deep")
        try await laptop.sync()
        try await phone.sync()
        _ = try laptop.lockbook.transfer(.path("/team"), to: "bob")
        let refusal = LockbookError.badShare(
            path: "/team/sub",
            reason: "/team, which it stands in, is offered to bob for good"
        )
        await #expect(throws: refusal) {
            _ = try await laptop.lockbook.share(.path("/team/sub"), with: "carol", mode: .write)
        }
        // The other device does not know of it yet: what is shared by itself keeps it from being given.
        _ = try await phone.lockbook.share(.path("/team/sub"), with: "carol", mode: .write)
        try await phone.sync()
        let report = try await laptop.sync()
        #expect(
            report.notes.compactMap { $0.kind == .notDone ? $0.detail : nil }
                == ["bob is not given it, as /team/sub, in it, is shared by itself now"]
        )
        try await desk.sync()
        #expect(try desk.lockbook.offers().isEmpty)
        #expect(
            try laptop.paths() == ["/team/", "/team/plan.md", "/team/sub/", "/team/sub/deep.md"]
        )
    }

    private func told(_ device: Device) async throws -> [String] {
        var options = SyncOptions()
        options.isDryRun = true
        let before = try await lines(device.sync(options))
        let done = try await lines(device.sync())
        #expect(Set(before).isDisjoint(with: done.filter { $0.hasPrefix("takenBack") }))
        return done
    }

    private func lines(_ report: SyncReport) -> [String] {
        report.notes.map { "\($0.kind) \($0.path) \($0.detail)" }
    }

    private func isQuiet(_ sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let devices = [laptop, phone, desk, second, tablet, reader]
        for device in devices + devices { try await device.sync() }
        for device in devices {
            #expect(try device.lockbook.validate() == [], sourceLocation: sourceLocation)
            let report = try await device.sync()
            #expect(lines(report) == [], sourceLocation: sourceLocation)
            #expect(
                report.pulled.isEmpty && report.pushed.isEmpty && report.traffic.requests == 1,
                sourceLocation: sourceLocation
            )
        }
    }

    @Test func `every device is told who has it now, and none that it was taken back`() async throws
    {
        try await give()
        for device in [laptop, phone, desk, second, tablet, reader] where device !== desk {
            #expect(try await told(device) == ["transferred /team bob"], "\(device.name)")
        }
        try await isQuiet()
    }

    @Test func `so are devices that saw the copy before the old owner let go`() async throws {
        try await give()
        for device in [second, tablet, reader] {
            #expect(try await lines(device.sync()).filter { $0.hasPrefix("takenBack") } == [])
        }
        // The phone lets go, and the laptop hears of it.
        for device in [phone, laptop, desk, second, tablet, reader] {
            #expect(try await told(device) == ["transferred /team bob"], "\(device.name)")
        }
        try await isQuiet()
    }

    @Test func `given back, both devices of both are told of each step, also of both at once`()
        async throws
    {
        try await give()
        for device in [laptop, desk] { try await device.sync() }
        #expect(try await told(second) == ["transferred /team bob"])
        _ = try desk.lockbook.transfer(.path("/team"), to: "ada")
        for device in [desk, laptop] { try await device.sync() }
        let offer = try #require(try laptop.lockbook.offers().first { $0.transfer })
        _ = try await laptop.lockbook.accept(id: offer.id)
        try await laptop.sync()
        #expect(try await told(desk) == ["transferred /team ada"])
        for device in [laptop, second, tablet, reader] {
            #expect(try await told(device) == ["transferred /team ada"], "\(device.name)")
        }
        // It has seen neither, and has the folder by its first owner still.
        #expect(try await told(phone) == ["transferred /team ada"])
        try await isQuiet()
        #expect(try await phone.text("/team/plan.md") == "plan")
    }

    @Test func `a device that is new to the account hears of nothing that was before it`()
        async throws
    {
        try await give()
        for device in [laptop, desk, tablet] { try await device.sync() }
        for (name, device) in [("ada", laptop), ("bob", desk), ("carol", tablet)] {
            let new = try await Person(name, on: people.server).device(
                named: "new",
                like: device,
                synced: false
            )
            let notes = try await lines(new.sync())
            #expect(notes.filter { !$0.hasPrefix("offered") } == [], "\(name)")
        }
    }

    @Test func `a copy of what was kept is not what is told when that is deleted later`()
        async throws
    {
        try await give()
        _ = try laptop.lockbook.cancelTransfer(.path("/team"))
        try await laptop.sync()
        let offer = try #require(try laptop.lockbook.offers().first)
        _ = try laptop.lockbook.acceptShare(id: offer.id)
        for device in [laptop, phone] { try await device.sync() }
        #expect(try phone.paths().contains("/team-1/plan.md"))
        try laptop.delete("/team")
        try await laptop.sync()
        #expect(try await told(phone) == [])
    }

    @Test func `a second device without the link hears of the new owner by the share's id`()
        async throws
    {
        try tablet.lockbook.leaveShare(.path("/team"))
        try await tablet.sync()
        try await reader.sync()
        try await give()
        try await laptop.sync()
        for device in [tablet, reader] {
            let notes = try await lines(device.sync())
            #expect(notes.contains { $0.hasPrefix("offered team bob, write") }, "\(notes)")
        }
    }

    @Test func `taken back after it was accepted, the copy is offered to every member`()
        async throws
    {
        try await give()
        // One has seen the copy already, as what it is not yet; one sees all of it at once.
        #expect(try await lines(tablet.sync()) == [])
        #expect(try tablet.lockbook.offers().isEmpty)
        _ = try laptop.lockbook.cancelTransfer(.path("/team"))
        #expect(try await lines(laptop.sync()) == ["offered team bob, admin"])
        for device in [tablet, reader] {
            #expect(try await told(device) == ["offered team bob, write"], "\(device.name)")
            #expect(try device.lockbook.offers().map(\.from) == ["bob"])
            #expect(try await device.text("/team/plan.md") == "plan")
        }
        try await isQuiet()
        let offer = try #require(try tablet.lockbook.offers().first)
        let link = try tablet.lockbook.acceptShare(id: offer.id)
        #expect(link.path == "/team-1")
        try await isQuiet()
        // Given once more, the copy of the first time stays what it is.
        _ = try laptop.lockbook.transfer(.path("/team"), to: "bob")
        try await isQuiet()
        #expect(try reader.paths().contains("/team-1/plan.md"))
        #expect(try laptop.lockbook.offers().map(\.from) == ["bob"])
    }
}
