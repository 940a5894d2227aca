import LockbookEngine
import LockbookTestSupport
import Testing

/// A sync tells of what others deleted: they need not have seen what was written last.
struct ToldDeletionTests {
    let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    @Test func `who wrote last hears that a device which never saw it deleted the note`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "one"])

        try laptop.write("/a.md", "one, two")
        try await laptop.sync()
        try phone.delete("/a.md")
        let there = try await phone.sync()
        #expect(there.notes.map(\.kind) == [.deleted])
        #expect(there.deleted.isEmpty)

        let here = try await laptop.sync()
        #expect(here.deleted.isEmpty)
        #expect(here.notes.map(\.kind) == [.deleted] && here.notes.map(\.path) == ["/a.md"])
        #expect(try laptop.lockbook.conflicts().map(\.path) == ["/a.md"])
        _ = try laptop.lockbook.restore([.path("/a.md")])
        #expect(try await laptop.text("/a.md") == "one, two")
        try await converge(alice, laptop, phone)
    }

    @Test func `of a deleted folder its own path is told, and of what was dead before nothing`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(
            holding: ["dir/a.md": "a", "dir/sub/b.md": "b", "c.md": "c"]
        )

        try phone.delete("/dir/a.md")
        try await phone.sync()
        #expect(try await laptop.sync().deleted == ["/dir/a.md"])
        try phone.delete("/dir")
        try await phone.sync()
        #expect(try await laptop.sync().deleted == ["/dir"])
        #expect(try await laptop.sync().deleted.isEmpty)
        try await converge(alice, laptop, phone)
    }

    @Test func `who made a note in a folder that another device deleted hears of both`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(holding: ["dir/a.md": "a"])

        try laptop.write("/dir/new.md", "new")
        try await laptop.sync()
        try phone.delete("/dir")
        try await phone.sync()

        let report = try await laptop.syncAsForetold()
        #expect(report.deleted == ["/dir"])
        #expect(report.notes.map(\.kind) == [.trashed])
        #expect(report.notes.map(\.path) == ["/dir/new.md"])
        #expect(try await laptop.sync().notes.isEmpty)
    }

    @Test func `what was changed here and deleted elsewhere is told once, as that`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "one"])

        try phone.delete("/a.md")
        try await phone.sync()
        try laptop.write("/a.md", "two")
        let report = try await laptop.sync()

        #expect(report.notes.map(\.kind) == [.deleted])
        #expect(report.deleted.isEmpty)
        try await converge(alice, laptop, phone)
    }
}

/// The same of what others share.
struct ToldSharedDeletionTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    @Test func `a member's sync, and its dry run, name what the owner deleted by the link`()
        async throws
    {
        let (laptop, desk) = try await shared(holding: ["plan.md", "dir/a.md"])
        try desk.move("/team", to: "/ours")

        try laptop.delete("/team/dir")
        try await laptop.sync()

        #expect(try await desk.syncAsForetold().deleted == ["/ours/dir"])
        #expect(try await desk.sync().deleted.isEmpty)
    }
}
