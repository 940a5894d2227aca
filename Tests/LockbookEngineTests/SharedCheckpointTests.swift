import Foundation
import LockbookEngine
import LockbookModel
import LockbookTestSupport
import Testing

/// A log in which something is shared has checkpoints: what is behind one goes, and every device,
/// of the owner and of the members, begins with it as well as it did with the entries.
struct SharedCheckpointTests: SharingStories {
    let people: Sharers

    init() throws {
        people = try Sharers()
    }

    /// Ada's device signs a checkpoint now, and the server lets go of all that is behind it.
    private func letGo(_ laptop: Device, _ change: String = "signed") async throws {
        let signing = try laptop.again(signingAfter: 1)
        let before = try await people.server.bodiesFrom("ada")
        try signing.write("/signed.md", change)
        _ = laptop.faults.takeRequests()
        _ = signing.faults.takeRequests()
        try await signing.sync()
        #expect(signing.faults.takeRequests().last == "/v1/checkpoint")
        try await people.server.collect(afterDays: 91)
        #expect(try await people.server.bodiesFrom("ada") > before)
    }

    @Test
    func
        `a new device of the owner begins with a checkpoint, and can do all that the first one can`()
        async throws
    {
        let (laptop, desk) = try await shared(.write, holding: ["plan.md", "deep/note.md"])
        try laptop.write("/secret.md", "secret")
        try desk.write("/team/plan.md", "by bob")
        try await desk.sync()
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: .read)
        try await laptop.sync()
        try await letGo(laptop)

        let phone = try await ada.device(named: "phone", like: laptop)

        #expect(try await phone.snapshot() == laptop.snapshot())
        #expect(try phone.lockbook.shares().map(\.username) == ["bob"])
        #expect(try phone.lockbook.shares().map(\.mode) == [.read])
        // It takes the share back, which takes the keys of all that is in it, and gives it again, which
        // takes the serial.
        try phone.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await phone.sync()
        try await desk.sync()
        #expect(try desk.paths().isEmpty)
        try await share("/team", .write, phone, desk)
        try desk.write("/team/plan.md", "by bob again")
        try await desk.sync()
        try await phone.sync()
        #expect(try await phone.text("/team/plan.md") == "by bob again")
        try await converge(ada, laptop, phone)
        try await converge(bob, desk)
    }

    @Test func `a new device of a member begins with a checkpoint, and sees nothing else`()
        async throws
    {
        let (laptop, desk) = try await shared(.write, holding: ["plan.md", "deep/note.md"])
        try laptop.write("/secret.md", "secret")
        try desk.write("/team/deep/note.md", "by bob")
        try await desk.sync()
        try await letGo(laptop)
        try laptop.write("/team/later.md", "later")
        try await laptop.sync()

        let phone = try await bob.device(named: "phone", like: desk)
        try await desk.sync()

        #expect(try await phone.snapshot() == desk.snapshot())
        #expect(
            try phone.paths() == [
                "/team", "/team/deep/", "/team/deep/note.md", "/team/later.md", "/team/plan.md",
            ]
        )
        try phone.write("/team/new.md", "by bob's phone")
        try await phone.sync()
        try await laptop.sync()
        #expect(try await laptop.text("/team/new.md") == "by bob's phone")
        try await converge(bob, desk, phone)
        try await converge(ada, laptop)
    }

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

    @Test func `what an admin made new keys for opens on new devices of everybody`() async throws {
        let (laptop, desk) = try await shared(.admin, holding: ["plan.md"])
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/team", .write, laptop, tablet)
        try await desk.sync()
        try desk.lockbook.setShare(.path("/team"), of: "carol", to: nil)
        try await desk.sync()
        try desk.write("/team/plan.md", "not for carol")
        try await desk.sync()
        try await letGo(laptop)

        let phone = try await ada.device(named: "phone", like: laptop)
        #expect(try await phone.text("/team/plan.md") == "not for carol")
        let notebook = try await bob.device(named: "notebook", like: desk)
        #expect(try await notebook.text("/team/plan.md") == "not for carol")
        // Let in again by him who let her out, she has a grant of a serial that nobody had.
        let user = try tablet.lockbook.status().username
        try await notebook.sync()
        _ = try await notebook.lockbook.share(
            FileReference("/team"),
            with: user,
            mode: .read
        )
        try await notebook.sync()
        try await tablet.sync()
        #expect(try await tablet.text("/team/plan.md") == "not for carol")
        try await converge(ada, laptop, phone)
        try await converge(bob, desk, notebook)
        try await converge(carol, tablet)
    }

    @Test func `a log of which nothing shared is left goes on as one that was shared`() async throws
    {
        let (laptop, desk) = try await shared(.write, holding: ["plan.md"])
        _ = try laptop.lockbook.purge([.path("/team")])
        try await laptop.sync()
        try await letGo(laptop)

        let phone = try await ada.device(named: "phone", like: laptop)
        try phone.write("/new.md", "new")
        try await phone.sync()
        try await desk.sync()
        #expect(try desk.paths().isEmpty)
        try await share("/new.md", .read, phone, desk)
        #expect(try await desk.text("/new.md") == "new")
        try await converge(ada, laptop, phone)
        try await converge(bob, desk)
    }

    @Test
    func
        `a checkpoint of the time before anything was shared is begun with until there is a later one`()
        async throws
    {
        let laptop = try await ada.firstDevice()
        for note in ["plan.md", "deep/note.md"] { try laptop.write("/team/\(note)", note) }
        try await letGo(laptop)
        let desk = try await bob.firstDevice(named: "desk")
        try await share("/team", .write, laptop, desk)
        let phone = try await ada.device(named: "phone", like: laptop)
        #expect(try await phone.snapshot() == laptop.snapshot())
        #expect(try phone.lockbook.shares().map(\.username) == ["bob"])
        try await letGo(laptop, "signed again")
        let tablet = try await ada.device(named: "tablet", like: laptop)
        #expect(try tablet.lockbook.shares().map(\.username) == ["bob"])
        try await converge(ada, laptop, phone, tablet)
        try await converge(bob, desk)
    }

    @Test func `a checkpoint lists no name and no file of a scope that is not seen`() async throws {
        let (laptop, desk) = try await shared(.write, holding: ["plan.md"])
        for number in 0..<30 { try laptop.write("/secret/\(number).md", "secret") }
        try await letGo(laptop)
        let phone = try await bob.device(named: "phone", like: desk)
        let store = try phone.databaseBytes()
        for file in try laptop.lockbook.list(.path("/secret"), recursive: true) {
            let id = try #require(FileID(hex: file.id)).bytes
            #expect(store.firstRange(of: Data(id)) == nil)
        }
        try await converge(bob, desk, phone)
    }
}

extension Device {
    /// All that its databases hold.
    fileprivate func databaseBytes() throws -> Data {
        let files = try FileManager.default.subpathsOfDirectory(atPath: directory)
        return files.filter { $0.contains("lockbook.db") }.reduce(into: Data()) { bytes, path in
            bytes += FileManager.default.contents(atPath: "\(directory)/\(path)") ?? Data()
        }
    }
}
