import LockbookEngine
import LockbookTestSupport
import Testing

/// What a merge left to be decided, and how it is.
struct ConflictTests {
    let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    /// A phone that merged with what the laptop did.
    func merged(
        _ path: String,
        _ base: String,
        laptop left: String?,
        phone right: String?
    ) async throws -> (Device, Device) {
        let (laptop, phone) = try await alice.twoDevices()
        try laptop.write(path, base)
        try await laptop.sync()
        try await phone.sync()
        if let left { try laptop.write(path, left) } else { try laptop.delete(path) }
        if let right { try phone.write(path, right) } else { try phone.delete(path) }
        try await laptop.sync()
        try await phone.sync()
        return (laptop, phone)
    }

    @Test(arguments: [
        (KeptSide.local, "right\n"), (.remote, "left\n"), (.both, "right\nleft\n"),
    ])
    func `markers are listed until one side is kept`(side: KeptSide, expected: String) async throws
    {
        let (laptop, phone) = try await merged(
            "/a.md",
            "word\n",
            laptop: "left\n",
            phone: "right\n"
        )
        #expect(try phone.lockbook.conflicts().map(\.kind) == [.markers])
        #expect(try phone.lockbook.status().conflicts == 1)
        #expect(try laptop.lockbook.conflicts() == [])
        #expect(try phone.lockbook.resolve(.path("/a.md"), keeping: side).path == "/a.md")
        #expect(try await phone.text("/a.md") == expected)
        #expect(try phone.lockbook.conflicts() == [])
        #expect(throws: LockbookError.noConflict(path: "/a.md")) {
            try phone.lockbook.resolve(.path("/a.md"), keeping: side)
        }
        try await converge(alice, laptop, phone)
    }

    @Test func `what comes out of the trash with markers is to be decided`() async throws {
        let (laptop, phone) = try await editedAndDeleted()

        _ = try phone.lockbook.restore([.path("/a.md")])

        #expect(try phone.lockbook.conflicts().map(\.kind) == [.markers])
        #expect(try phone.lockbook.resolve(.path("/a.md"), keeping: .remote).path == "/a.md")
        #expect(try await phone.text("/a.md") == "left\n")
        try await converge(alice, laptop, phone)
    }

    @Test(arguments: [
        (KeptSide.local, "left\n"), (.remote, "right\n"), (.both, "right\nleft\n"),
    ])
    func `markers that another device left are listed, and local is what was written here`(
        side: KeptSide,
        expected: String
    ) async throws {
        let (laptop, phone) = try await merged(
            "/a.md",
            "word\n",
            laptop: "left\n",
            phone: "right\n"
        )
        try await laptop.sync()
        #expect(try laptop.lockbook.conflicts().map(\.kind) == [.markers])
        #expect(try laptop.lockbook.status().conflicts == 1)
        #expect(try laptop.lockbook.resolve(.path("/a.md"), keeping: side).path == "/a.md")
        #expect(try await laptop.text("/a.md") == expected)
        #expect(try laptop.lockbook.conflicts() == [])
        try await laptop.sync()
        try await phone.sync()
        #expect(try phone.lockbook.conflicts() == [])
        try await converge(alice, laptop, phone)
    }

    @Test(arguments: [
        (KeptSide.local, "head\nphone 2\nend\n"), (.remote, "head\nlaptop 1\nend\n"),
    ])
    func `a conflict on top of one that nobody decided keeps every word, and its places apart`(
        side: KeptSide,
        expected: String
    ) async throws {
        let (laptop, phone) = try await merged(
            "/a.md",
            "head\nword\nend\n",
            laptop: "head\nlaptop 1\nend\n",
            phone: "head\nphone 1\nend\n"
        )
        try await laptop.sync()
        // Both go on inside of the place: one in its own version, the other in the same one.
        let marked = try await phone.text("/a.md")
        try phone.write("/a.md", marked.replacing("phone 1", with: "phone 2"))
        try laptop.write("/a.md", marked.replacing("phone 1", with: "phone 3"))
        try await laptop.sync()
        try await phone.sync()
        try await laptop.sync()
        let twice = try await phone.text("/a.md")
        for word in ["head", "laptop 1", "phone 2", "phone 3", "end"] {
            #expect(twice.split(separator: "\n").count { $0 == word } == 1, "\(word): \(twice)")
        }
        // The inner place has markers of its own length, and what is kept outside is kept inside.
        #expect(twice.contains("\n<<<<<<< ") && twice.contains("\n<<<<<<<< "), "\(twice)")
        #expect(try phone.lockbook.conflicts().map(\.path) == ["/a.md"])
        _ = try phone.lockbook.resolve(.path("/a.md"), keeping: side)
        #expect(try await phone.text("/a.md") == expected)
        try await converge(alice, laptop, phone)
    }

    @Test func `an edit that takes the markers out decides it`() async throws {
        let (laptop, phone) = try await merged(
            "/a.md",
            "word\n",
            laptop: "left\n",
            phone: "right\n"
        )
        try phone.write("/a.md", try await phone.text("/a.md") + "more\n")
        #expect(try phone.lockbook.conflicts().map(\.path) == ["/a.md"])
        try phone.write("/a.md", "left and right\n")
        #expect(try phone.lockbook.conflicts() == [])
        try await converge(alice, laptop, phone)
    }

    @Test(arguments: [true, false])
    func `a content with markers is to be decided where it comes back`(isVersion: Bool)
        async throws
    {
        let (laptop, phone) = try await merged(
            "/a.md",
            "word\n",
            laptop: "left\n",
            phone: "right\n"
        )
        // A first sync looks into nothing.
        let desk = try await alice.device(named: "desk", like: laptop)
        let versions = try await desk.lockbook.history(.path("/a.md")).versions
        let version = try #require(versions.first)
        try desk.write("/a.md", "decided\n")
        try await desk.sync()
        try await phone.sync()
        for device in [desk, phone] { #expect(try device.lockbook.conflicts() == []) }

        if isVersion {
            _ = try await desk.lockbook.restore(.path("/a.md"), version: version.version)
        } else {
            _ = try desk.lockbook.undo()
        }

        #expect(try desk.lockbook.conflicts().map(\.kind) == [.markers])
        try await desk.sync()
        try await phone.sync()
        #expect(try phone.lockbook.conflicts().map(\.kind) == [.markers])
        try await converge(alice, laptop, phone, desk)
    }

    @Test func `a change made meanwhile goes into the version it belongs to`() async throws {
        let (laptop, phone) = try await merged(
            "/a.md",
            "word\n",
            laptop: "left\n",
            phone: "right\n"
        )
        try laptop.write("/a.md", "left, and more\n")
        try await laptop.sync()
        let text = try await laptop.text("/a.md")
        #expect(text.split(separator: "\n").count == 5)
        #expect(text.contains("\nright\n=======\nleft, and more\n>>>>>>> alice on laptop\n"))
        try await converge(alice, laptop, phone)
    }

    @Test(arguments: [
        (KeptSide.local, ["/a.bin"], "\u{0}right"), (.remote, ["/a.bin"], "\u{0}left"),
        (.both, ["/a-1.bin", "/a.bin"], "\u{0}left"),
    ])
    func `of two copies one or both stay`(side: KeptSide, paths: [String], text: String)
        async throws
    {
        let (laptop, phone) = try await merged(
            "/a.bin",
            "\u{0}word",
            laptop: "\u{0}left",
            phone: "\u{0}right"
        )
        let conflict = try #require(try phone.lockbook.conflicts().first)
        #expect(conflict.kind == .keptBoth)
        #expect(conflict.path == "/a-1.bin" && conflict.other == "/a.bin")
        _ = try phone.lockbook.resolve(.path("/a-1.bin"), keeping: side)
        #expect(try phone.lockbook.conflicts() == [])
        try await converge(alice, laptop, phone)
        #expect(try laptop.paths() == paths)
        #expect(try await laptop.text("/a.bin") == text)
    }

    @Test func `who deletes one of two copies has decided`() async throws {
        let (_, phone) = try await merged(
            "/a.bin",
            "\u{0}word",
            laptop: "\u{0}left",
            phone: "\u{0}right"
        )
        try phone.delete("/a-1.bin")
        #expect(try phone.lockbook.conflicts() == [])
    }

    @Test func `two new documents of one name that cannot be joined are listed`() async throws {
        let (laptop, phone) = try await alice.twoDevices()
        try laptop.write("/j.json", "{\"a\": 1}\n")
        try phone.write("/j.json", "{\"a\": 2}\n")
        _ = try laptop.lockbook.create(path: "/f/")
        try phone.write("/f", "no folder\n")
        try await laptop.sync()
        try await phone.sync()
        let conflicts = try phone.lockbook.conflicts()
        #expect(conflicts.map(\.kind) == [.keptBoth])
        #expect(conflicts.map(\.path) == ["/j-1.json"])
        _ = try phone.lockbook.resolve(.path("/j-1.json"), keeping: .both)
        #expect(try phone.lockbook.conflicts().isEmpty)
        let paths = try phone.paths()
        #expect(paths == ["/f/", "/f-1", "/j-1.json", "/j.json"])
    }

    @Test func `a new document beside one that was renamed elsewhere is nothing to decide`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(holding: ["/old.json": "{\"a\": 1}\n"])
        _ = try laptop.lockbook.move([.path("/old.json")], to: "/j.json")
        try phone.write("/j.json", "{\"a\": 2}\n")
        try await laptop.sync()
        let report = try await phone.sync()
        #expect(report.notes.map(\.kind) == [.renamed])
        #expect(try phone.lockbook.conflicts().isEmpty)
    }
}
