import LockbookEngine
import LockbookTestSupport
import Testing

/// What the simulator found about members, each as the shortest story that shows it.
struct FoundMemberTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    @Test func `a part that is taken back while all of it is shared stays where it is`()
        async throws
    {
        let laptop = try await ada.firstDevice()
        try laptop.write("/team/part/a.md", "a")
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        try await share("/team/part", .read, laptop, desk)
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
        try await laptop.sync()
        try laptop.lockbook.setShare(.path("/team/part"), of: "bob", to: nil)
        try await laptop.sync()

        let report = try await desk.sync()
        #expect(report.notes.allSatisfy { $0.kind != .damaged })
        let offer = try #require(try desk.lockbook.offers().first)
        #expect(try await desk.text("id:\(offer.id)/part/a.md") == "a")
        #expect(try desk.lockbook.validate() == [])
        try await converge(bob, desk)
    }

    @Test(arguments: [true, false])
    func
        `what was not synced in a document that its owner deleted, and in a share that was taken back, is one's own`(
            isPartLeft: Bool
        ) async throws
    {
        let (laptop, desk) = try await shared(holding: ["part/plan.md"])
        try desk.write("/team/part/plan.md", "bob's own words")
        try laptop.delete("/team/part/plan.md")
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        if isPartLeft {
            _ = try await laptop.lockbook.share(.path("/team/part"), with: "bob", mode: .read)
        }
        try await laptop.sync()

        let report = try await desk.sync()
        let kept = try #require(report.notes.first { $0.kind == .keptOwn })
        #expect(kept.path == "/plan.md")
        #expect(try await desk.text("/plan.md") == "bob's own words")
        #expect(try desk.lockbook.validate() == [])
        try await converge(bob, desk)
    }

    @Test func `what a member copied into a folder that its owner purges keeps no sync back`()
        async throws
    {
        let (laptop, desk) = try await shared(.admin, holding: ["x/z/a.md"])
        _ = try laptop.lockbook.purge([.path("/team/x")])
        _ = try desk.lockbook.copy([.path("/team/x/z")], to: "/team/x/w")
        try await laptop.sync()
        let report = try await desk.sync()
        // It stays in the share, beside where the folder was.
        #expect(report.notes.filter { $0.kind == .folderGone }.map(\.path) == ["/team/w"])
        #expect(try await desk.text("/team/w/a.md") == "x/z/a.md")
        try await desk.sync()
        try await laptop.sync()
        #expect(try desk.lockbook.status().changes.isEmpty)
        #expect(try desk.lockbook.validate() == [])
        try await converge(bob, desk)
        try await converge(ada, laptop)
    }

    @Test func `what was deleted here, and then in a share that was taken back, stays deleted`()
        async throws
    {
        let (laptop, desk) = try await shared()
        try desk.write("/team/plan.md", "words that bob deleted")
        try desk.delete("/team/plan.md")
        try laptop.delete("/team/plan.md")
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()

        let report = try await desk.sync()
        let kept = try #require(report.notes.first { $0.kind == .keptOwn })
        #expect(kept.detail.hasPrefix("in the trash, "))
        #expect(try desk.paths() == [])
        #expect(try desk.lockbook.trash().map(\.path).contains("/plan.md"))
    }

    @Test func `what was not synced in a share that its owner purges is a document of one's own`()
        async throws
    {
        let (laptop, desk) = try await shared()
        try desk.write("/team/plan.md", "bob's own words")
        _ = try laptop.lockbook.purge([.path("/team")])
        try await laptop.sync()

        let report = try await desk.sync()
        #expect(report.notes.map(\.kind).contains(.keptOwn))
        #expect(try desk.paths() == ["/plan.md"])
        #expect(try await desk.text("/plan.md") == "bob's own words")
        try await converge(bob, desk)
    }

    @Test func `a member's rename of what is shared by itself since is undone, and told`()
        async throws
    {
        let (laptop, desk) = try await shared(holding: ["part/a.md"])
        try desk.move("/team/part", to: "/team/renamed")
        try desk.write("/team/renamed/b.md", "b")
        _ = try await laptop.lockbook.share(.path("/team/part"), with: "bob", mode: .write)
        try await laptop.sync()

        let report = try await desk.sync()
        #expect(report.notes.map(\.kind).contains(.undone))
        try await laptop.sync()
        #expect(try await laptop.text("/team/part/b.md") == "b")
        try await converge(bob, desk)
    }

    @Test func `what a member makes deep in a folder that becomes a share of its own is pushed`()
        async throws
    {
        let (laptop, desk) = try await shared(holding: ["part/a.md"])
        try desk.write("/team/part/x/y/z/b.md", "b")
        _ = try await laptop.lockbook.share(.path("/team/part"), with: "bob", mode: .write)
        try await laptop.sync()
        try await desk.sync()
        try await laptop.sync()

        #expect(try await laptop.text("/team/part/x/y/z/b.md") == "b")
        try await converge(bob, desk)
        try await converge(ada, laptop)
    }

    @Test(arguments: ["/team/part/", "/team/part/new/"])
    func `what a member moves into a folder that becomes a share of its own is moved back`(
        place: String
    ) async throws {
        let (laptop, desk) = try await shared(holding: ["part/a.md", "b.md", "deep/c.md"])
        try desk.write("\(place)other.md", "other")
        try desk.move("/team/b.md", to: place)
        try desk.move("/team/deep", to: place)
        try desk.write("\(place)b.md", "bob's words")
        _ = try await laptop.lockbook.share(.path("/team/part"), with: "bob", mode: .write)
        try await laptop.sync()

        let report = try await desk.sync()
        let undone = report.notes.filter { $0.kind == .moveUndone }
        #expect(Set(undone.map(\.detail)) == ["\(place)b.md", "\(place)deep"])
        #expect(report.notes.allSatisfy { $0.kind != .notPushed })
        try await laptop.sync()
        #expect(try await laptop.text("/team/b.md") == "bob's words")
        #expect(try await laptop.text("/team/deep/c.md") == "deep/c.md")
        #expect(try await laptop.text("\(place)other.md") == "other")
        try await converge(bob, desk)
        try await converge(ada, laptop)
    }

    @Test func `words in a part that is shared by itself, of a share that is deleted, are kept`()
        async throws
    {
        let (laptop, desk) = try await shared(.read, holding: ["list.md", "plan.md"])
        try await share("/team/list.md", .write, laptop, desk)
        try desk.write("/team/list.md", "bob's own words")
        try laptop.delete("/team")
        try await laptop.sync()

        let report = try await desk.sync()
        #expect(report.notes.map(\.kind).contains(.keptOwn))
        #expect(try await desk.text("/list.md") == "bob's own words")
        try await converge(bob, desk)
    }

    @Test func `what is around a share that was purged is shared, and seen`() async throws {
        let laptop = try await ada.firstDevice()
        try laptop.write("/team/part/a.md", "a")
        try laptop.write("/team/plan.md", "plan")
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        _ = try await laptop.lockbook.share(.path("/team/part"), with: "bob", mode: .write)
        try await laptop.sync()
        _ = try laptop.lockbook.purge([.path("/team/part")])
        try await laptop.sync()
        try await share("/team", .read, laptop, desk)

        #expect(try desk.paths() == ["/team", "/team/plan.md"])
        try await converge(bob, desk)
    }

    @Test func `a link that is restored after its share was taken back goes with the next sync`()
        async throws
    {
        let (laptop, desk) = try await shared()
        try desk.delete("/team")
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        // Nobody told this device yet.
        let link = try #require(try desk.lockbook.trash().first)
        _ = try desk.lockbook.restore([.id(prefix: link.id)])

        let report = try await desk.sync()
        #expect(report.notes.map(\.kind) == [.takenBack])
        #expect(try desk.paths().isEmpty)
        try await converge(bob, desk)
    }

    @Test func `a new device does not mind a share that was changed and ended before it came`()
        async throws
    {
        let (laptop, desk) = try await shared()
        try laptop.write("/other.md", "other")
        try await laptop.sync()
        try await share("/other.md", .read, laptop, desk)
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: .read)
        try await laptop.sync()
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        try await desk.sync()

        let fresh = try await bob.device(named: "fresh", like: desk)
        #expect(try await fresh.text("/other.md") == "other")
        try await converge(bob, desk, fresh)
    }

    @Test func `an admin does not take a share back from himself`() async throws {
        let (_, desk) = try await shared(.admin)
        let refusal = LockbookError.badShare(
            path: "/team",
            reason: "that is this account itself; `share leave` gives a share up"
        )
        for mode in [nil, ShareRight.read] {
            #expect(throws: refusal) {
                try desk.lockbook.setShare(.path("/team"), of: "bob", to: mode)
            }
        }
    }

    @Test func `a part of what was deleted is no offer`() async throws {
        let laptop = try await ada.firstDevice()
        try laptop.write("/team/part/a.md", "a")
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        for path in ["/team", "/team/part"] {
            _ = try await laptop.lockbook.share(.path(path), with: "bob", mode: .read)
            try await laptop.sync()
        }
        try await desk.sync()
        #expect(try desk.lockbook.offers().count == 2)
        try laptop.delete("/team")
        try await laptop.sync()
        try await desk.sync()
        #expect(try desk.lockbook.offers() == [])
        try await converge(bob, desk)
    }

    @Test func `what was sent from outside of a folder is agreed when that is shared, too`()
        async throws
    {
        let laptop = try await ada.firstDevice()
        try laptop.write("/around/plan.md", "plan")
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        try await share("/around/plan.md", .write, laptop, desk)
        try desk.write("/plan.md", "sent, and no answer came")
        desk.faults.next("/v1/push", .answerLost)
        await #expect(throws: LockbookError.self) { try await desk.sync() }
        try desk.write("/plan.md", "written since")
        _ = try await laptop.lockbook.share(.path("/around"), with: "bob", mode: .write)
        try await laptop.sync()

        try await desk.sync()
        try await laptop.sync()

        #expect(try await laptop.text("/around/plan.md") == "written since")
        #expect(try desk.lockbook.status().changes.isEmpty)
        #expect(try desk.lockbook.validate().isEmpty)
        try await converge(bob, desk)
        try await converge(ada, laptop)
    }
}
