import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// A document in which something is to be decided is made anew, and that stays to be decided.
struct CarriedConflictTests: SharingStories {
    let people: Sharers

    init() throws {
        people = try Sharers()
    }

    /// Both wrote over the same word; bob has the places.
    private func conflicting() async throws -> (laptop: Device, desk: Device) {
        let (laptop, desk) = try await shared(.write, holding: ["plan.md"])
        try laptop.write("/team/plan.md", "left\n")
        try desk.write("/team/plan.md", "right\n")
        try await laptop.sync()
        try await desk.sync()
        #expect(try desk.lockbook.conflicts().map(\.path) == ["/team/plan.md"])
        return (laptop, desk)
    }

    private func expectOnly(_ path: String, on device: Device) throws {
        let conflicts = try device.lockbook.conflicts()
        #expect(conflicts.map(\.path) == [path] && conflicts.map(\.kind) == [.markers])
    }

    @Test func `by a move out of the share`() async throws {
        let (_, desk) = try await conflicting()
        _ = try desk.lockbook.move([.path("/team/plan.md")], to: "/plan.md")
        try expectOnly("/plan.md", on: desk)
        try await desk.sync()
        try expectOnly("/plan.md", on: desk)
    }

    @Test func `by a copy, until both are decided`() async throws {
        let (_, desk) = try await conflicting()
        _ = try desk.lockbook.copy([.path("/team/plan.md")], to: "/plan.md")
        #expect(try desk.lockbook.conflicts().map(\.path) == ["/plan.md", "/team/plan.md"])
        try desk.write("/plan.md", "decided\n")
        try expectOnly("/team/plan.md", on: desk)
        _ = try desk.lockbook.copy([.path("/plan.md")], to: "/again.md")
        try expectOnly("/team/plan.md", on: desk)
    }

    @Test func `by the end of the share, where words were not synced`() async throws {
        let (laptop, desk) = try await conflicting()
        let text = try await desk.text("/team/plan.md")
        try desk.write("/team/plan.md", text + "more\n")
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        let report = try await desk.sync()
        #expect(report.notes.map(\.kind).contains(.keptOwn))
        try expectOnly("/plan.md", on: desk)
        #expect(try await desk.text("/plan.md") == text + "more\n")
    }
}
