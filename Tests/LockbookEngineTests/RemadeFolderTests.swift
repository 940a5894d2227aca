import LockbookEngine
import LockbookTestSupport
import Testing

/// What is new in a folder that is gone for good: it stands in the one that was made anew for that, or
/// as near as there is one.
struct RemadeFolderTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    @Test func `what is new in a restored folder that was purged stands in it`() async throws {
        let (laptop, phone) = try await ada.twoDevices(
            holding: ["f/in/y.md": "y", "f/old.md": "old", "new.md": "another"]
        )
        try laptop.delete("/f/in")
        for device in [laptop, phone] { try await device.sync() }
        _ = try phone.lockbook.restore([.path("/f/in")])
        try phone.write("/f/in/new.md", "new")
        try phone.write("/f/in/nf/q.md", "q")
        try phone.move("/f/old.md", to: "/f/in/nf/")
        _ = try laptop.lockbook.emptyTrash()
        try await laptop.sync()

        let report = try await phone.sync()
        #expect(report.notes.map(\.kind) == [.rescued, .rescued])
        try await converge(ada, laptop, phone)
        #expect(
            try laptop.paths() == [
                "/f/", "/f/in/", "/f/in/new.md", "/f/in/nf/", "/f/in/nf/old.md", "/f/in/nf/q.md",
                "/f/in/y.md", "/new.md",
            ]
        )
        #expect(try await laptop.text("/f/in/new.md") == "new")
        #expect(try await laptop.text("/f/in/nf/q.md") == "q")
        #expect(try await laptop.text("/f/in/y.md") == "y")
    }

    @Test func `so it does in a folder that was moved out of what was purged`() async throws {
        let (laptop, phone) = try await ada.twoDevices(holding: ["trip/in/a.md": "a"])
        _ = try laptop.lockbook.purge([.path("/trip")])
        try await laptop.sync()
        try phone.move("/trip/in", to: "/out")
        try phone.write("/out/new.md", "new")
        try await phone.sync()
        try await converge(ada, laptop, phone)
        #expect(try laptop.paths() == ["/out/", "/out/a.md", "/out/new.md"])
    }

    @Test func `what was made anew becomes one with what has its name by now`() async throws {
        let (laptop, phone) = try await ada.twoDevices(holding: ["f/in/y.md": "y", "k.md": "k"])
        try laptop.delete("/f/in")
        for device in [laptop, phone] { try await device.sync() }
        _ = try phone.lockbook.restore([.path("/f/in")])
        try phone.write("/f/in/new.md", "new")
        _ = try laptop.lockbook.emptyTrash()
        try laptop.write("/f/in/z.md", "z")
        try await laptop.sync()
        try await phone.sync()
        try await converge(ada, laptop, phone)
        #expect(
            try laptop.paths() == [
                "/f/", "/f/in/", "/f/in/new.md", "/f/in/y.md", "/f/in/z.md", "/k.md",
            ]
        )
    }

    @Test func `what a member writes in a folder that he restored reaches its owner`() async throws
    {
        let (laptop, desk) = try await shared(holding: ["in/y.md"])
        try laptop.delete("/team/in")
        try await laptop.sync()
        try await desk.sync()
        _ = try desk.lockbook.restore([.path("/team/in")])
        try desk.write("/team/in/new.md", "new")
        try desk.write("/team/in/nf/q.md", "q")
        _ = try laptop.lockbook.emptyTrash()
        try await laptop.sync()

        let report = try await desk.sync()
        #expect(report.notes.map(\.kind) == [.rescued, .rescued])
        try await laptop.sync()
        let expected = [
            "/team/", "/team/in/", "/team/in/new.md", "/team/in/nf/", "/team/in/nf/q.md",
            "/team/in/y.md",
        ]
        #expect(try laptop.paths() == expected)
        #expect(try await laptop.text("/team/in/new.md") == "new")
        try await converge(ada, laptop)
        try await converge(bob, desk)
    }

    @Test func `what a member writes in a folder that its owner purges stays in the share`()
        async throws
    {
        let (laptop, desk) = try await shared(holding: ["in/deep/y.md", "stays.md"])
        try desk.write("/team/in/deep/new.md", "new")
        _ = try laptop.lockbook.purge([.path("/team/in")])
        try await laptop.sync()

        let report = try await desk.sync()
        #expect(report.notes.map(\.kind) == [.folderGone])
        #expect(report.notes.map(\.path) == ["/team/new.md"])
        #expect(report.notes.map(\.detail) == ["/team/in/deep/new.md"])
        try await laptop.sync()
        #expect(try laptop.paths() == ["/team/", "/team/new.md", "/team/stays.md"])
        #expect(try await laptop.text("/team/new.md") == "new")
        try await converge(ada, laptop)
        try await converge(bob, desk)
    }

    @Test(arguments: [false, true])
    func `what leaves a share is told of where it stood`(isPurged: Bool) async throws {
        let (laptop, desk) = try await shared(holding: ["in/y.md"])
        try desk.write("/team/in/new.md", "new")
        try desk.write("/team/in/nf/q.md", "q")
        if isPurged {
            _ = try laptop.lockbook.purge([.path("/team")])
        } else {
            try laptop.move("/team/in", to: "/")
        }
        try await laptop.sync()

        let report = try await desk.sync()
        let kept = report.notes.filter { $0.kind == .keptOwn }
        #expect(kept.map(\.path).sorted() == ["/new.md", "/q.md"])
        #expect(kept.map(\.detail).sorted() == ["/team/in/new.md", "/team/in/nf/q.md"])
        #expect(report.notes.filter { $0.kind == .undone }.map(\.path) == ["/team/in/nf"])
        #expect(!report.notes.contains { $0.kind == .folderGone })
        #expect(try await desk.text("/new.md") == "new")
        try await converge(bob, desk)
    }
}
