import LockbookEngine
import LockbookTestSupport
import Testing

/// What a member writes in a share, after somebody deleted a folder around it of which he sees nothing.
struct WordsBelowDeadTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    /// - Parameter isKnown: whether the owner's device has heard of the deletion before the words come.
    @Test(arguments: [false, true])
    func `no device purges by itself what a member wrote in a folder that was deleted before`(
        isKnown: Bool
    ) async throws {
        let laptop = try await ada.firstDevice()
        for note in ["a.md", "b.md"] { try laptop.write("/all/sub/part/\(note)", note) }
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/all/sub/part", .write, laptop, desk)
        try await share("/all", .write, laptop, tablet)
        try await desk.sync()
        let phone = try await ada.device(named: "phone", like: laptop)
        try tablet.delete("/all/sub")
        try await tablet.sync()
        if isKnown {
            laptop.faults.next("/v1/push", .lost)
            await #expect(throws: LockbookError.self) { try await laptop.sync() }
        }
        try desk.write("/part/a.md", "bob's words")
        try desk.write("/part/new.md", "bob's new words")
        try desk.move("/part/b.md", to: "/part/c.md")
        try await desk.sync()
        try await laptop.sync()
        try await phone.sync()

        ada.pass(40, laptop, phone, desk, tablet)
        let written = ["/all/sub/part/a.md", "/all/sub/part/new.md"]
        for device in [laptop, phone, laptop] {
            #expect(try await device.sync().purged == [])
            #expect(try device.lockbook.conflicts().map(\.path) == written)
        }
        _ = try phone.lockbook.restore([.path("/all/sub")])
        try await phone.sync()
        try await laptop.sync()
        #expect(try await laptop.text("/all/sub/part/a.md") == "bob's words")
        #expect(try await laptop.text("/all/sub/part/new.md") == "bob's new words")
        #expect(try laptop.lockbook.conflicts() == [])
        try await converge(ada, laptop, phone)
        try await converge(bob, desk)
        try await converge(carol, tablet)
        #expect(try await desk.text("/part/new.md") == "bob's new words")
    }

    @Test func `a member who sees the folder knows what it is deleted with`() async throws {
        let laptop = try await ada.firstDevice()
        try laptop.write("/all/sub/a.md", "a")
        try await laptop.sync()
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/all", .write, laptop, tablet)
        let phone = try await ada.device(named: "phone", like: laptop)
        try tablet.delete("/all/sub")
        for device in [tablet, laptop, phone] { try await device.sync() }
        _ = try tablet.lockbook.restore([.path("/all/sub")])
        try tablet.write("/all/sub/a.md", "carol's words")
        try await tablet.sync()
        try tablet.delete("/all/sub")
        try await tablet.sync()

        for device in [laptop, phone, laptop, tablet] {
            #expect(try await device.sync().pushed == [])
            #expect(try device.lockbook.conflicts() == [])
        }
        try await converge(ada, laptop, phone)
    }

    @Test func `what the server had before its folder was deleted is deleted with that`()
        async throws
    {
        let (laptop, desk) = try await shared()
        try laptop.write("/around/other.md", "other")
        try laptop.move("/team", to: "/around/")
        try await laptop.sync()
        let phone = try await ada.device(named: "phone", like: laptop)
        try await desk.sync()
        try desk.write("/team/plan.md", "bob's words")
        try desk.write("/team/new.md", "bob's new words")
        try await desk.sync()
        try await laptop.sync()
        try laptop.delete("/around")
        try await laptop.sync()

        try await phone.sync()
        for device in [laptop, phone] { #expect(try device.lockbook.conflicts() == []) }
        ada.pass(40, laptop, phone, desk)
        #expect(try await laptop.sync().purged.contains("/around"))
        try await converge(ada, laptop, phone)
    }
}
