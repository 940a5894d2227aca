import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// How often what others share is opened.
struct OpenSharesTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    /// Bob's desk with four links to what ada shares, and one to what carol does.
    private func desk() async throws -> Device {
        let (laptop, desk) = try await shared()
        for note in ["/alone.md", "/one/note.md", "/two/note.md"] { try laptop.write(note, "note") }
        try await laptop.sync()
        try await share(["/alone.md", "/one", "/two"], .write, laptop, desk)
        let tablet = try await carol.firstDevice(named: "tablet")
        try tablet.write("/carols/note.md", "note")
        try await tablet.sync()
        try await share("/carols", .write, tablet, desk)
        return desk
    }

    /// How many of them are different ones.
    private func count(_ lockbooks: [Lockbook]) -> Int {
        Set(lockbooks.map { ObjectIdentifier($0.store) }).count
    }

    @Test func `an export opens each owner's store once, however many links lead there`()
        async throws
    {
        let desk = try await desk()
        let (_, links) = try desk.lockbook.exportTop(.path("/"))
        let lockbooks = links.compactMap { $0.place?.lockbook }
        #expect(lockbooks.count == 5)
        #expect(count(lockbooks) == 2)
    }

    @Test func `a search opens each owner's store once, however many links lead there`()
        async throws
    {
        let desk = try await desk()
        let behind = try desk.lockbook.searchPlaces([.path("/")]).behind
        #expect(behind.count == 5)
        #expect(count(behind.map(\.lockbook)) == 2)
    }

    /// Counts how often ada's store is opened on a device.
    private func openings(on desk: Device, link: String) throws -> Openings {
        let links = try desk.lockbook.store.read { try $0.allLinks() }
        let owner = try #require(links.first(where: { $0.path == link })).target.owner
        let directory = StoreContext.directory(of: owner, in: desk.lockbook.account)
        return try Openings(of: "\(directory)/\(LocalStore.fileName)")
    }

    @Test func `a move and a copy open an owner's store once, whatever they take`() async throws {
        let desk = try await desk()
        let sources = ["/one/note.md", "/two/note.md", "/team/plan.md"]
        let ends = try desk.lockbook.ends(of: sources.map { .path($0) }, "/one")
        #expect(count(ends.sources.map(\.lockbook) + [ends.target.lockbook]) == 1)
    }

    @Test func `links that are copied open an owner's store once`() async throws {
        let desk = try await desk()
        for folder in ["/few/", "/many/"] { _ = try desk.lockbook.create(path: folder) }
        try desk.move("/one", to: "/few/")
        try desk.move("/two", to: "/many/")
        let openings = try openings(on: desk, link: "/few/one")
        _ = try desk.lockbook.copy([.path("/few")], to: "/copy")
        let once = openings.take()
        #expect(once > 0)
        for link in ["/team", "/alone.md"] { try desk.move(link, to: "/many/") }
        _ = openings.take()
        _ = try desk.lockbook.copy([.path("/many")], to: "/copies")
        #expect(openings.take() == once)
        #expect(try await desk.text("/copies/two/note.md") == "note")
        #expect(try await desk.text("/copies/team/plan.md") == "plan.md")
        #expect(try await desk.text("/copies/alone.md") == "note")
    }

    @Test func `files that are made behind several links open an owner's store once`()
        async throws
    {
        let desk = try await desk()
        let openings = try openings(on: desk, link: "/one")
        _ = try desk.lockbook.create(paths: ["/one/a.md"])
        let once = openings.take()
        #expect(once > 0)
        let made = try desk.lockbook.create(paths: ["/one/b.md", "/two/b.md", "/team/b.md"])
        #expect(openings.take() == once)
        #expect(
            try made.map { try $0.get().path } == ["/one/b.md", "/two/b.md", "/team/b.md"]
        )
    }

    @Test func `a list of the trash opens an owner's store once, whatever links are in it`()
        async throws
    {
        let desk = try await desk()
        let openings = try openings(on: desk, link: "/one")
        try desk.delete("/one")
        _ = openings.take()
        #expect(try desk.lockbook.trash().map(\.path) == ["/one"])
        let once = openings.take()
        #expect(once > 0)
        for link in ["/two", "/alone.md"] { try desk.delete(link) }
        _ = openings.take()
        #expect(try desk.lockbook.trash().map(\.path) == ["/alone.md", "/one", "/two"])
        #expect(openings.take() == once)
    }
}
