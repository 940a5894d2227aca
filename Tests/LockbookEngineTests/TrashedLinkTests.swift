import LockbookEngine
import LockbookTestSupport
import Testing

/// Links in the trash of what is to be shared, where no record of one can be.
struct TrashedLinkTests: SharingStories {
    let people: Sharers
    let reason = """
        the folder around it cannot be shared with a link in it, also one in the trash: \
        `lockbook trash empty PATH` and a sync purge it
        """
    var failure: LockbookError { .badShare(path: "/mine/team", reason: reason) }

    init() throws { people = try Sharers() }

    /// Ada's laptop, and bob's desk, where the link to `/team` is in the trash of `/mine`.
    func devices(isTakenBack: Bool) async throws -> (laptop: Device, desk: Device) {
        let (laptop, desk) = try await shared()
        try desk.write("/mine/own.md", "own")
        try desk.move("/team", to: "/mine/")
        try await desk.sync()
        if isTakenBack {
            try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
            try await laptop.sync()
        } else {
            try desk.delete("/mine/team")
        }
        try await desk.sync()
        #expect(try desk.paths() == ["/mine/", "/mine/own.md"])
        return (laptop, desk)
    }

    func letIn(_ path: String, by device: Device) async throws {
        _ = try await device.lockbook.share(.path(path), with: "ada", mode: .read)
    }

    @Test(arguments: [false, true])
    func `a link in the trash is named where it is in the way of a share, until it is purged`(
        isTakenBack: Bool
    ) async throws {
        let (laptop, desk) = try await devices(isTakenBack: isTakenBack)
        await #expect(throws: failure) { try await letIn("/mine", by: desk) }

        #expect(try desk.lockbook.emptyTrash([.path("/mine/team")]) == 1)
        try await letIn("/mine", by: desk)
        #expect(try desk.lockbook.status().heldShares == nil)
        #expect(try await desk.sync().notes.filter { $0.kind == .notPushed } == [])
        try await laptop.sync()
        #expect(try laptop.lockbook.offers().count == 1)
        try await converge(bob, desk)
    }

    @Test(arguments: [false, true])
    func `a folder goes into a share when the link in its trash was purged`(
        isTakenBack: Bool
    ) async throws {
        let (_, desk) = try await devices(isTakenBack: isTakenBack)
        _ = try desk.lockbook.create(path: "/ours/")
        try await desk.sync()
        try await letIn("/ours", by: desk)
        #expect(throws: failure) { try desk.move("/mine", to: "/ours/") }
        try await desk.sync()
        #expect(throws: failure) { try desk.move("/mine", to: "/ours/") }

        #expect(try desk.lockbook.emptyTrash([.path("/mine/team")]) == 1)
        try await desk.sync()
        try desk.move("/mine", to: "/ours/")
        try await converge(bob, desk)
        #expect(try desk.paths() == ["/ours/", "/ours/mine/", "/ours/mine/own.md"])
    }

    @Test func `what a share waits for is told where it is in the trash`() async throws {
        let (_, desk) = try await shared()
        _ = try desk.lockbook.create(path: "/mine/")
        try await desk.sync()
        let tablet = try await bob.device(named: "tablet", like: desk)
        try await letIn("/mine", by: tablet)
        try desk.move("/team", to: "/mine/")
        try await desk.sync()
        try await tablet.sync()
        try tablet.delete("/mine/team")

        let left = try await tablet.sync().notes.filter { $0.kind == .notPushed }
        let held = try #require(try tablet.lockbook.status().heldShares)
        #expect(held.map(\.path) == ["/mine/team"])
        #expect(held.map(\.reason) == [reason + "; not shared yet with ada"])
        #expect(held.map(\.path) == left.map(\.path) && held.map(\.reason) == left.map(\.detail))

        #expect(try tablet.lockbook.emptyTrash([.path("/mine/team")]) == 1)
        #expect(try tablet.lockbook.status().heldShares == nil)
        #expect(try await tablet.sync().notes.filter { $0.kind == .notPushed } == [])
        try await converge(bob, desk, tablet)
    }
}
