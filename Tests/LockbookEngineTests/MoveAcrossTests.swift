import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What is moved, copied or deleted where several accounts' trees are in play: all of it or nothing.
struct MoveAcrossTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    func move(_ device: Device, _ sources: [String], to destination: String) throws -> [String] {
        try device.lockbook.move(sources.map { FileReference($0) }, to: destination)
            .map(\.file.path)
    }

    func trash(_ device: Device) throws -> [String] {
        try device.lockbook.trash().map(\.path).sorted()
    }

    @Test func `what goes into a share is there for all, and in one's own trash`() async throws {
        let (laptop, desk) = try await shared(.write)
        for note in ["idea.md", "trip/plan.md", "trip/deep/map.txt"] {
            try desk.write("/\(note)", "words of \(note)")
        }
        try await desk.sync()
        #expect(
            try move(desk, ["/idea.md", "/trip"], to: "/team/") == ["/team/idea.md", "/team/trip"]
        )
        #expect(try move(desk, ["/team/idea.md"], to: "/team/trip/new.md") == ["/team/trip/new.md"])

        #expect(
            try desk.paths() == [
                "/team", "/team/plan.md", "/team/trip/", "/team/trip/deep/",
                "/team/trip/deep/map.txt", "/team/trip/new.md", "/team/trip/plan.md",
            ]
        )
        #expect(try trash(desk) == ["/idea.md", "/trip"])
        try await desk.sync()
        try await laptop.sync()
        #expect(try await laptop.text("/team/trip/deep/map.txt") == "words of trip/deep/map.txt")
        #expect(try await laptop.text("/team/trip/new.md") == "words of idea.md")
        #expect(try laptop.lockbook.status().changes.isEmpty)
    }

    @Test func `a folder gets its new name with a slash behind it, a document does not`()
        async throws
    {
        let (_, desk) = try await shared(.write, holding: ["plan.md"])
        try desk.write("/trip/map.md", "map")
        try desk.write("/idea.md", "idea")
        #expect(try move(desk, ["/trip"], to: "/team/way/") == ["/team/way"])
        let copies = try desk.lockbook.copy([.path("/team/way")], to: "/mine/")
        #expect(copies.map(\.path) == ["/mine"])
        #expect(throws: LockbookError.self) {
            try move(desk, ["/idea.md"], to: "/team/idea/")
        }
        #expect(throws: LockbookError.self) {
            try move(desk, ["/team/plan.md"], to: "/plan/")
        }
    }

    @Test func `what is named twice goes once`() async throws {
        let (_, desk) = try await shared(.write, holding: ["plan.md"])
        try desk.write("/mine/x.md", "x")
        let twice: [FileReference] = [.path("/team/plan.md"), .path("team//plan.md")]
        #expect(try desk.lockbook.copy(twice, to: "/").map(\.path) == ["/plan.md"])
        #expect(try move(desk, twice.map(\.text), to: "/mine") == ["/mine/plan.md"])
        #expect(throws: LockbookError.self) {
            try move(desk, ["/mine/x.md", "/mine/x.md"], to: "/y")
        }
    }

    @Test func `what a member takes out is his, and in the share's trash`() async throws {
        let (laptop, desk) = try await shared(.write, holding: ["plan.md", "old/a.md", "old/b.md"])
        try desk.write("/mine/x.md", "x")

        #expect(
            try move(desk, ["/team/old", "/team/plan.md"], to: "/mine") == [
                "/mine/old", "/mine/plan.md",
            ]
        )
        try await desk.sync()
        try await laptop.sync()

        #expect(try laptop.paths() == ["/team/"])
        #expect(try trash(laptop) == ["/team/old", "/team/plan.md"])
        #expect(try await desk.text("/mine/old/b.md") == "old/b.md")
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        try await desk.sync()
        #expect(
            try desk.paths() == [
                "/mine/", "/mine/old/", "/mine/old/a.md", "/mine/old/b.md", "/mine/plan.md",
                "/mine/x.md",
            ]
        )
    }

    @Test func `from one share to another, of one owner and of two`() async throws {
        let (laptop, desk) = try await shared(.write)
        try laptop.write("/other/b.md", "b")
        try await laptop.sync()
        try await share("/other", .write, laptop, desk)
        let tablet = try await carol.firstDevice(named: "tablet")
        try tablet.write("/hers/c.md", "c")
        try await tablet.sync()
        try await share("/hers", .write, tablet, desk)

        #expect(
            try move(desk, ["/team/plan.md", "/hers/c.md"], to: "/other") == [
                "/other/plan.md", "/other/c.md",
            ]
        )
        #expect(try move(desk, ["/other/b.md"], to: "/hers/b.md") == ["/hers/b.md"])
        for _ in 0..<2 { for device in [desk, laptop, tablet] { try await device.sync() } }

        #expect(try laptop.paths() == ["/other/", "/other/c.md", "/other/plan.md", "/team/"])
        #expect(try tablet.paths() == ["/hers/", "/hers/b.md"])
        #expect(try await laptop.text("/other/c.md") == "c")
        #expect(try await tablet.text("/hers/b.md") == "b")
    }

    @Test func `where one of several cannot go, none does`() async throws {
        let (laptop, desk) = try await shared(.write, holding: ["plan.md", "part/p.md"])
        try laptop.write("/shown/s.md", "s")
        try await laptop.sync()
        try await share("/shown", .read, laptop, desk)
        _ = try await carol.firstDevice(named: "tablet")
        _ = try await laptop.lockbook.share(.path("/team/part"), with: "carol", mode: .read)
        try await laptop.sync()
        for note in ["a.md", "plan.md", "own/o.md", "to-be-shared/t.md"] {
            try desk.write("/\(note)", note)
        }
        try await desk.sync()
        _ = try await desk.lockbook.share(.path("/own"), with: "ada", mode: .read)
        try await desk.sync()
        _ = try await desk.lockbook.share(.path("/to-be-shared"), with: "ada", mode: .read)
        let before = (
            try await desk.snapshot(), try trash(desk), try desk.lockbook.status().changes
        )

        let bad = "a link cannot go into a shared folder"
        let isShared = """
            it is shared by itself, and goes into no other account's tree: take that back \
            (`lockbook share revoke`), sync, move it, and share it again
            """
        let refused: [([String], String, LockbookError)] = [
            (["/a.md", "/plan.md"], "/team", .exists(path: "/team/plan.md")),
            (["/a.md", "/nothing"], "/team", .notFound(path: "/nothing")),
            (["/a.md", "/team/plan.md"], "/team/new", .notFound(path: "/team/new")),
            (["/a.md"], "/team/none/a.md", .notFound(path: "/team/none")),
            (["/a.md"], "/shown", .readOnly(path: "/shown")),
            (["/a.md", "/shown/s.md"], "/team", .readOnly(path: "/shown/s.md")),
            (["/shown/s.md"], "/", .readOnly(path: "/shown/s.md")),
            (["/team/plan.md"], "/", .exists(path: "/plan.md")),
            (["/a.md", "/shown"], "/team", .badShare(path: "/shown", reason: bad)),
            (["/a.md", "/own"], "/team", .badShare(path: "/own", reason: isShared)),
            (["/to-be-shared"], "/team", .badShare(path: "/to-be-shared", reason: isShared)),
            (["/team/part"], "/", .ownersToChange(path: "/team/part")),
            (["/"], "/team", .root),
        ]
        for (sources, destination, error) in refused {
            #expect(throws: error, "\(sources) to \(destination)") {
                _ = try move(desk, sources, to: destination)
            }
        }
        for (source, place) in [("/team/none", "/team/part/"), ("/team/part", "/team")] {
            #expect(throws: LockbookError.self, "copy \(source)") {
                _ = try desk.lockbook.copy([.path("/a.md"), FileReference(source)], to: place)
            }
        }
        for places in [
            ["/a.md", "/shown/s.md"], ["/team/plan.md", "/shown/s.md"], ["/team/plan.md", "/none"],
        ] {
            #expect(throws: LockbookError.self, "delete \(places)") {
                _ = try desk.lockbook.delete(places.map { FileReference($0) })
            }
        }

        #expect(try await desk.snapshot() == before.0)
        #expect(try trash(desk) == before.1)
        #expect(try desk.lockbook.status().changes == before.2)
    }

    @Test func `moves in opposite directions at once wait for each other`() async throws {
        let (_, desk) = try await shared(.write, holding: ["plan.md"] + Self.many("there"))
        for note in Self.many("here") { try desk.write("/\(note)", note) }
        let other = try desk.again()
        async let into: Void = moveAll(Self.many("here"), to: "/team/", desk)
        try moveAll(Self.many("there").map { "team/\($0)" }, to: "/", other)
        try await into
        let here = Self.many("here").map { "/team/\($0)" }
        let there = Self.many("there").map { "/\($0)" }
        #expect(try desk.paths() == ["/team"] + here + ["/team/plan.md"] + there)
    }

    private func moveAll(_ notes: [String], to destination: String, _ device: Device) throws {
        for note in notes { _ = try move(device, ["/\(note)"], to: destination) }
    }

    private static func many(_ word: String) -> [String] {
        (10..<30).map { "\(word) \($0).md" }
    }

    @Test func `what is on the server alone is fetched before it moves over a border`()
        async throws
    {
        let (laptop, desk) = try await shared(.write)
        let large = noise(11_700_000, seed: 1)
        try laptop.write("/team/large.txt", large)
        try await laptop.sync()
        try await desk.sync()
        try #require(try !desk.lockbook.info(.path("/team/large.txt")).isHere)

        #expect(throws: LockbookError.contentNotHere(path: "/team/large.txt")) {
            try move(desk, ["/team/plan.md", "/team/large.txt"], to: "/")
        }
        #expect(try desk.paths() == ["/team", "/team/large.txt", "/team/plan.md"])
        #expect(try trash(desk) == [])
        try await desk.lockbook.fetch(.path("/team/large.txt"))
        _ = try move(desk, ["/team/plan.md", "/team/large.txt"], to: "/")
        #expect(try await desk.text("/large.txt") == large)
    }

    @Test func `a copy takes what is behind links along, also into one of them`() async throws {
        let (laptop, desk) = try await shared(.write, holding: ["plan.md", "deep/d.md"])
        _ = try desk.lockbook.create(path: "/all/")
        try desk.write("/all/own.md", "own")
        try desk.move("/team", to: "/all/theirs")

        for (source, place) in [
            ("/all", "/all/theirs/deep"), ("/all/theirs", "/all/theirs/again"),
            ("/all/theirs/deep", "/all/theirs/deep/again"),
        ] {
            let inside = source == "/all" ? "/all/theirs" : source
            #expect(throws: LockbookError.intoItself(path: inside), "\(source)") {
                try desk.lockbook.copy([.path(source)], to: place)
            }
        }
        _ = try desk.lockbook.copy([.path("/all")], to: "/copy")
        _ = try desk.lockbook.copy([.path("/copy"), .path("/all/own.md")], to: "/all/theirs/deep")

        try await desk.sync()
        try await laptop.sync()
        #expect(
            try laptop.paths().filter { !$0.hasSuffix("/") } == [
                "/team/deep/copy/own.md", "/team/deep/copy/theirs/deep/d.md",
                "/team/deep/copy/theirs/plan.md", "/team/deep/d.md", "/team/deep/own.md",
                "/team/plan.md",
            ]
        )
        #expect(try await laptop.text("/team/deep/copy/theirs/deep/d.md") == "deep/d.md")
    }
}
