import LockbookEngine
import LockbookTestSupport
import Testing

/// Stories of two devices of one account that change the tree, in both orders of syncing where it
/// matters.
struct MergeStoryTests {
    let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    @Test func `what one device writes, the other reads`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["notes/a.md": "one"])

        #expect(try await phone.text("/notes/a.md") == "one")
        try await converge(alice, laptop, phone)
    }

    @Test func `when two devices rename a file, the first to sync names it`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["notes.md": ""])

        try laptop.move("/notes.md", to: "/plans.md")
        try phone.move("/notes.md", to: "/ideas.md")
        try await laptop.sync()
        let report = try await phone.sync()

        #expect(report.notes.map(\.kind) == [.renameUndone])
        #expect(report.notes.first?.detail == "ideas.md")
        #expect(try phone.paths() == ["/plans.md"])
        try await converge(alice, laptop, phone)
    }

    @Test func `a move here and a rename there are both kept`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "x", "dir/": ""])

        try laptop.move("/a.md", to: "/b.md")
        try phone.move("/a.md", to: "/dir/")

        try await converge(alice, laptop, phone)
        #expect(try phone.paths() == ["/dir/", "/dir/b.md"])
    }

    @Test func `a folder made on both devices is one folder with both contents`() async throws {
        let (laptop, phone) = try await alice.twoDevices()

        try laptop.write("/f/sub/a.md", "a")
        try phone.write("/f/sub/b.md", "b")

        try await converge(alice, laptop, phone)
        #expect(try phone.paths() == ["/f/", "/f/sub/", "/f/sub/a.md", "/f/sub/b.md"])
    }

    @Test func `a document and a folder of one name both stay`() async throws {
        let (laptop, phone) = try await alice.twoDevices()

        _ = try laptop.lockbook.create(path: "/x/")
        try phone.write("/x", "doc")

        try await converge(alice, laptop, phone)
        #expect(try laptop.paths() == ["/x/", "/x-1"])
    }

    @Test func `folders moved into each other: the move that was not first is undone`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a/": "", "b/": ""])

        try laptop.move("/a", to: "/b/")
        try phone.move("/b", to: "/a/")
        try await laptop.sync()
        let report = try await phone.sync()

        #expect(report.notes.map(\.kind) == [.moveUndone])
        #expect(try phone.paths() == ["/b/", "/b/a/"])
        try await converge(alice, laptop, phone)
    }

    @Test func `deleted wins over edited, and the edit is in the trash`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "base", "b.md": "base"])

        try laptop.delete("/a.md")
        try laptop.write("/b.md", "edited")
        try phone.write("/a.md", "edited")
        try phone.delete("/b.md")
        try await laptop.sync()
        let report = try await phone.sync()

        #expect(Set(report.notes.map(\.kind)) == [.deleted])
        #expect(try phone.paths() == [])
        try await converge(alice, laptop, phone)
    }

    @Test func `a new note in a folder deleted elsewhere goes to the trash and is reported`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(holding: ["f/a.md": "a"])

        try laptop.delete("/f")
        try phone.write("/f/new.md", "new")
        try await laptop.sync()
        let report = try await phone.sync()

        #expect(report.notes.map(\.kind) == [.trashed])
        #expect(try phone.paths() == [])
        try await converge(alice, laptop, phone)
    }

    @Test func `a move out of a folder deleted elsewhere rescues the file`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["f/a.md": "a", "f/b.md": "b"])

        try laptop.delete("/f")
        try phone.move("/f/a.md", to: "/a.md")

        try await converge(alice, laptop, phone)
        #expect(try laptop.paths() == ["/a.md"])
        #expect(try await laptop.text("/a.md") == "a")
    }

    @Test func `a move into a folder deleted elsewhere is undone`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["f/": "", "a.md": "a"])

        try laptop.delete("/f")
        try phone.move("/a.md", to: "/f/")
        try await laptop.sync()
        let report = try await phone.sync()

        #expect(report.notes.map(\.kind) == [.moveUndone])
        #expect(try phone.paths() == ["/a.md"])
        try await converge(alice, laptop, phone)
    }

    @Test func `names that change places arrive changed`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "a", "b.md": "b"])

        try laptop.move("/a.md", to: "/c.md")
        try laptop.move("/b.md", to: "/a.md")
        try laptop.move("/c.md", to: "/b.md")

        try await converge(alice, laptop, phone)
        #expect(try await phone.text("/a.md") == "b")
        #expect(try await phone.text("/b.md") == "a")
    }

    @Test func `names that change places on both devices still converge`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "a", "b.md": "b"])

        for device in [laptop, phone] {
            try device.move("/a.md", to: "/c.md")
            try device.move("/b.md", to: "/a.md")
            try device.move("/c.md", to: "/b.md")
        }

        try await converge(alice, laptop, phone)
        #expect(try await phone.text("/a.md") == "b")
    }

    @Test func `a move into a name that was taken meanwhile gets a number`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["f/": "", "a.md": "phone's"])

        try laptop.write("/f/a.md", "laptop's")
        try phone.move("/a.md", to: "/f/")
        try await laptop.sync()
        let report = try await phone.sync()

        #expect(report.notes.map(\.kind) == [.renamed])
        #expect(try await phone.text("/f/a.md") == "laptop's")
        #expect(try await phone.text("/f/a-1.md") == "phone's")
        try await converge(alice, laptop, phone)
    }

    @Test func `edit a note in a folder and delete the folder, on one device`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["f/a.md": "a", "x.md": "x"])

        try laptop.write("/f/a.md", "edited")
        try laptop.write("/f/new.md", "new")
        try laptop.move("/x.md", to: "/f/")
        try laptop.delete("/f")

        try await converge(alice, laptop, phone)
        #expect(try phone.paths() == [])
    }
}
