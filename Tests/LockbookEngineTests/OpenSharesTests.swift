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
        let (_, behind) = try desk.lockbook.searchPlaces([.path("/")])
        #expect(behind.count == 5)
        #expect(count(behind.map(\.lockbook)) == 2)
    }
}
