import LockbookEngine
import LockbookTestSupport
import Testing

/// Stories of two devices that write the same document, or documents of one name.
struct MergeContentStoryTests {
    let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
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

    @Test func `both versions of a binary document that was deleted as well are in the trash`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.bin": "\u{0}base"])

        try phone.write("/a.bin", "\u{0}right")
        try laptop.write("/a.bin", "\u{0}left")
        try laptop.delete("/a.bin")
        try await laptop.sync()
        let report = try await phone.syncAsForetold()

        #expect(report.notes.map(\.kind) == [.deleted, .keptBothInTrash])
        #expect(report.notes.map(\.path) == ["/a.bin", "/a.bin"])
        #expect(report.notes.map(\.detail) == ["", ""])
        #expect(try phone.lockbook.trash().map(\.path) == ["/a.bin", "/a.bin"])
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

    @Test func `what was pushed without an answer is told by the sync that merges over it`()
        async throws
    {
        let (laptop, phone) = try await Person("alice", on: TestServer()).twoDevices(
            holding: ["/a.md": "one\ntwo\nthree\n", "/b.md": "b"]
        )
        try laptop.write("/a.md", "1\ntwo\nthree\n")
        try laptop.write("/b.md", "more")
        laptop.faults.next("/v1/push", .answerLost)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        try await phone.sync()
        try phone.write("/a.md", "1\ntwo\n3\n")
        try await phone.sync()
        try laptop.write("/a.md", "first\ntwo\nthree\n")

        let report = try await laptop.sync()
        #expect(report.pushed == ["/a.md", "/b.md"])
        #expect(report.notes.map(\.kind) == [.merged])
        #expect(try await laptop.text("/a.md") == "first\ntwo\n3\n")
    }
}
