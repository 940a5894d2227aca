import LockbookEngine
import LockbookTestSupport
import Testing

/// What was done before others were let in or out is taken back after it, too.
struct UndoSharedTests: SharingStories {
    let people: Sharers

    init() throws {
        people = try Sharers()
    }

    @Test func `a command is taken back however often keys were changed since`() async throws {
        let (laptop, desk) = try await shared(holding: ["plan.md", "list.md"])
        try laptop.write("/team/plan.md", "by ada")
        _ = try laptop.lockbook.delete([FileReference("/team/list.md")])
        let made = try laptop.lockbook.commands(telling: 9).prefix(2)
        try await laptop.sync()
        try await desk.sync()
        try desk.write("/team/more.md", "by bob")
        try await desk.sync()
        try await laptop.sync()
        // Each time carol is let out, all that is shared has new keys.
        let carols = try await carol.firstDevice(named: "tablet")
        for _ in 0..<3 {
            try await share("/team", .read, laptop, carols)
            try laptop.lockbook.setShare(.path("/team"), of: "carol", to: nil)
            try await laptop.sync()
            try await carols.sync()
        }
        try await desk.sync()

        let commands = try laptop.lockbook.commands(telling: 9)
        for command in made { #expect(commands.contains(command)) }
        for command in made { _ = try laptop.lockbook.undo(command.number) }
        #expect(try await laptop.text("/team/plan.md") == "plan.md")
        #expect(try await laptop.text("/team/list.md") == "list.md")

        #expect(try desk.lockbook.commands().first?.changes.first?.path == "/team/more.md")
        _ = try desk.lockbook.undo()
        try await desk.sync()
        try await laptop.sync()
        #expect(try !laptop.paths().contains("/team/more.md"))
    }

    @Test func `the last command is known over all trees, also when the clock went back`()
        async throws
    {
        let (_, desk) = try await shared(holding: ["plan.md"])
        for path in ["/1.md", "/team/2.md", "/3.md", "/team/4.md"] {
            try desk.write(path, path)
            desk.clock.pass(days: -2)
        }
        _ = try desk.lockbook.move([.path("/1.md")], to: "/team/")
        desk.clock.pass(days: -2)
        try desk.write("/5.md", "")

        let told = try desk.lockbook.commands().prefix(6).map { $0.changes.first?.path }
        #expect(told == ["/5.md", "/1.md", "/team/4.md", "/3.md", "/team/2.md", "/1.md"])
        #expect(try desk.lockbook.undo().changes.map(\.path) == ["/5.md"])
    }

    @Test func `what was decided of a share is refused, and nothing older taken back`() async throws
    {
        let (laptop, _) = try await shared()
        try laptop.write("/last.md", "last")
        let last = try #require(try laptop.lockbook.commands().first).number
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: .read)
        let reason = "it was about a share, which commands of `share` take back"
        #expect(throws: LockbookError.cannotUndo(reason: reason)) { try laptop.lockbook.undo() }
        #expect(try await laptop.text("/last.md") == "last")
        // By its number the one before it can be.
        _ = try laptop.lockbook.undo(last)
        #expect(try laptop.paths() == ["/team/", "/team/plan.md"])
    }

    @Test func `a move into a share is told in both trees`() async throws {
        let (_, desk) = try await shared()
        try desk.write("/1.md", "one")
        try desk.write("/2.md", "two")
        _ = try desk.lockbook.move([.path("/1.md"), .path("/2.md")], to: "/team/")
        let told = try #require(try desk.lockbook.commands(telling: 1).first)
        #expect(told.files == 4)
        #expect(told.changes.map(\.change) == [.deleted, .made])
        #expect(told.changes.map { $0.path.hasPrefix("/team/") } == [false, true])
    }

    @Test func `what came out of a folder that is not shared any more is told where it is`()
        async throws
    {
        let (laptop, desk) = try await shared(holding: ["plan.md", "part/a.md"])
        try desk.write("/team/new.md", "new")
        try desk.move("/team/new.md", to: "/team/part/")
        try await desk.sync()
        try await laptop.sync()
        _ = try await laptop.lockbook.share(.path("/team/part"), with: "bob", mode: .write)
        try await laptop.sync()
        try await desk.sync()
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        try await desk.sync()
        let offer = try #require(try desk.lockbook.offers().first)
        _ = try desk.lockbook.acceptShare(id: offer.id)
        let told = try desk.lockbook.commands().dropFirst().prefix(2).map { $0.changes.first }
        #expect(told.map { $0?.path } == ["/part/new.md", "/part/new.md"])
        #expect(told.map { $0?.from } == [nil, nil])
    }

    @Test func `what is not shared any more is told as that, and not as deleted for good`()
        async throws
    {
        let (laptop, desk) = try await shared(holding: ["plan.md", "list.md"])
        try desk.write("/team/list.md", "by bob")
        try desk.write("/team/plan.md", "by bob")
        try await desk.sync()
        try await laptop.sync()
        let purged = try #require(try desk.lockbook.commands().dropFirst().first?.number)
        _ = try laptop.lockbook.purge([FileReference("/team/list.md")])
        try await laptop.sync()
        try await desk.sync()
        let either =
            "something that it changed was deleted for good, or is not shared with you any more"
        #expect(throws: LockbookError.cannotUndo(reason: either)) {
            try desk.lockbook.undo(purged, of: "ada")
        }

        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        try await desk.sync()
        #expect(try desk.lockbook.commands().prefix(2).map(\.obstacle) == [.unshared, .purged])
        let reason = "something that it changed is not shared with you any more"
        #expect(throws: LockbookError.cannotUndo(reason: reason)) { try desk.lockbook.undo() }
    }

    private func invite(_ laptop: Device) async throws {
        let week: Int64 = 7 * 86_400_000
        _ = try await laptop.lockbook.invite(.path("/team"), mode: .read, lasting: week)
    }

    @Test func `an invitation that the server did not take hides no command`() async throws {
        let (laptop, _) = try await shared()
        try laptop.write("/last.md", "last")
        let before = try laptop.lockbook.commands()
        laptop.faults.next("/v1/invite", .lost)
        await #expect(throws: LockbookError.offline(server: "test", reason: "lost")) {
            try await invite(laptop)
        }
        #expect(try laptop.lockbook.commands() == before)
        #expect(try laptop.lockbook.status().invitations == nil)
        try await invite(laptop)
        #expect(try laptop.lockbook.commands().first?.obstacle == .shared)
        #expect(try laptop.lockbook.commands().count == before.count + 1)
    }
}
