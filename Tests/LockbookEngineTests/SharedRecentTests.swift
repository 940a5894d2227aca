import LockbookEngine
import LockbookTestSupport
import Testing

/// Documents that others share, among those that were changed last.
struct SharedRecentTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    @Test func `a document that is shared by itself is among those that were changed last`()
        async throws
    {
        let laptop = try await ada.firstDevice()
        try laptop.write("/list.md", "list")
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        try await share("/list.md", .write, laptop, desk)
        desk.clock.pass(days: 1)
        try desk.write("/own.md", "own")
        #expect(try desk.lockbook.recent(9).map(\.path) == ["/own.md", "/list.md"])
        laptop.clock.pass(days: 2)
        try laptop.write("/list.md", "a longer list")
        try await laptop.sync()
        try await desk.sync()
        let newest = try #require(try desk.lockbook.recent(1).first)
        #expect(newest.path == "/list.md" && newest.name == "list.md")
        #expect(newest.type == .document && newest.size == 13)
        #expect(try desk.lockbook.recent(9, since: newest.modified).map(\.path) == ["/list.md"])
    }

    @Test func `one that is behind another link as well is there once`() async throws {
        let laptop = try await ada.firstDevice()
        try laptop.write("/team/plan.md", "plan")
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        try await share("/team/plan.md", .read, laptop, desk)
        try await share("/team", .read, laptop, desk)
        #expect(
            try desk.lockbook.list(.path("/"), recursive: true).map(\.path)
                == ["/plan.md", "/team", "/team/plan.md"]
        )
        #expect(try desk.lockbook.recent(9).map(\.path) == ["/team/plan.md"])
    }
}
