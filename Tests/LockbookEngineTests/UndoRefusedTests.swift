import LockbookEngine
import LockbookTestSupport
import Testing

/// What was changed since by somebody else is not overwritten.
struct UndoRefusedTests {
    let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    private func refuses(_ device: Device, _ reason: String) async throws {
        let before = try await device.snapshot()
        #expect(throws: LockbookError.cannotUndo(reason: reason)) {
            try device.lockbook.undo()
        }
        #expect(try await device.snapshot() == before)
        #expect(try device.lockbook.validate() == [])
    }

    @Test func `a text that another device changed since stays`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "one", "b.md": "one"])
        laptop.lockbook.joinChanges()
        try laptop.write("/a.md", "two")
        try laptop.write("/b.md", "two")
        try await converge(alice, laptop, phone)
        try phone.write("/b.md", "three")
        try await converge(alice, laptop, phone)
        try await refuses(laptop, "/b.md was changed since")
    }

    @Test func `where another device moved the file only the text is taken back`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "one", "f/": ""])
        try laptop.write("/a.md", "two")
        try await converge(alice, laptop, phone)
        try phone.move("/a.md", to: "/f/b.md")
        try await converge(alice, laptop, phone)
        let undone = try laptop.lockbook.undo()
        #expect(undone.changes.map { "\($0.change) \($0.path)" } == ["edited /f/b.md"])
        try await converge(alice, laptop, phone)
        #expect(try await phone.text("/f/b.md") == "one")
    }

    @Test func `a name that is taken since is not given twice`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "one"])
        try laptop.delete("/a.md")
        try await converge(alice, laptop, phone)
        try phone.write("/a.md", "another")
        try await converge(alice, laptop, phone)
        try await refuses(laptop, "another file is at /a.md now")
    }

    @Test func `a folder that others put something into is not taken away`() async throws {
        let (laptop, phone) = try await alice.twoDevices()
        _ = try laptop.lockbook.create(path: "/trip/")
        try await converge(alice, laptop, phone)
        try phone.write("/trip/plan.md", "by train")
        try await converge(alice, laptop, phone)
        try await refuses(laptop, "/trip/plan.md is in a folder that it made")
    }

    @Test func `a file whose folder was deleted since does not go back there`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["f/": "", "f/a.md": "one"])
        try laptop.move("/f/a.md", to: "/a.md")
        try await converge(alice, laptop, phone)
        try phone.delete("/f")
        try await converge(alice, laptop, phone)
        try await refuses(laptop, "the folder that /a.md stood in is no more")
    }

    @Test func `two moves that would make a circle are not taken back one by one`() async throws {
        let laptop = try await alice.firstDevice()
        for path in ["/a/", "/a/b/"] { _ = try laptop.lockbook.create(path: path) }
        try laptop.move("/a/b", to: "/b")
        try laptop.move("/a", to: "/b/a")
        let before = try await laptop.snapshot()
        #expect(throws: LockbookError.self) { try laptop.lockbook.undo(3) }
        #expect(try await laptop.snapshot() == before)
        _ = try laptop.lockbook.undo(4)
        _ = try laptop.lockbook.undo(3)
        #expect(try laptop.paths() == ["/a/", "/a/b/"])
    }

    @Test func `what was deleted for good does not come back`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "one", "b.md": "one"])
        try laptop.write("/a.md", "two")
        try laptop.write("/b.md", "two")
        try await laptop.sync()
        _ = try laptop.lockbook.purge([FileReference("/a.md")])
        try await refuses(laptop, "something that it changed was deleted for good")
        try await converge(alice, laptop, phone)
        #expect(
            try laptop.lockbook.commands().map(\.obstacle)
                == [.purged, nil, .purged, nil, .purged]
        )
        _ = try laptop.lockbook.undo(try laptop.lockbook.commands()[1].number)
        #expect(try await laptop.text("/b.md") == "one")
    }

    @Test func `a conflict that was decided is there again`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "word\n"])
        try phone.write("/a.md", "there\n")
        try await phone.sync()
        try laptop.write("/a.md", "here\n")
        try await laptop.sync()
        let marked = try await laptop.text("/a.md")
        _ = try laptop.lockbook.resolve(FileReference("/a.md"), keeping: .remote)
        #expect(try await laptop.text("/a.md") == "there\n")
        _ = try laptop.lockbook.undo()
        #expect(try await laptop.text("/a.md") == marked)
        #expect(try laptop.lockbook.conflicts().map(\.path) == ["/a.md"])
        try await converge(alice, laptop, phone)
    }
}
