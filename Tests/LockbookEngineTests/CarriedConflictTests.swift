import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// A document in which something is to be decided is made anew, and that stays to be decided.
struct CarriedConflictTests: SharingStories {
    let people: Sharers

    init() throws {
        people = try Sharers()
    }

    /// Both wrote over the same word; bob has the places.
    private func conflicting() async throws -> (laptop: Device, desk: Device) {
        let (laptop, desk) = try await shared(.write, holding: ["plan.md"])
        try laptop.write("/team/plan.md", "left\n")
        try desk.write("/team/plan.md", "right\n")
        try await laptop.sync()
        try await desk.sync()
        #expect(try desk.lockbook.conflicts().map(\.path) == ["/team/plan.md"])
        return (laptop, desk)
    }

    private func expectOnly(_ path: String, on device: Device) throws {
        let conflicts = try device.lockbook.conflicts()
        #expect(conflicts.map(\.path) == [path] && conflicts.map(\.kind) == [.markers])
    }

    @Test func `by a move out of the share`() async throws {
        let (_, desk) = try await conflicting()
        _ = try desk.lockbook.move([.path("/team/plan.md")], to: "/plan.md")
        try expectOnly("/plan.md", on: desk)
        try await desk.sync()
        try expectOnly("/plan.md", on: desk)
    }

    @Test func `by a copy, until both are decided`() async throws {
        let (_, desk) = try await conflicting()
        _ = try desk.lockbook.copy([.path("/team/plan.md")], to: "/plan.md")
        #expect(try desk.lockbook.conflicts().map(\.path) == ["/plan.md", "/team/plan.md"])
        try desk.write("/plan.md", "decided\n")
        try expectOnly("/team/plan.md", on: desk)
        _ = try desk.lockbook.copy([.path("/plan.md")], to: "/again.md")
        try expectOnly("/team/plan.md", on: desk)
    }

    @Test func `by the end of the share, where words were not synced`() async throws {
        let (laptop, desk) = try await conflicting()
        let text = try await desk.text("/team/plan.md")
        try desk.write("/team/plan.md", text + "more\n")
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        let report = try await desk.sync()
        #expect(report.notes.map(\.kind).contains(.keptOwn))
        try expectOnly("/plan.md", on: desk)
        #expect(try await desk.text("/plan.md") == text + "more\n")
    }

