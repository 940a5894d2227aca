import LockbookEngine
import LockbookTestSupport
import Testing

/// A member who signs nonsense in what he may write to.
struct DamagedShareTests: SharingStories {
    let people: Sharers

    init() throws {
        people = try Sharers()
    }

    /// The owner's device and the member's, and what the owner's calls the file that does not open.
    private func spoiled() async throws -> (laptop: Device, desk: Device, path: String) {
        let (laptop, desk) = try await shared()
        try desk.write("/team/new.md", "new")
        try desk.spoilSharedChanges()
        try await desk.sync()
        let report = try await laptop.sync()
        let note = try #require(report.notes.first { $0.kind == .damaged })
        #expect(note.path.hasPrefix("/team/damaged-"))
        return (laptop, desk, note.path)
    }

    @Test func `does not keep a share from being taken back`() async throws {
        let (laptop, desk, path) = try await spoiled()
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try laptop.write("/team/secret.md", "secret")
        let report = try await laptop.sync()
        #expect(report.purged == [path])
        #expect(report.notes.isEmpty)

        let last = try await desk.sync()
        #expect(last.notes.map(\.kind) == [.takenBack])
        #expect(try desk.paths().isEmpty)
        try await converge(ada, laptop)
        #expect(try laptop.paths() == ["/team/", "/team/plan.md", "/team/secret.md"])
    }

    @Test func `keeps anybody new out, who is told of with what is in the way and what to do`()
        async throws
    {
        let (laptop, _, path) = try await spoiled()
        let phone = try await carol.firstDevice(named: "phone")
        _ = try await laptop.lockbook.share(.path("/team"), with: "carol", mode: .read)
        let notes = try await laptop.sync().notes
        #expect(notes.map(\.kind) == [.notPushed])
        #expect(notes.map(\.path) == [path])
        #expect(
            notes.map(\.detail) == [
                "it is damaged, as bob wrote it: delete it, or first sync a device on which it opens"
                    + "; not shared yet with carol"
            ]
        )
        _ = try laptop.lockbook.delete([.path(path)])
        #expect(try await laptop.sync().notes.isEmpty)
        try await phone.sync()
        #expect(try phone.lockbook.offers().map(\.name) == ["team"])
    }

    @Test func `what he signed is purged when its owner deletes it`() async throws {
        let (laptop, desk, path) = try await spoiled()
        _ = try laptop.lockbook.delete([.path(path)])
        #expect(try laptop.paths() == ["/team/", "/team/plan.md"])
        #expect(try laptop.lockbook.trash().isEmpty)
        #expect(try await laptop.sync().purged == [path])
        try laptop.write("/team/plan.md", "goes on")
        #expect(try await laptop.sync().pushed == ["/team/plan.md"])
        try await converge(ada, laptop)
        try await desk.sync()
        #expect(try await desk.text("/team/plan.md") == "goes on")
    }

    @Test func `what does not open is its owner's to delete`() async throws {
        let (laptop, desk, path) = try await spoiled()
        let tablet = try await bob.device(named: "tablet", like: desk)
        #expect(throws: LockbookError.ownersToPurge(path: path)) {
            try tablet.lockbook.delete([.path(path)])
        }
        #expect(try await tablet.sync().pushed.isEmpty)
        try laptop.delete("/team")
        try await laptop.sync()
        #expect(try laptop.paths().isEmpty)
    }
}
