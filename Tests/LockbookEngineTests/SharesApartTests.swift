import LockbookEngine
import LockbookTestSupport
import Testing

/// Something is wrong with what this device has of another account's tree.
struct SharesApartTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    @Test func `what is wrong with a share keeps nothing else from being synced`() async throws {
        let (laptop, desk) = try await shared(holding: ["plan.md", "deep/note.md"])
        let phone = try await bob.device(named: "phone", like: desk)
        let tablet = try await carol.firstDevice(named: "tablet")
        try tablet.write("/hers/note.md", "hers")
        try await tablet.sync()
        try await share("/hers", .write, tablet, desk)
        try desk.write("/team/deep/note.md", "changed")
        try desk.write("/hers/note.md", "of bob")
        try desk.write("/own.md", "own")
        try desk.loseSharedFolders()
        try laptop.write("/team/plan.md", "plan of ada")
        try await laptop.sync()

        await #expect(throws: LockbookError.self) { try await desk.sync() }

        try await phone.sync()
        #expect(try await phone.text("/own.md") == "own")
        try await tablet.sync()
        #expect(try await tablet.text("/hers/note.md") == "of bob")
        try desk.write("/own.md", "own, later")
        await #expect(throws: LockbookError.self) { try await desk.sync() }
        try await phone.sync()
        #expect(try await phone.text("/own.md") == "own, later")
    }
}
