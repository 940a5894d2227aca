import LockbookEngine
import LockbookTestSupport
import Testing

/// Tags and links of notes behind links.
struct BehindLinkNotesTests: SharingStories {
    let people: Sharers

    init() throws {
        people = try Sharers()
    }

    @Test func `tags and links go through links`() async throws {
        let (laptop, desk) = try await shared(holding: ["other.md"])
        try laptop.write("/team/plan.md", "[[other]] #boat\n")
        try laptop.write("/one.md", "[[plan]] #Boat/sail\n")
        try await share("/one.md", .read, laptop, desk)
        try desk.write("/own.md", "[[/team/other]] and [[one]]\n#car\n")
        let lockbook = desk.lockbook

        #expect(try lockbook.tags().found.map(\.tag) == ["boat", "Boat/sail", "car"])
        #expect(
            try lockbook.documents(tagged: "boat").found.map(\.path) == [
                "/one.md", "/team/plan.md",
            ]
        )
        #expect(
            try lockbook.links(of: .path("/own.md")).map(\.path) == [
                "/team/other.md", "/one.md",
            ]
        )
        #expect(try lockbook.links(of: .path("/team/plan.md")).map(\.path) == ["/team/other.md"])
        #expect(try lockbook.links(of: .path("/one.md")).map(\.path) == ["/team/plan.md"])
        #expect(
            try lockbook.backlinks(to: .path("/team/other.md")).found.map(\.path) == [
                "/own.md", "/team/plan.md",
            ]
        )
        #expect(try lockbook.backlinks(to: .path("/one.md")).found.map(\.path) == ["/own.md"])
        #expect(throws: LockbookError.notADocument(path: "/team")) {
            try lockbook.links(of: .path("/team"))
        }
        // The owner's own tree has no links, and the answers of old.
        #expect(try laptop.lockbook.backlinks(to: .path("/team/other.md")).found.count == 1)
    }

    @Test func `what takes a search too long behind a link is told as it is called here`()
        async throws
    {
        let (laptop, desk) = try await shared()
        try laptop.write("/team/plan.md", String(repeating: "a", count: 60) + "!")
        for device in [laptop, desk] { try await device.sync() }
        var expression = SearchQuery("(a+)+$")
        expression.isExpression = true
        let query = expression
        for place in ["/", "/team/plan.md"] {
            var events: [SearchEvent] = []
            try await desk.lockbook.search(query, in: [.path(place)]) { events += $0 }
            let error = LockbookError.tooCostly(query: query.text, path: "/team/plan.md")
            #expect(events == [.unreadable(path: "/team/plan.md", error)])
        }
    }

    @Test func `behind a link only its owner deletes for good`() async throws {
        let (_, desk) = try await shared()
        #expect(throws: LockbookError.ownersToPurge(path: "/team/plan.md")) {
            try desk.lockbook.purge([.path("/team/plan.md")])
        }
        #expect(throws: LockbookError.ownersToPurge(path: "/team/plan.md")) {
            try desk.lockbook.countPurged(in: [.path("/team/plan.md")])
        }
        #expect(try desk.lockbook.countPurged(in: [.path("/team")]) == 0)
        let plan = try desk.lockbook.info(.path("/team/plan.md")).id
        #expect(throws: LockbookError.ownersToPurge(path: "/team/plan.md")) {
            try desk.lockbook.purge([.id(prefix: plan)])
        }
        #expect(try desk.paths() == ["/team", "/team/plan.md"])
    }

    @Test func `what stands behind a link is counted and looked into`() async throws {
        let (_, desk) = try await shared()
        #expect(try desk.lockbook.childCount(.path("/team/plan.md")) == 0)
        try desk.write("/team/old/a.md", "a\n")
        #expect(try desk.lockbook.childCount(.path("/team/old")) == 1)
        let fields = try desk.lockbook.debugInfo(.path("/team/old/a.md"))
        #expect(fields.contains { $0 == ("path", "/team/old/a.md") })
    }
}
