import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// A folder with a share in it that leaves another share, and the inner one goes back alone.
struct ShareMovedBackTests: SharingStories {
    let people: Sharers

    init() throws {
        people = try Sharers()
    }

    @Test func `is in the outer share again after one sync`() async throws {
        let laptop = try await ada.firstDevice()
        try laptop.write("/team/inner/inner/a.md", "a")
        try laptop.write("/other/b.md", "b")
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/team/inner/inner", .write, laptop, tablet)
        try await share("/team", .admin, laptop, desk)

        try laptop.move("/team/inner", to: "/other/")
        try laptop.move("/other/inner/inner", to: "/team/")
        let report = try await laptop.sync()

        #expect(report.notes.isEmpty)
        #expect(try laptop.lockbook.status().changes.isEmpty)
        for member in [desk, tablet] { try await member.sync() }
        #expect(try await desk.text("/team/inner/a.md") == "a")
        #expect(try await tablet.text("/inner/a.md") == "a")
        #expect(!(try desk.paths().contains { $0.hasPrefix("/team/inner/inner") }))
    }
}
