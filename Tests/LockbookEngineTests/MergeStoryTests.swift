import LockbookEngine
import LockbookTestSupport
import Testing

/// Stories of two devices of one account, in both orders of syncing where it matters.
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

    @Test func `edits of different lines are merged`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "1\n2\n3\n4\n"])

        try laptop.write("/a.md", "one\n2\n3\n4\n")
        try phone.write("/a.md", "1\n2\n3\nfour\n")

        try await converge(alice, laptop, phone)
        #expect(try await phone.text("/a.md") == "one\n2\n3\nfour\n")
    }

    @Test func `edits of the same word both stay, between markers that name the devices`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "word\n"])

        try laptop.write("/a.md", "left\n")
        try phone.write("/a.md", "right\n")
        try await laptop.sync()
        let report = try await phone.sync()

        #expect(report.notes.map(\.kind) == [.markers])
        let text = try await phone.text("/a.md")
        #expect(text.contains("left\n") && text.contains("right\n"))
        #expect(text.contains("<<<<<<< alice on phone"))
        #expect(text.contains(">>>>>>> alice on laptop"))
        try await converge(alice, laptop, phone)
    }

    @Test func `what a device calls itself cannot turn the text around in which it is named`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        try laptop.write("/a.md", "word\n")
        try await laptop.sync()
        let name = "pho\u{202e}ne\n>>>>>>> " + String(repeating: "x", count: 1_000)
        let phone = try await alice.device(named: name, like: laptop)

        try phone.write("/a.md", "right\n")
        try laptop.write("/a.md", "left\n")
        try await phone.sync()
        try await laptop.sync()

        let text = try await laptop.text("/a.md")
        #expect(text.contains("\n>>>>>>> alice on pho\\u202ene\\u000a>>>>>>> x"))
        #expect(text.split(separator: "\n").allSatisfy { $0.utf8.count < 100 })
    }

    @Test func `binary documents changed on both sides both stay`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.bin": "\u{0}base"])

        try laptop.write("/a.bin", "\u{0}left")
        try phone.write("/a.bin", "\u{0}right")
        try await laptop.sync()
        let report = try await phone.sync()

        #expect(report.notes.map(\.kind) == [.keptBoth])
        #expect(try await phone.text("/a.bin") == "\u{0}left")
        #expect(try await phone.text("/a-1.bin") == "\u{0}right")
        try await converge(alice, laptop, phone)
    }

    @Test(arguments: [40_000, 65_536, 130_000, 300_000, 1_200_000])
    func `binary documents of every size are copied and kept twice`(size: Int) async throws {
        let (laptop, phone) = try await alice.twoDevices()

        try laptop.write("/x.bin", noise(size, seed: 1))
        try phone.write("/x.bin", noise(size, seed: 2))
        _ = try laptop.lockbook.copy([.path("/x.bin")], to: "/copy.bin")
        try await laptop.sync()
        try await phone.sync()

        #expect(try phone.paths() == ["/copy.bin", "/x-1.bin", "/x.bin"])
        #expect(try await phone.text("/x.bin") == noise(size, seed: 1))
        #expect(try await phone.text("/x-1.bin") == noise(size, seed: 2))
        #expect(try await phone.text("/copy.bin") == noise(size, seed: 1))
        try laptop.write("/x.bin", noise(size, seed: 3))
        try phone.write("/x.bin", noise(size, seed: 4))
        try await converge(alice, laptop, phone)
        #expect(try laptop.paths() == ["/copy.bin", "/x-1.bin", "/x-2.bin", "/x.bin"])
    }

    @Test func `the same edit on both devices is no conflict`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.bin": "\u{0}base"])

        try laptop.write("/a.bin", "\u{0}same")
        try phone.write("/a.bin", "\u{0}same")
        try await laptop.sync()
        let report = try await phone.sync()

        #expect(report.notes.isEmpty)
        #expect(report.pushed.isEmpty)
        try await converge(alice, laptop, phone)
    }

    @Test func `two new documents of one name with the same bytes become one`() async throws {
        let (laptop, phone) = try await alice.twoDevices()

        try laptop.write("/today.md", "same\n")
        try phone.write("/today.md", "same\n")

        try await converge(alice, laptop, phone)
        #expect(try phone.paths() == ["/today.md"])
    }

    @Test func `two new texts of one name are merged over nothing`() async throws {
        let (laptop, phone) = try await alice.twoDevices()

        try laptop.write("/today.md", "# Today\nleft\n")
        try phone.write("/today.md", "# Today\nright\n")

        try await converge(alice, laptop, phone)
        #expect(try phone.paths() == ["/today.md"])
        let text = try await laptop.text("/today.md")
        #expect(text.contains("left") && text.contains("right"))
        #expect(text.hasPrefix("# Today\n"))
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