    @Test func `by a move into another share, for all who see both`() async throws {
        let (laptop, desk) = try await conflicting()
        try laptop.write("/other/k.md", "k")
        try await laptop.sync()
        try await share("/other", .write, laptop, desk)
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share(["/team", "/other"], .write, laptop, tablet)
        #expect(try tablet.lockbook.conflicts() == [])
        _ = try desk.lockbook.move([.path("/team/plan.md")], to: "/other/plan.md")
        for device in [desk, laptop, tablet] { try await device.sync() }
        for device in [desk, laptop, tablet] { try expectOnly("/other/plan.md", on: device) }

        _ = try tablet.lockbook.resolve(.path("/other/plan.md"), keeping: .both)
        for device in [tablet, desk, laptop] { try await device.sync() }
        _ = try desk.lockbook.move([.path("/other/plan.md")], to: "/team/plan.md")
        for device in [desk, laptop, tablet] { try await device.sync() }
        for device in [desk, laptop, tablet] { #expect(try device.lockbook.conflicts() == []) }
    }

    /// Two versions of `/team/plan.json` that could not be joined.
    /// - Parameter isOnDesk: where they are to be decided, else on the laptop.
    private func unjoined(onDesk isOnDesk: Bool) async throws -> (laptop: Device, desk: Device) {
        let (laptop, desk) = try await shared(.write, holding: ["plan.json"])
        try laptop.write("/team/plan.json", "{\"a\":1}\n")
        for device in [laptop, desk] { try await device.sync() }
        let (first, second) = isOnDesk ? (laptop, desk) : (desk, laptop)
        try first.write("/team/plan.json", "{\"a\":2}\n")
        try second.write("/team/plan.json", "{\"a\":3}\n")
        for device in [first, second, first] { try await device.sync() }
        return (laptop, desk)
    }

    /// The second versions that are to be decided, and the first ones beside them.
    private func expectPairs(in folders: String..., on device: Device) throws {
        let conflicts = try device.lockbook.conflicts()
        #expect(conflicts.allSatisfy { $0.kind == .keptBoth })
        #expect(conflicts.map(\.path) == folders.map { "\($0)/plan-1.json" })
        #expect(conflicts.map { $0.other ?? "" } == folders.map { "\($0)/plan.json" })
    }

    @Test func `between two documents, with their folder, over every border`() async throws {
        let (laptop, desk) = try await unjoined(onDesk: true)
        try laptop.write("/other/k.md", "k")
        try await laptop.sync()
        try await share("/other", .write, laptop, desk)
        let pair: [FileReference] = [.path("/team/plan.json"), .path("/team/plan-1.json")]
        _ = try desk.lockbook.create(path: "/team/part/")
        _ = try desk.lockbook.move(pair, to: "/team/part/")
        try await desk.sync()
        // Out of a share, into one, from one into another one, and out again.
        let places = ["/team/part", "/part", "/team/part", "/other/part", "/part"]
        try expectPairs(in: places[0], on: desk)
        for (from, to) in zip(places, places.dropFirst()) {
            _ = try desk.lockbook.move([.path(from)], to: to)
            try expectPairs(in: to, on: desk)
            try await desk.sync()
            try expectPairs(in: to, on: desk)
        }
        _ = try desk.lockbook.copy([.path("/part")], to: "/team/part")
        _ = try desk.lockbook.copy([.path("/part")], to: "/again")
        try expectPairs(in: "/again", "/part", "/team/part", on: desk)
    }

    @Test func `between two documents that are named by themselves, but not of one alone`()
        async throws
    {
        let (_, desk) = try await unjoined(onDesk: true)
        let (first, second) = (FileReference("/team/plan.json"), FileReference("/team/plan-1.json"))
        for folder in ["/one/", "/two/", "/three/", "/four/"] {
            _ = try desk.lockbook.create(path: folder)
        }
        _ = try desk.lockbook.copy([second, first], to: "/one/")
        _ = try desk.lockbook.copy([second], to: "/two/")
        try expectPairs(in: "/one", "/team", on: desk)
        _ = try desk.lockbook.move([first, second], to: "/three/")
        try expectPairs(in: "/one", "/three", on: desk)
        try desk.delete("/three/plan.json")
        _ = try desk.lockbook.copy([.path("/three")], to: "/four/")
        _ = try desk.lockbook.resolve(.path("/one/plan-1.json"), keeping: .both)
        _ = try desk.lockbook.copy([.path("/one")], to: "/four/")
        #expect(try desk.lockbook.conflicts() == [])
    }

    /// The device that could not join them is that of the new owner, or that of the old one.
    @Test(arguments: [true, false])
    func `between two documents, by a transfer`(isOfHeir: Bool) async throws {
        let (laptop, desk) = try await unjoined(onDesk: isOfHeir)
        let (first, second) = isOfHeir ? (laptop, desk) : (desk, laptop)
        try expectPairs(in: "/team", on: second)

        try await give(laptop, desk)
        try await take(desk)
        for device in [desk, laptop, desk, laptop, desk] { try await device.sync() }
        #expect(try laptop.lockbook.shares().isEmpty)
        #expect(try desk.lockbook.shares().map(\.path) == ["/team"])
        try expectPairs(in: "/team", on: second)
        #expect(try first.lockbook.conflicts() == [])
    }

    @Test func `not by a transfer to who deleted one of two documents since`() async throws {
        let (laptop, desk) = try await unjoined(onDesk: false)
        try await give(laptop, desk)
        try await take(desk)
        try await desk.sync()
        try desk.delete("/team/plan-1.json")
        for device in [desk, laptop, desk, laptop, desk] { try await device.sync() }
        #expect(try laptop.lockbook.shares().isEmpty)
        #expect(try laptop.lockbook.conflicts() == [])
        let trash = try desk.lockbook.trash()
        let deleted = try #require(trash.first { $0.path == "/team/plan-1.json" })
        _ = try desk.lockbook.restore([.id(prefix: deleted.id)])
        for device in [desk, laptop] { try await device.sync() }
        #expect(try laptop.paths().contains("/team/plan-1.json"))
        #expect(try laptop.lockbook.conflicts() == [])
    }

    @Test func `by a copy, on every device that was there before`() async throws {
        let (laptop, phone) = try await ada.twoDevices(holding: ["a.md": "word\n"])
        try laptop.write("/a.md", "left\n")
        try phone.write("/a.md", "right\n")
        for device in [laptop, phone, laptop] { try await device.sync() }
        _ = try phone.lockbook.copy([.path("/a.md")], to: "/b.md")
        for device in [phone, laptop] { try await device.sync() }
        #expect(try laptop.lockbook.conflicts().map(\.path) == ["/a.md", "/b.md"])

        _ = try laptop.lockbook.resolve(.path("/b.md"), keeping: .local)
        for device in [laptop, phone] { try await device.sync() }
        for device in [laptop, phone] { try expectOnly("/a.md", on: device) }
        // A new device finds only the markers in what all had before.
        let desk = try await ada.device(named: "desk", like: laptop)
        #expect(try desk.lockbook.conflicts() == [])
        _ = try phone.lockbook.copy([.path("/b.md")], to: "/c.md")
        _ = try phone.lockbook.copy([.path("/a.md")], to: "/d.md")
        for device in [phone, laptop, desk] { try await device.sync() }
        #expect(try laptop.lockbook.conflicts().map(\.path) == ["/a.md", "/d.md"])
        try expectOnly("/d.md", on: desk)
    }

    @Test func `not to who is let into a share in which it was before`() async throws {
        let (laptop, desk) = try await conflicting()
        try await laptop.sync()
        _ = try laptop.lockbook.create(path: "/mine/")
        _ = try laptop.lockbook.copy([.path("/team/plan.md")], to: "/mine/plan.md")
        try await laptop.sync()
        try await share("/mine", .write, laptop, desk)
        #expect(try await desk.text("/mine/plan.md") == laptop.text("/team/plan.md"))
        try expectOnly("/team/plan.md", on: desk)
    }

    /// An import is not read a second time on every other device.
    @Test func `not in notes that come by the thousand`() async throws {
        let (laptop, phone) = try await ada.twoDevices(holding: ["k.md": "k"])
        let place = "<<<<<<< ada on phone\na\n=======\nb\n>>>>>>> ada on desk\n"
        _ = try laptop.lockbook.create(paths: (0...1_000).map { "/many/\($0).md" }) { _ in place }
        for device in [laptop, phone] { try await device.sync() }
        #expect(try phone.lockbook.conflicts() == [])
        try laptop.write("/one.md", place)
        for device in [laptop, phone] { try await device.sync() }
        try expectOnly("/one.md", on: phone)
    }
}
