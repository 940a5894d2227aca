import Foundation
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
    private func shared(_ mode: ShareRight) async throws -> (Device, Device) {
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

    private func accept(_ device: Device, at destination: String? = nil) throws {
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

    @Test func `who was removed is told so, keeps what he wrote, and reads nothing new`()
        async throws
    {
        let (laptop, desk) = try await shared(.write)
        try accept(desk)
        try await desk.sync()
        try desk.write("/team/plan.md", "bob's own words")

        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        try laptop.write("/team/plan.md", "after bob")
        try await laptop.sync()
        let report = try await desk.sync()

        #expect(report.notes.map(\.kind).contains(.takenBack))
        #expect(report.notes.map(\.kind).contains(.keptOwn))
        #expect(try desk.paths() == ["/plan.md"])
        #expect(try await desk.text("/plan.md") == "bob's own words")
        #expect(try desk.lockbook.offers().isEmpty)
        #expect(try laptop.lockbook.shares().isEmpty)
        try await converge(ada, laptop)
        try await converge(bob, desk)
    }

    @Test func `a third reader sees what the second writes, and stays when he goes`() async throws {
        let (laptop, desk) = try await shared(.write)
        let eve = Person("eve", on: server)
        let tablet = try await eve.firstDevice(named: "tablet")
        try accept(desk)
        try desk.write("/team/by bob.md", "bob")
        try await desk.sync()
        _ = try await laptop.lockbook.share(.path("/team"), with: "eve", mode: .read)
        try await laptop.sync()
        try await tablet.sync()
        try accept(tablet)
        #expect(try await tablet.text("/team/by bob.md") == "bob")
        try await desk.sync()
        try desk.write("/team/by bob.md", "bob again")
        try await desk.sync()
        try await tablet.sync()
        #expect(try await tablet.text("/team/by bob.md") == "bob again")

        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        try laptop.write("/team/plan.md", "without bob")
        try await laptop.sync()
        try await tablet.sync()

        #expect(try await tablet.text("/team/plan.md") == "without bob")
        #expect(try await tablet.text("/team/by bob.md") == "bob again")
        try await converge(ada, laptop)
    }

    @Test func `a device of the owner with changes of its own follows share and revoke`()
        async throws
    {
        let (laptop, _) = try await shared(.write)
        let phone = try await ada.device(named: "phone", like: laptop)
        try phone.write("/team/plan.md", "one\ntwo\nthree on the phone\n")
        try phone.write("/team/deep/new.md", "new on the phone")
        try laptop.write("/team/plan.md", "one on the laptop\ntwo\nthree\n")
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        try await phone.sync()
        try await laptop.sync()

        #expect(
            try await laptop.text("/team/plan.md") == "one on the laptop\ntwo\nthree on the phone\n"
        )
        #expect(try await laptop.text("/team/deep/new.md") == "new on the phone")
        try await converge(ada, laptop, phone)
    }

    @Test func `a revoke that loses a race is made again over what came first`() async throws {
        let (laptop, desk) = try await shared(.write)
        try accept(desk)
        let phone = try await ada.device(named: "phone", like: laptop)
        try phone.write("/team/deep/phone.md", "from the phone")
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        laptop.faults.before("/v1/push") { _ = try await phone.sync() }
        laptop.faults.next("/v1/push", .answerLost)

        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        laptop.faults.next("/v1/push", .answerLost)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        try await laptop.sync()
        try await desk.sync()

        #expect(try laptop.lockbook.shares().isEmpty)
        #expect(try desk.paths().isEmpty)
        #expect(try await laptop.text("/team/deep/phone.md") == "from the phone")
        try await converge(ada, laptop, phone)
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

    @Test func `a member leaves, and finds the share again`() async throws {
        let (laptop, desk) = try await shared(.write)
        try accept(desk)
        try desk.lockbook.leaveShare(.path("/team"))
        try await desk.sync()
        #expect(try desk.paths().isEmpty)
        #expect(try desk.lockbook.offers().isEmpty)
        #expect(try laptop.lockbook.shares().map(\.username) == ["bob"])
        #expect(
            try laptop.lockbook.list(.path("/"), recursive: false).map(\.isShared) == [nil, true]
        )
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

    @Test func `shared again after it was taken back, it is whole again`() async throws {
        let (laptop, desk) = try await shared(.read)
        try accept(desk)
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        try await desk.sync()
        try laptop.write("/team/plan.md", "meanwhile")
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
        try await laptop.sync()
        try await desk.sync()
        try accept(desk)

        #expect(try await desk.text("/team/plan.md") == "meanwhile")
        try desk.write("/team/plan.md", "and on")
        try await desk.sync()
        try await laptop.sync()
        #expect(try await laptop.text("/team/plan.md") == "and on")
        let phone = try await bob.device(named: "phone", like: desk)
        #expect(try await phone.text("/team/plan.md") == "and on")
    }

    @Test func `taken back before it is known whether it was shared, it is taken back`()
        async throws
    {
        for fault in [WireFaults.Fault.lost, .answerLost] {
            let name = fault == .lost ? "eve" : "dan"
            let (laptop, other) = (
                try await Person("ada-\(name)", on: server).firstDevice(),
                try await Person(name, on: server).firstDevice(named: "desk")
            )
            try laptop.write("/team/plan.md", "plan")
            try await laptop.sync()
            _ = try await laptop.lockbook.share(.path("/team"), with: name, mode: .read)
            // The first entry says in the address book who that is.
            let faults = laptop.faults
            faults.before("/v1/push") { faults.next("/v1/push", fault) }
            await #expect(throws: LockbookError.self) { try await laptop.sync() }
            try laptop.lockbook.setShare(.path("/team"), of: name, to: nil)
            try await laptop.sync()
            try await other.sync()
            #expect(try laptop.lockbook.shares() == [])
            #expect(try other.lockbook.offers() == [])
        }
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

/// What goes through links as if there were none.
struct SharingLinkTests {
    let laptop: Device
    let desk: Device
    let offer: ShareOffer

    init() async throws {
        let server = try TestServer()
        laptop = try await Person("ada", on: server).firstDevice()
        try laptop.write("/team/plan.md", "the plan")
        try laptop.write("/team/deep/note.md", "deep words")
        try await laptop.sync()
        desk = try await Person("bob", on: server).firstDevice(named: "desk")
        try desk.write("/own/mine.md", "my words")
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
        try await laptop.sync()
        try await desk.sync()
        offer = try #require(try desk.lockbook.offers().first)
        _ = try desk.lockbook.acceptShare(id: offer.id, to: "/own/theirs")
        try await desk.sync()
    }

    @Test func `a search finds what is behind a link, once`() async throws {
        let query = SearchQuery("words")
        for places in [["/"], ["/own"], ["/own", "/own/theirs"], ["/own/theirs/deep", "/own"]] {
            var paths: [String] = []
            try await desk.lockbook.search(query, in: places.map { FileReference($0) }) { events in
                for case .matched(let file, _) in events { paths.append(file.path) }
            }
            #expect(paths == ["/own/mine.md", "/own/theirs/deep/note.md"], "\(places)")
        }
    }

    @Test func `a copy goes through a link in both directions`() async throws {
        _ = try desk.lockbook.copy([.path("/own/theirs")], to: "/copied")
        _ = try desk.lockbook.copy([.path("/own/mine.md")], to: "/own/theirs/deep/")
        _ = try desk.lockbook.copy([.path("/own/theirs/plan.md")], to: "/own/theirs/again.md")
        try await desk.sync()
        try await laptop.sync()

        #expect(try await desk.text("/copied/deep/note.md") == "deep words")
        #expect(try await laptop.text("/team/deep/mine.md") == "my words")
        #expect(try await laptop.text("/team/again.md") == "the plan")
        #expect(throws: LockbookError.exists(path: "/copied/theirs")) {
            _ = try desk.lockbook.copy([.path("/own/theirs")], to: "/copied")
            _ = try desk.lockbook.copy([.path("/own/theirs")], to: "/copied")
        }
    }

    @Test func `an export has what is behind links`() async throws {
        let folder = desk.directory + "-export"
        defer { try? FileManager.default.removeItem(atPath: folder) }

        let report = try await desk.lockbook.export(
            .path("/"),
            to: folder,
            options: ExportOptions(),
            progress: { _ in }
        )

        #expect(report.created == 3 && report.problems.isEmpty)
        #expect(
            try String(contentsOfFile: folder + "/own/theirs/deep/note.md", encoding: .utf8)
                == "deep words"
        )
    }

    @Test func `no second link to one target, and none in what is shared`() async throws {
        #expect(throws: LockbookError.acceptedAlready(path: "/own/theirs")) {
            _ = try desk.lockbook.acceptShare(id: offer.id, to: "/again")
        }
        await #expect(
            throws: LockbookError.badShare(
                path: "/own",
                reason: "it cannot be shared with a link in it"
            )
        ) {
            _ = try await desk.lockbook.share(.path("/own"), with: "ada", mode: .read)
        }
        try desk.write("/shared/a.md", "a")
        try await desk.sync()
        _ = try await desk.lockbook.share(.path("/shared"), with: "ada", mode: .read)
        try await desk.sync()
        #expect(throws: LockbookError.self) { try desk.move("/own/theirs", to: "/shared/") }
        #expect(throws: LockbookError.self) { try desk.move("/own", to: "/shared/") }
    }
}
