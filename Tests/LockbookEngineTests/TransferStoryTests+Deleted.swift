import LockbookEngine
import LockbookTestSupport
import Testing

/// The earlier owner deletes what somebody else has taken over already, without knowing it.
extension TransferStoryTests {
    @Test(arguments: ["/work/team", "/work"])
    func `deleted after it was accepted, it goes on with the new owner`(_ deleted: String)
        async throws
    {
        try await give()
        try await take()
        try await sync(desk, times: 1)
        try tablet.write("/from others/team of ada/late.md", "late")
        try await sync(tablet, times: 1)
        _ = try laptop.lockbook.delete([.path(deleted)])

        try await isGoneOn()
        // What was written in the old one meanwhile was deleted with it.
        #expect(try laptop.lockbook.trash().contains { $0.path == deleted })
        _ = try laptop.lockbook.restore([.path(deleted)])
        try await isAgreed()
        #expect(try await laptop.text("/work/team/late.md") == "late")
        #expect(try laptop.lockbook.shares().isEmpty)
    }

    @Test func `purged after it was accepted, it goes on with the new owner`() async throws {
        try await give()
        try await take()
        try await sync(desk, times: 1)
        _ = try laptop.lockbook.purge([.path("/work/team")])
        try await isGoneOn()
    }

    @Test(arguments: ["/work/team", "/work"])
    func `deleted while it was offered, it comes back as an ordinary share`(_ deleted: String)
        async throws
    {
        try await give()
        _ = try laptop.lockbook.delete([.path(deleted)])
        try await sync(laptop, desk)
        #expect(try laptop.lockbook.status().transfers == nil)
        _ = try laptop.lockbook.restore([.path(deleted)])
        try await isAgreed()
        #expect(try desk.lockbook.offers().isEmpty)
        #expect(try await desk.text("/ours/plan.md") == "plan")
    }

    private func isGoneOn() async throws {
        try await sync(laptop, desk, tablet)
        #expect(try desk.lockbook.shares().map(\.username) == ["ada", "eve"])
        #expect(try tablet.lockbook.offers().isEmpty)
        #expect(try await tablet.text("/from others/team of ada/plan.md") == "plan")
        try desk.write("/ours/plan.md", "by the new owner")
        try await isAgreed()
        #expect(try await tablet.text("/from others/team of ada/plan.md") == "by the new owner")
    }
}
