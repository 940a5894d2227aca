import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// How long members keep what is in the trash of a share.
struct SharedTrashTimeTests: SharingStories {
    let people: Sharers

    init() throws {
        people = try Sharers()
    }

    /// Bob's desk deleted a note in ada's share, and since then the trash was kept for long enough.
    private func deleted() async throws -> (laptop: Device, desk: Device) {
        let (laptop, desk) = try await shared(holding: ["one.md", "two.md"])
        try desk.delete("/team/one.md")
        try await desk.sync()
        ada.pass(10, laptop, desk)
        // The owner hears of it later, so that its time is not over for her.
        try await laptop.sync()
        ada.pass(21, laptop, desk)
        return (laptop, desk)
    }

    @Test func `a member sends what he writes, and purges nothing`() async throws {
        let (laptop, desk) = try await deleted()
        try desk.write("/team/two.md", "later words")
        let report = try await desk.syncAsForetold()

        #expect(report.pushed == ["/team/two.md"] && report.purged == [])
        #expect(try desk.lockbook.status().changes == [])
        #expect(try desk.lockbook.trash().map(\.path) == ["/team/one.md"])
        try await laptop.sync()
        #expect(try await laptop.text("/team/two.md") == "later words")
        #expect(try laptop.lockbook.trash().map(\.path) == ["/team/one.md"])
        // For her the time comes ten days later, and it is gone for both.
        ada.pass(10, laptop, desk)
        #expect(try await laptop.sync().purged == ["/team/one.md"])
        try await desk.sync()
        #expect(try desk.lockbook.trash() == [])
    }

    @Test func `what is in a member's trash for long can be restored`() async throws {
        let (laptop, desk) = try await deleted()
        try desk.write("/team/two.md", "later words")
        try await desk.sync()
        _ = try desk.lockbook.restore([.path("/team/one.md")])
        #expect(try await desk.sync().pushed == ["/team/one.md"])
        try await laptop.sync()
        #expect(try await laptop.text("/team/one.md") == "one.md")
    }

    /// An earlier program left it at that.
    @Test func `what a member's device had marked as purged is in the trash after the next sync`()
        async throws
    {
        let (laptop, desk) = try await deleted()
        let other = try #require(try desk.lockbook.askOthers(UnreadTrees()) { $0 }.first)
        let reference = try #require(try other.reference(.path("/team/one.md")))
        try other.lockbook.store.write { try $0.purge($0.findTrashed(reference)) }
        #expect(try desk.lockbook.status().changes.map(\.kind) == [.purged])

        let report = try await desk.syncAsForetold()
        #expect(report.pushed == [] && report.purged == [])
        #expect(try desk.lockbook.status().changes == [])
        _ = try desk.lockbook.restore([.path("/team/one.md")])
        try await desk.sync()
        try await laptop.sync()
        #expect(try await laptop.text("/team/one.md") == "one.md")
    }
}
