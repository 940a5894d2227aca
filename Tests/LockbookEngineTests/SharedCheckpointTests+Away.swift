import LockbookEngine
import LockbookTestSupport
import Testing

/// What was shared, taken back or moved while somebody was away, learned from a checkpoint.
extension SharedCheckpointTests {
    @Test func `devices that were away longer than the retention go on from a checkpoint`()
        async throws
    {
        let (laptop, desk) = try await shared(
            .write,
            holding: ["plan.md", "gone.md", "out.md", "deleted.md", "sub/note.md"]
        )
        let phone = try await ada.device(named: "phone", like: laptop)
        try phone.write("/team/plan.md", "plan.md of the phone")
        try desk.write("/team/sub/note.md", "note of bob")
        try desk.write("/team/gone.md", "kept by bob")
        // Meanwhile:
        _ = try laptop.lockbook.purge([.path("/team/gone.md")])
        try laptop.move("/team/out.md", to: "/out.md")
        try laptop.delete("/team/deleted.md")
        try laptop.move("/team/sub/note.md", to: "/team/moved.md")
        try laptop.write("/team/new.md", "new")
        try await laptop.sync()
        try await letGo(laptop)

        try await desk.sync()

        #expect(try await desk.text("/team/moved.md") == "note of bob")
        #expect(
            try desk.paths() == [
                "/team", "/team/moved.md", "/team/new.md", "/team/plan.md", "/team/sub/",
            ]
        )
        try await phone.sync()
        try await laptop.sync()
        #expect(try await laptop.text("/team/plan.md") == "plan.md of the phone")
        #expect(try await laptop.text("/out.md") == "out.md")
        // What bob wrote in what was purged is in the trash.
        #expect(
            try laptop.lockbook.trash().map(\.path).sorted() == [
                "/team/deleted.md", "/team/gone.md",
            ]
        )
        try await converge(ada, laptop, phone)
        try await converge(bob, desk)
    }

    @Test
    func `who was taken out while he was away learns it from a checkpoint, and keeps his words`()
        async throws
    {
        let (laptop, desk) = try await shared(.write, holding: ["plan.md", "note.md"])
        try desk.write("/team/plan.md", "words of bob")
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        try await letGo(laptop)

        let report = try await desk.sync()

        #expect(report.notes.map(\.kind) == [.keptOwn, .takenBack])
        #expect(try desk.paths() == ["/plan.md"])
        #expect(try await desk.text("/plan.md") == "words of bob")
        let quiet = try await desk.sync()
        #expect(quiet.traffic.requests == 1 && quiet.notes.isEmpty)
        // Shared again, he is in again; and a new device of his begins there.
        try await share("/team", .read, laptop, desk)
        #expect(try await desk.text("/team/plan.md") == "plan.md")
        try await converge(bob, desk)
        try await converge(ada, laptop)
    }

    @Test func `who was taken out and let in again while he was away has what there is now`()
        async throws
    {
        let (laptop, desk) = try await shared(
            .write,
            holding: ["plan.md", "out.md", "sub/note.md"]
        )
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        try laptop.move("/team/out.md", to: "/out.md")
        try await laptop.sync()
        for isLetGo in [true, false] {
            if isLetGo { try await letGo(laptop) }
            _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
            try await laptop.sync()
            if !isLetGo { try await letGo(laptop, "again") }
            try await desk.sync()
            if let offer = try desk.lockbook.offers().first {
                _ = try desk.lockbook.acceptShare(id: offer.id)
            }
            try await desk.sync()
            #expect(
                try desk.paths() == [
                    "/team", "/team/plan.md", "/team/sub/", "/team/sub/note.md",
                ]
            )
            try await converge(bob, desk)
            try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
            try await laptop.sync()
        }
        try await converge(ada, laptop)
    }

    @Test func `who sees a share inside of another one knows who may write there from further out`()
        async throws
    {
        let (laptop, desk) = try await shared(.admin, holding: ["plan.md", "sub/note.md"])
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/team/sub", .write, laptop, tablet)
        try await desk.sync()
        try await letGo(laptop)

        let slate = try await carol.device(named: "slate", like: tablet)
        let notebook = try await bob.device(named: "notebook", like: desk)
        #expect(try slate.paths() == ["/sub", "/sub/note.md"])
        // Bob is an admin of what is around it, and writes and takes keys out of it.
        try notebook.write("/team/sub/note.md", "by bob")
        try await notebook.sync()
        try await slate.sync()
        #expect(try await slate.text("/sub/note.md") == "by bob")
        try notebook.lockbook.setShare(.path("/team/sub"), of: "carol", to: .read)
        try await notebook.sync()
        try await tablet.sync()
        try await slate.sync()
        #expect(throws: LockbookError.readOnly(path: "/sub/note.md")) {
            try slate.write("/sub/note.md", "mine")
        }
        try await converge(carol, tablet, slate)
        try await converge(bob, desk, notebook)
        try await converge(ada, laptop)
    }

    @Test func `a share that moved while somebody was away is where it is now, or gone`()
        async throws
    {
        let (laptop, desk) = try await shared(.admin, holding: ["plan.md", "sub/note.md"])
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/team/sub", .write, laptop, tablet)
        try await desk.sync()
        // Bob makes carol a reader, and takes that back by letting her out: a grant of his that ended.
        try desk.lockbook.setShare(.path("/team/sub"), of: "carol", to: nil)
        try await desk.sync()
        try await laptop.sync()
        _ = try await laptop.lockbook.share(.path("/team/sub"), with: "carol", mode: .write)
        try await laptop.sync()
        try await tablet.sync()
        try laptop.move("/team/sub", to: "/sub")
        try await laptop.sync()
        try await letGo(laptop)

        try await desk.sync()
        try await tablet.sync()
        #expect(try desk.paths() == ["/team", "/team/plan.md"])
        #expect(try await tablet.text("/sub/note.md") == "sub/note.md")
        let notebook = try await bob.device(named: "notebook", like: desk)
        #expect(try notebook.paths() == ["/team", "/team/plan.md"])
        // And into it again.
        try laptop.move("/sub", to: "/team/sub")
        try await laptop.sync()
        try await letGo(laptop, "signed again")
        try await desk.sync()
        try await notebook.sync()
        #expect(try await notebook.text("/team/sub/note.md") == "sub/note.md")
        try tablet.write("/sub/note.md", "by carol")
        try await tablet.sync()
        try await converge(bob, desk, notebook)
        #expect(try await desk.text("/team/sub/note.md") == "by carol")
        try await converge(carol, tablet)
        try await converge(ada, laptop)
    }

    @Test
    func `what came into a share and left it while somebody was away is no business of his`()
        async throws
    {
        let (laptop, desk) = try await shared(.write, holding: ["plan.md"])
        let tablet = try await carol.firstDevice(named: "tablet")
        try laptop.write("/sub/note.md", "note")
        try await laptop.sync()
        try await share("/sub", .write, laptop, tablet)
        try laptop.move("/sub", to: "/team/")
        try await laptop.sync()
        try await desk.sync()
        #expect(try await desk.text("/team/sub/note.md") == "note")
        try laptop.move("/team/sub", to: "/")
        try await laptop.sync()
        try await letGo(laptop)
        try await desk.sync()
        #expect(try desk.paths() == ["/team", "/team/plan.md"])

        // Its group is hidden from bob, and he does not miss it.
        try laptop.write("/sub/note.md", "not for bob")
        try await laptop.sync()
        try await desk.sync()
        try await tablet.sync()
        #expect(try await tablet.text("/sub/note.md") == "not for bob")
        try await converge(bob, desk)
        try await converge(ada, laptop)
    }

    @Test
    func `words in a share that moved out of sight while somebody was away become his own`()
        async throws
    {
        let (laptop, desk) = try await shared(.write, holding: ["plan.md", "sub/note.md"])
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/team/sub", .write, laptop, tablet)
        try await desk.sync()
        try desk.write("/team/sub/note.md", "words of bob")
        try laptop.move("/team/sub", to: "/sub")
        try await laptop.sync()
        try await letGo(laptop)

        try await desk.sync()
        try await desk.sync()
        #expect(try desk.paths() == ["/note.md", "/team", "/team/plan.md"])
        #expect(try await desk.text("/note.md") == "words of bob")
        #expect(try desk.lockbook.trash().isEmpty)
        try await tablet.sync()
        #expect(try await tablet.text("/sub/note.md") == "sub/note.md")
        try await converge(bob, desk)
        try await converge(ada, laptop)
    }
}
