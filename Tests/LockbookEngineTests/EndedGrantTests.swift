import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// A new device reads of a grant that ended before its time in what tells of another share.
struct EndedGrantTests: SharingStories {
    let people: Sharers

    init() throws {
        people = try Sharers()
    }

    @Test func `it holds no more when its folder comes into sight and goes again`() async throws {
        let (laptop, desk) = try await shared(.write, holding: ["plan.md", "inner/a.md"])
        try await share("/team/inner", .read, laptop, desk)
        try laptop.move("/team/inner", to: "/inner")
        try await laptop.sync()
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        try laptop.move("/team", to: "/inner/team")
        try await laptop.sync()
        try laptop.move("/inner/team", to: "/team")
        try await laptop.sync()
        try laptop.write("/team/plan.md", "ada's alone")
        try laptop.write("/inner/a.md", "for bob")
        try await laptop.sync()
        try await desk.sync()
        let offer = try #require(try desk.lockbook.offers().first)
        _ = try desk.lockbook.acceptShare(id: offer.id, to: "/inner")
        try await desk.sync()

        let tablet = try await bob.device(named: "tablet", like: desk)
        try await tablet.sync()

        for device in [desk, tablet] {
            let texts = try device.paths().filter { $0.hasSuffix(".md") }
            #expect(texts == ["/inner/a.md"])
            #expect(try await device.text("/inner/a.md") == "for bob")
        }
        try await converge(bob, desk, tablet)
    }
}
