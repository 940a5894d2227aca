import LockbookEngine
import LockbookTestSupport
import Testing

/// Stories of people who share: what each of them reads, writes and is refused.
struct SharingStoryTests {
    let server: TestServer
    let ada: Person
    let bob: Person

    init() throws {
        server = try TestServer()
        ada = Person("ada", on: server)
        bob = Person("bob", on: server)
    }

    /// Ada's laptop with a shared folder and a secret, and bob's, who was told of it.
    func shared(_ mode: ShareRight) async throws -> (Device, Device) {
        let laptop = try await ada.firstDevice()
        try laptop.write("/team/plan.md", "one\ntwo\nthree\n")
        try laptop.write("/team/deep/note.md", "deep")
        try laptop.write("/secret.md", "secret")
        try await laptop.sync()
        let other = try await bob.firstDevice(named: "desk")
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: mode)
        try await laptop.sync()
        try await other.sync()
        return (laptop, other)
    }

    func accept(_ device: Device, at destination: String? = nil) throws {
        let offer = try #require(try device.lockbook.offers().first)
        _ = try device.lockbook.acceptShare(id: offer.id, to: destination)
    }

    @Test func `what is offered is read before and after it is accepted`() async throws {
        let (_, desk) = try await shared(.read)

        let offer = try #require(try desk.lockbook.offers().first)
        #expect(offer.name == "team" && offer.from == "ada" && offer.mode == .read)
        #expect(try await desk.text("id:\(offer.id)/plan.md") == "one\ntwo\nthree\n")
        #expect(
            try desk.lockbook.list(FileReference("id:\(offer.id)"), recursive: true).map(\.path)
                == [
                    "id:\(offer.id)/deep", "id:\(offer.id)/deep/note.md", "id:\(offer.id)/plan.md",
                ]
        )
        try accept(desk)
        #expect(try desk.lockbook.offers().isEmpty)
        #expect(
            try desk.paths() == ["/team", "/team/deep/", "/team/deep/note.md", "/team/plan.md"]
        )
        #expect(try await desk.text("/team/deep/note.md") == "deep")
        #expect(try desk.lockbook.completions(of: "/team/d").map(\.value) == ["/team/deep/"])
        try await desk.sync()
        let report = try await desk.sync()
        #expect(report.traffic.requests == 1)
        let phone = try await bob.device(named: "phone", like: desk)
        #expect(try await phone.text("/team/plan.md") == "one\ntwo\nthree\n")
    }

    @Test func `what may only be read is not changed`() async throws {
        let (_, desk) = try await shared(.read)
        try accept(desk, at: "/from ada")

        #expect(throws: LockbookError.readOnly(path: "/from ada/plan.md")) {
            try desk.write("/from ada/plan.md", "mine")
        }
        #expect(throws: LockbookError.readOnly(path: "/from ada")) {
            try desk.write("/from ada/new.md", "mine")
        }
        #expect(throws: LockbookError.readOnly(path: "/from ada/plan.md")) {
            try desk.delete("/from ada/plan.md")
        }
        #expect(throws: LockbookError.readOnly(path: "/from ada/deep")) {
            try desk.move("/from ada/deep", to: "/from ada/other")
        }
    }

    @Test func `two people write to one folder, and both see all of it`() async throws {
        let (laptop, desk) = try await shared(.write)
        try accept(desk)

        try desk.write("/team/plan.md", "one\ntwo\nthree and bob\n")
        try desk.write("/team/new/b.md", "by bob")
        try desk.move("/team/deep/note.md", to: "/team/moved.md")
        try laptop.write("/team/plan.md", "ada and one\ntwo\nthree\n")
        try await laptop.sync()
        try await desk.sync()
        try await laptop.sync()
        try await desk.sync()

        for device in [laptop, desk] {
            #expect(try await device.text("/team/plan.md") == "ada and one\ntwo\nthree and bob\n")
            #expect(try await device.text("/team/new/b.md") == "by bob")
            #expect(try await device.text("/team/moved.md") == "deep")
            #expect(try device.lockbook.validate() == [])
        }
        try await converge(ada, laptop)
        #expect(throws: LockbookError.ownersToShare(path: "/team")) {
            try desk.lockbook.setShare(.path("/team"), of: "ada", to: nil)
        }
    }

    @Test func `the shared folder itself is its owner's`() async throws {
        let (laptop, desk) = try await shared(.write)
        try accept(desk)

        // A name of one's own for the link, which the owner does not see.
        try desk.move("/team", to: "/ours")
        try await desk.sync()
        try laptop.move("/team", to: "/group")
        try await laptop.sync()
        try await desk.sync()

        #expect(try await desk.text("/ours/plan.md") == "one\ntwo\nthree\n")
        try desk.write("/ours/plan.md", "again")
        try await desk.sync()
        try await laptop.sync()
        #expect(try await laptop.text("/group/plan.md") == "again")
    }

    @Test func `edits on both of a member's devices meet like everybody's`() async throws {
        let (laptop, desk) = try await shared(.write)
        try accept(desk)
        try await desk.sync()
        let tablet = try await bob.device(named: "tablet", like: desk)
        try desk.write("/team/plan.md", "one by the desk\ntwo\nthree\n")
        try tablet.write("/team/plan.md", "one\ntwo\nthree by the tablet\n")
        try tablet.write("/team/deep/note.md", "")
        desk.faults.next("/v1/push", .answerLost)
        await #expect(throws: LockbookError.self) { try await desk.sync() }
        try await tablet.sync()
        try await desk.sync()
        try await tablet.sync()
        try await laptop.sync()

        let expected = "one by the desk\ntwo\nthree by the tablet\n"
        for device in [laptop, desk, tablet] {
            #expect(try await device.text("/team/plan.md") == expected)
            #expect(try await device.text("/team/deep/note.md") == "")
            #expect(try device.lockbook.status().changes == [])
        }
        try await converge(bob, desk, tablet)
    }

    @Test func `a large content goes both ways in segments`() async throws {
        let (laptop, desk) = try await shared(.write)
        try accept(desk)
        // Random digits do not compress below the size at which a blob travels alone.
        var random = SystemRandomNumberGenerator()
        let text = (0..<260_000).map { _ in String(random.next(), radix: 36) }.joined()
        try desk.write("/team/large.txt", text)
        try await desk.sync()
        try await laptop.sync()
        #expect(try await laptop.text("/team/large.txt") == text)
        try laptop.write("/team/larger.txt", text + text)
        try await laptop.sync()
        try await desk.sync()
        #expect(try await desk.text("/team/larger.txt") == text + text)
    }

    @Test func `accepted on two devices at once, there is one link`() async throws {
        let (_, desk) = try await shared(.read)
        let tablet = try await bob.device(named: "tablet", like: desk)
        try accept(desk, at: "/a")
        try accept(tablet, at: "/b")

        try await converge(bob, desk, tablet)

        #expect(try desk.lockbook.list(.path("/"), recursive: false).map(\.path) == ["/a"])
        #expect(try await tablet.text("/a/deep/note.md") == "deep")
    }

    @Test func `what moves into a shared folder is shared, and what moves out is not any more`()
        async throws
    {
        let (laptop, desk) = try await shared(.write)
        try accept(desk)
        let phone = try await ada.device(named: "phone", like: laptop)
        try laptop.write("/more/x.md", "x")
        try await laptop.sync()

        try laptop.move("/more", to: "/team/")
        try await laptop.sync()
        try await desk.sync()
        #expect(try await desk.text("/team/more/x.md") == "x")

        try desk.write("/team/more/x.md", "bob was first")
        try await desk.sync()
        try desk.write("/team/more/x.md", "bob was late")
        try laptop.write("/new/place.md", "new")
        try laptop.move("/team/more", to: "/new/")
        try laptop.write("/new/more/x.md", "x on the laptop")
        try laptop.write("/new/more/y.md", "y")
        // What took its place inside is shared as ever.
        try laptop.write("/team/more/z.md", "z")
        for _ in 0..<2 {
            for device in [laptop, desk, phone] { try await device.sync() }
        }

        #expect(
            try desk.paths().filter { $0.hasPrefix("/team/more") } == [
                "/team/more/", "/team/more/z.md",
            ]
        )
        #expect(try await laptop.text("/new/more/y.md") == "y")
        #expect(try await phone.text("/new/more/y.md") == "y")
        #expect(try await phone.text("/team/more/z.md") == "z")
        try await converge(ada, laptop, phone)
        #expect(try desk.lockbook.validate() == [])
        // Into another share, and back without a sync in between.
        try laptop.move("/team/plan.md", to: "/plan.md")
        try laptop.move("/plan.md", to: "/team/plan.md")
        #expect(try laptop.lockbook.status().changes.isEmpty)
    }

    @Test func `a single document is shared, and its new words arrive`() async throws {
        let laptop = try await ada.firstDevice()
        try laptop.write("/list.md", "milk\n")
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        _ = try await laptop.lockbook.share(.path("/list.md"), with: "bob", mode: .write)
        try await laptop.sync()
        try await desk.sync()
        try accept(desk)
        #expect(try await desk.text("/list.md") == "milk\n")

        try desk.write("/list.md", "milk\nbread\n")
        try await desk.sync()
        try await laptop.sync()

        #expect(try await laptop.text("/list.md") == "milk\nbread\n")
        try await converge(ada, laptop)
    }

    @Test func `what cannot be shared is refused, and nothing is changed`() async throws {
        let (laptop, desk) = try await shared(.read)
        try accept(desk)
        func refuses(
            _ device: Device,
            _ path: String,
            _ user: String,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async {
            await #expect(throws: LockbookError.self, sourceLocation: sourceLocation) {
                _ = try await device.lockbook.share(.path(path), with: user, mode: .read)
            }
        }
        await refuses(laptop, "/", "bob")
        await refuses(laptop, "/team", "ada")
        await refuses(laptop, "/team", "bob")
        await refuses(laptop, "/nothing", "bob")
        await refuses(laptop, "/secret.md", "nobody")
        await refuses(laptop, "/secret.md", "B\u{f6}b")
        await refuses(desk, "/team", "ada")
        await refuses(desk, "/team/deep", "ada")
        laptop.faults.next("/v1/account", .lost)
        await #expect(throws: LockbookError.offline(server: "test", reason: "lost")) {
            _ = try await laptop.lockbook.share(.path("/secret.md"), with: "eve", mode: .read)
        }
        laptop.faults.next("/v1/account", .lost)
        _ = try await laptop.lockbook.share(.path("/secret.md"), with: "bob", mode: .read)
        #expect(try laptop.lockbook.shares().map(\.path) == ["/secret.md", "/team"])
    }
}
