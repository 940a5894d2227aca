import LockbookEngine
import LockbookTestSupport
import Testing

/// What an owner moves out of a share: whatever is done elsewhere meanwhile, no merge takes it back to
/// those from whom it was taken.
struct DepartureMergeTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    /// Ada's laptop with `/team`, which bob's desk has too, and her phone; both hers have `/old`.
    private func withFolder() async throws -> (laptop: Device, phone: Device, desk: Device) {
        let (laptop, desk) = try await shared(holding: ["plan.md", "deep/note.md"])
        _ = try laptop.lockbook.create(path: "/old/")
        try await laptop.sync()
        return (laptop, try await ada.device(named: "phone", like: laptop), desk)
    }

    @Test(arguments: [true, false])
    func `it goes to the trash with its folder, whichever device syncs first`(isMovedFirst: Bool)
        async throws
    {
        let (laptop, phone, desk) = try await withFolder()
        try laptop.move("/team/plan.md", to: "/old/")
        try laptop.move("/team/deep", to: "/old/")
        try laptop.write("/old/plan.md", "not for bob")
        try laptop.write("/old/deep/note.md", "nor this")
        try phone.delete("/old")
        let (first, second) = isMovedFirst ? (laptop, phone) : (phone, laptop)
        try await first.sync()

        let report = try await second.sync()
        #expect(Set(report.notes.map(\.kind)) == [.trashed])
        try await first.sync()
        try await desk.sync()
        #expect(try desk.paths() == ["/team"])
        #expect(try laptop.paths() == ["/team/"])
        _ = try laptop.lockbook.restore([.path("/old")])
        #expect(try await laptop.text("/old/plan.md") == "not for bob")
        #expect(try await laptop.text("/old/deep/note.md") == "nor this")
        try await converge(ada, laptop, phone)
        try await converge(bob, desk)
        #expect(try desk.paths() == ["/team"])
    }

    @Test func `it is in the root when the folder was purged`() async throws {
        let (laptop, phone, desk) = try await withFolder()
        try laptop.move("/team/plan.md", to: "/old/")
        try laptop.write("/old/plan.md", "not for bob")
        _ = try phone.lockbook.purge([.path("/old")])
        try await phone.sync()

        let report = try await laptop.sync()
        #expect(report.notes.map { "\($0.kind) \($0.path)" } == ["moveUndone /plan.md"])
        #expect(try await laptop.text("/plan.md") == "not for bob")
        try await desk.sync()
        #expect(try desk.paths() == ["/team", "/team/deep/", "/team/deep/note.md"])
        try await converge(ada, laptop, phone)
        try await converge(bob, desk)
    }

    /// Bob would read what ada wrote in it since.
    @Test func `it stays out of it, too, when a member moved it within the share before`()
        async throws
    {
        let (laptop, phone, desk) = try await withFolder()
        try desk.move("/team/plan.md", to: "/team/deep/")
        try desk.write("/team/deep/note.md", "bob's")
        try await desk.sync()
        try laptop.move("/team/plan.md", to: "/old/")
        try laptop.write("/old/plan.md", "not for bob")

        #expect(try await laptop.syncAsForetold().notes == [])
        #expect(try await laptop.text("/old/plan.md") == "not for bob")
        #expect(try await desk.sync().left == ["/team/deep/plan.md"])
        try await converge(ada, laptop, phone)
        try await converge(bob, desk)
        #expect(try desk.paths() == ["/team", "/team/deep/", "/team/deep/note.md"])
    }

    /// It was out of the share when the member deleted it there, so his deletion is never taken; what
    /// he is told is that it left.
    @Test func `what a member deleted after it had left is back when its owner moves it back`()
        async throws
    {
        let (laptop, phone, desk) = try await withFolder()
        try desk.delete("/team/plan.md")
        try laptop.move("/team/plan.md", to: "/old/")
        try await laptop.sync()
        #expect(try await desk.sync().left == ["/team/plan.md"])
        try phone.delete("/old")
        try await phone.sync()
        try await desk.sync()
        #expect(try desk.paths() == ["/team", "/team/deep/", "/team/deep/note.md"])

        try await laptop.sync()
        _ = try laptop.lockbook.restore([.path("/old")])
        try laptop.move("/old/plan.md", to: "/team/")
        try await laptop.sync()
        try await desk.sync()
        #expect(try await desk.text("/team/plan.md") == "plan.md")
        try await converge(ada, laptop, phone)
        try await converge(bob, desk)
    }

    /// Only its owner takes something out of one share into another, or back: a dry run once foretold
    /// that the words would be pushed, which no server takes in a deleted folder.
    @Test func `what it takes along into a folder that a member deleted is foretold`()
        async throws
    {
        let laptop = try await ada.firstDevice()
        try laptop.write("/team/part/deep/list.md", "list")
        _ = try laptop.lockbook.create(path: "/team/old/")
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/team/part/deep/list.md", .write, laptop, desk)
        try await share("/team", .write, laptop, desk)
        try await share("/team/part", .write, laptop, tablet)
        try await desk.sync()
        try desk.write("/list.md", "bob's own words")
        try desk.delete("/team/old")
        try laptop.move("/team/part/deep", to: "/team/old/")
        try await laptop.sync()

        let report = try await desk.syncAsForetold()
        let kept = try #require(report.notes.first { $0.kind == .keptOwn })
        #expect(report.notes.allSatisfy { ![.notPushed, .moveUndone].contains($0.kind) })
        #expect(try await desk.text(kept.path) == "bob's own words")
        try await laptop.sync()
        _ = try laptop.lockbook.restore([.path("/team/old")])
        try await converge(ada, laptop)
        try await converge(bob, desk)
        #expect(try await desk.text("/list.md") == "list")
    }
}
