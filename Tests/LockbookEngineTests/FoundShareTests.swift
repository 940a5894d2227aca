import LockbookEngine
import LockbookTestSupport
import Testing

/// What the simulator found about shares, each as the shortest story that shows it.
struct FoundShareTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    @Test func `a folder that moved into a share is pushed although the share is deleted then`()
        async throws
    {
        let (laptop, desk) = try await shared()
        try laptop.write("/more/x.md", "x")
        try await laptop.sync()
        try laptop.move("/more", to: "/team/")
        try laptop.delete("/team")

        try await converge(ada, laptop)
        try await converge(bob, desk)
    }

    @Test func `what another device makes in a folder that moves into a share is shared with it`()
        async throws
    {
        let (laptop, desk) = try await shared()
        try laptop.write("/more/x.md", "x")
        try await laptop.sync()
        let phone = try await ada.device(named: "phone", like: laptop)
        try phone.write("/more/deep/y.md", "y")
        try await phone.sync()
        try laptop.move("/more", to: "/team/")

        try await converge(ada, laptop, phone)
        try await desk.sync()
        #expect(try await desk.text("/team/more/deep/y.md") == "y")
        #expect(try await desk.text("/team/more/x.md") == "x")
    }

    @Test func `what is made in a share that another device purges is pushed`() async throws {
        let (laptop, desk) = try await shared()
        let phone = try await ada.device(named: "phone", like: laptop)
        _ = try phone.lockbook.purge([.path("/team")])
        try await phone.sync()
        _ = try laptop.lockbook.create(path: "/team/a/b/")
        try laptop.write("/team/a/b/new.md", "new")

        try await converge(ada, laptop, phone)
        try await converge(bob, desk)
    }

    @Test(arguments: [false, true])
    func `what moved out of a share is seen when it is shared by itself`(isSyncedBetween: Bool)
        async throws
    {
        let (laptop, desk) = try await shared(holding: ["plan.md", "deep/note.md"])
        try laptop.move("/team/deep", to: "/")
        if isSyncedBetween { try await laptop.sync() }
        try await share("/deep", .read, laptop, desk)

        #expect(try await desk.text("/deep/note.md") == "deep/note.md")
        let fresh = try await bob.device(named: "fresh", like: desk)
        #expect(try await fresh.text("/deep/note.md") == "deep/note.md")
        try await converge(ada, laptop)
    }

    @Test func `a share moves into a folder that has just moved out of it`() async throws {
        let (laptop, desk) = try await shared(holding: ["plan.md", "deep/note.md"])
        try laptop.move("/team/deep", to: "/")
        try laptop.move("/team", to: "/deep/")

        try await converge(ada, laptop)
        try await desk.sync()
        #expect(try await desk.text("/team/plan.md") == "plan.md")
        #expect(try desk.paths() == ["/team", "/team/plan.md"])
    }

    @Test func `a document and its folder leave a share to two places at once`() async throws {
        let (laptop, desk) = try await shared(holding: ["plan.md", "deep/note.md", "deep/a.md"])
        _ = try laptop.lockbook.create(path: "/other/")
        try await laptop.sync()
        try laptop.move("/team/deep/note.md", to: "/")
        try laptop.move("/team/deep", to: "/other/")

        try await converge(ada, laptop)
        try await desk.sync()
        #expect(try desk.paths() == ["/team", "/team/plan.md"])
        #expect(try laptop.paths().contains("/other/deep/a.md"))
        try await converge(bob, desk)
    }

    @Test func `a second copy of what has had several keys is pushed`() async throws {
        let (laptop, desk) = try await shared(holding: ["data.bin"])
        let phone = try await ada.device(named: "phone", like: laptop)
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        try await phone.sync()
        // What is no text is kept twice.
        try laptop.write("/team/data.bin", "\0 on the laptop")
        try phone.write("/team/data.bin", "\0 on the phone")

        try await converge(ada, laptop, phone)
        #expect(
            try laptop.paths() == ["/team/", "/team/data-1.bin", "/team/data.bin"]
        )
        try await converge(bob, desk)
    }

    @Test func `a share stays in a folder that another device shares`() async throws {
        let (laptop, desk) = try await shared()
        try laptop.write("/other/a.md", "a")
        try await laptop.sync()
        let phone = try await ada.device(named: "phone", like: laptop)
        try laptop.move("/team", to: "/other/")
        _ = try await phone.lockbook.share(.path("/other"), with: "bob", mode: .read)
        try await phone.sync()

        try await laptop.sync()
        try await converge(ada, laptop, phone)
        #expect(
            try laptop.paths() == [
                "/other/", "/other/a.md", "/other/team/", "/other/team/plan.md",
            ]
        )
        try await converge(bob, desk)
        #expect(try await desk.text("/team/plan.md") == "plan.md")
        let offer = try #require(try desk.lockbook.offers().first)
        _ = try desk.lockbook.acceptShare(id: offer.id)
        #expect(try await desk.text("/other/team/plan.md") == "plan.md")
        try await converge(bob, desk)
    }

    @Test(arguments: ["/team/plan.md", "/team/deep"])
    func `a deletion is not told of where all that changed elsewhere are keys`(path: String)
        async throws
    {
        let laptop = try await ada.firstDevice()
        for note in ["plan.md", "deep/a.md"] { try laptop.write("/team/\(note)", note) }
        try await laptop.sync()
        let phone = try await ada.device(named: "phone", like: laptop)
        let desk = try await bob.firstDevice(named: "desk")
        try await share("/team", .write, laptop, desk)
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        try phone.delete(path)

        #expect(try await phone.sync().notes == [])
        try await converge(ada, laptop, phone)
    }

    @Test(arguments: ["note.md", "deep/note.md"])
    func `what was moved into a share and shared by itself leaves it when that was deleted here`(
        note: String
    ) async throws {
        let (laptop, desk) = try await shared()
        try laptop.write("/\(note)", "words")
        try await laptop.sync()
        let phone = try await ada.device(named: "phone", like: laptop)
        try laptop.move(note == "note.md" ? "/note.md" : "/deep", to: "/team/")
        _ = try await laptop.lockbook.share(.path("/team/\(note)"), with: "bob", mode: .write)
        try await laptop.sync()
        try phone.write("/\(note)", "more words")
        try phone.delete("/team")

        let report = try await phone.sync()
        #expect(report.notes.map(\.kind).contains(.moveUndone))
        #expect(report.notes.allSatisfy { $0.kind != .notPushed })
        #expect(try await phone.text("/\(note)") == "more words")
        try await converge(bob, desk)
        try await converge(ada, laptop, phone)
        let offer = try #require(try desk.lockbook.offers().first)
        _ = try desk.lockbook.acceptShare(id: offer.id)
        #expect(try await desk.text("/note.md") == "more words")
        try await converge(bob, desk)
    }

    @Test func `a link does not stay in a folder that another device shares`() async throws {
        let (laptop, desk) = try await shared()
        _ = try desk.lockbook.create(path: "/mine/")
        try await desk.sync()
        let tablet = try await bob.device(named: "tablet", like: desk)
        _ = try await tablet.lockbook.share(.path("/mine"), with: "ada", mode: .read)
        try await tablet.sync()
        try desk.move("/team", to: "/mine/")

        try await converge(bob, desk, tablet)
        #expect(try desk.paths() == ["/mine/", "/team", "/team/plan.md"])
        try await converge(ada, laptop)
    }

    @Test func `a link made in a folder that another device shares was moved by nobody`()
        async throws
    {
        let laptop = try await ada.firstDevice()
        try laptop.write("/d.md", "d")
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        _ = try desk.lockbook.create(path: "/mine/")
        try await desk.sync()
        let tablet = try await bob.device(named: "tablet", like: desk)
        _ = try await laptop.lockbook.share(.path("/d.md"), with: "bob", mode: .read)
        try await laptop.sync()
        try await desk.sync()
        _ = try await tablet.lockbook.share(.path("/mine"), with: "ada", mode: .read)
        try await tablet.sync()
        let offer = try #require(try desk.lockbook.offers().first)
        _ = try desk.lockbook.acceptShare(id: offer.id, to: "/mine/link")

        let report = try await desk.syncAsForetold()

        let told = report.notes.map { "\($0.kind) \($0.path) \($0.detail)" }
        #expect(told == ["linkMovedOut /link /mine/link"])
        try await converge(bob, desk, tablet)
        #expect(try tablet.paths() == ["/link", "/mine/"])
    }

    @Test func `what keeps a share from being made is in the status, too`() async throws {
        let (_, desk) = try await shared()
        _ = try desk.lockbook.create(path: "/mine/")
        try await desk.sync()
        let tablet = try await bob.device(named: "tablet", like: desk)
        _ = try await tablet.lockbook.share(.path("/mine"), with: "ada", mode: .read)
        #expect(try tablet.lockbook.status().heldShares == nil)
        try desk.move("/team", to: "/mine/")
        try await desk.sync()

        let left = try await tablet.sync().notes.filter { $0.kind == .notPushed }
        let held = try #require(try tablet.lockbook.status().heldShares)
        #expect(held.map(\.path) == ["/mine/team"])
        #expect(held.map(\.path) == left.map(\.path) && held.map(\.reason) == left.map(\.detail))

        try tablet.move("/mine/team", to: "/")
        #expect(try tablet.lockbook.status().heldShares == nil)
        try await converge(bob, desk, tablet)
    }

    @Test func `what moves out while it is not known whether a revoke arrived keeps its new key`()
        async throws
    {
        let (laptop, desk) = try await shared()
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        laptop.faults.next("/v1/push", .answerLost)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        try laptop.move("/team/plan.md", to: "/")

        try await converge(ada, laptop)
        #expect(try await laptop.text("/plan.md") == "plan.md")
        try await converge(bob, desk)
    }
}
