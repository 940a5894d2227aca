import LockbookEngine
import LockbookTestSupport
import Testing

/// Earlier versions: which there are, what they hold, and how they come back.
struct HistoryTests {
    let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    @Test func `every save is a version, on this device before a sync and at the server after it`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "one"])
        try laptop.write("/a.md", "two")
        try laptop.write("/a.md", "three")
        try await laptop.sync()
        try await phone.sync()
        try phone.write("/a.md", "four")
        try phone.move("/a.md", to: "/b.md")
        try await phone.sync()
        try await laptop.sync()

        let here = try await laptop.lockbook.history(FileReference("/b.md"))
        #expect(here.isComplete && !here.hasMore)
        // The save that no sync took along is on the device that made it.
        #expect(here.versions.map(\.size) == [4, 5, 3, 3])
        #expect(here.versions.map(\.device) == ["phone", "laptop", "laptop", "laptop"])
        #expect(here.versions.map(\.change) == [.edited, .edited, .edited, .made])
        #expect(here.versions.map(\.path) == ["/b.md", "/a.md", "/a.md", "/a.md"])
        #expect(here.versions.map { $0.position != nil } == [true, true, false, true])
        #expect(here.versions.allSatisfy { $0.isProven && $0.author == "alice" })
        #expect(try await laptop.versionTexts("/b.md") == ["four", "three", "two", "one"])

        let there = try await phone.lockbook.history(FileReference("/b.md"))
        #expect(there.versions.map(\.size) == [4, 5, 3])
        // What a command replaced stays where it can be taken back.
        #expect(there.versions.map(\.isHere) == [true, true, false])
        #expect(try await phone.text("/b.md", version: there.versions[2]) == "one")
        #expect(try phone.lockbook.validate() == [])
    }

    @Test func `without the server there is what is here, and that is said`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "one"])
        try laptop.write("/a.md", "two")
        try await laptop.sync()
        try laptop.write("/a.md", "three")
        try laptop.write("/a.md", "four")
        laptop.faults.next("/v1/history", .lost)
        let history = try await laptop.lockbook.history(FileReference("/a.md"))
        #expect(!history.isComplete)
        #expect(history.versions.map(\.size) == [4, 5, 3])
        laptop.faults.next("/v1/history", .lost)
        #expect(try await laptop.text("/a.md", version: history.versions[1]) == "three")

        try await phone.sync()
        let old = try await phone.lockbook.history(FileReference("/a.md")).versions[1]
        phone.faults.next("/v1/blobs", .lost)
        await #expect(throws: LockbookError.contentNotHere(path: "/a.md")) {
            try await phone.text("/a.md", version: old)
        }
    }

    @Test func `without the server nobody says what a text from elsewhere was before`() async throws
    {
        let (laptop, phone) = try await alice.twoDevices(
            holding: ["a.md": "one\n", "old.md": "one\n"]
        )
        try laptop.write("/a.md", "one\ntwo\n")
        _ = try laptop.lockbook.rename(.path("/old.md"), to: "moved.md")
        try await laptop.sync()
        try await phone.sync()
        let tablet = try await alice.device(named: "tablet", like: laptop)
        func added(_ device: Device) async throws -> [String]? {
            device.faults.next("/v1/history", .lost)
            return try await device.lockbook.difference(.path("/a.md"), from: nil, to: nil).lines?
                .filter { $0.kind == .added }.map { String(decoding: $0.bytes, as: UTF8.self) }
        }
        for device in [tablet, phone, laptop] {
            await #expect(throws: LockbookError.earlierNotKnown(path: "/a.md")) {
                _ = try await added(device)
            }
        }
        tablet.faults.next("/v1/history", .lost)
        let known = try await tablet.lockbook.history(.path("/moved.md"))
        #expect(known.versions.map(\.change) == [.changed])
        #expect(
            try await tablet.lockbook.history(.path("/moved.md")).versions.map(\.change)
                == [.renamed, .made]
        )

        try tablet.write("/a.md", "one\ntwo\nthree\n")
        #expect(try await added(tablet) == ["three"])
        try tablet.write("/new.md", "new\n")
        tablet.faults.next("/v1/history", .lost)
        #expect(
            try await tablet.lockbook.difference(.path("/new.md"), from: nil, to: nil).from
                == "nothing"
        )
    }

    @Test func `a version comes back as the newest one, and what stood there stays a version`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "one"])
        for text in ["two", "three"] {
            try laptop.write("/a.md", text)
            try await laptop.sync()
        }
        try await phone.sync()
        let versions = try await phone.lockbook.history(FileReference("/a.md")).versions
        let file = try await phone.lockbook.restore(
            FileReference("/a.md"),
            version: String(versions[2].version.prefix(8))
        )
        #expect(file.path == "/a.md" && file.isChanged)
        #expect(try await phone.text("/a.md") == "one")
        try await converge(alice, laptop, phone)
        #expect(try await laptop.text("/a.md") == "one")
        let after = try await laptop.lockbook.history(FileReference("/a.md")).versions
        #expect(after.map(\.size) == [3, 5, 3, 3])

        await #expect(throws: LockbookError.noVersion(path: "/a.md", version: "zzzz")) {
            try await phone.lockbook.restore(FileReference("/a.md"), version: "zzzz")
        }
    }

    @Test func `a version of a note in the trash brings the note back`() async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/a.md", "one")
        try await laptop.sync()
        try laptop.write("/a.md", "two")
        try laptop.delete("/a.md")
        try await laptop.sync()
        let versions = try await laptop.lockbook.history(FileReference("/a.md")).versions
        #expect(versions.map(\.change) == [.deleted, .made])
        _ = try await laptop.lockbook.restore(
            FileReference("/a.md"),
            version: versions[1].version
        )
        #expect(try await laptop.text("/a.md") == "one")
        try await converge(alice, laptop)
    }

    @Test(arguments: [100, 300_000, 1_500_000])
    func `contents of every size come back`(size: Int) async throws {
        let (laptop, phone) = try await alice.twoDevices()
        let first = noise(size, seed: 1)
        try laptop.write("/a.bin", first)
        try await laptop.sync()
        try laptop.write("/a.bin", noise(size, seed: 2))
        try laptop.write("/a.bin", noise(size, seed: 3))
        try await laptop.sync()
        try await phone.sync()
        let versions = try await phone.lockbook.history(FileReference("/a.bin")).versions
        #expect(try await phone.text("/a.bin", version: versions[1]) == first)
        _ = try await phone.lockbook.restore(FileReference("/a.bin"), version: versions[1].version)
        #expect(try await phone.text("/a.bin") == first)
        try await converge(alice, laptop, phone)
        let kept = try await laptop.lockbook.history(FileReference("/a.bin")).versions[2]
        #expect(try await laptop.text("/a.bin", version: kept) == noise(size, seed: 2))
        #expect(try phone.lockbook.validate() == [] && laptop.lockbook.validate() == [])
    }

    @Test func `a folder shows what happened below it`() async throws {
        let (laptop, phone) = try await alice.twoDevices(
            holding: ["f/": "", "f/a.md": "a", "f/b.md": "b", "c.md": "c"]
        )
        try phone.write("/f/a.md", "more of a")
        try phone.write("/c.md", "more of c")
        try await phone.sync()
        try phone.delete("/f/b.md")
        try await phone.sync()
        try await laptop.sync()
        let history = try await laptop.lockbook.history(FileReference("/f"))
        let told = history.versions.map { "\($0.change) \($0.path)" }
        #expect(told.prefix(2) == ["deleted /f/b.md", "edited /f/a.md"])
        #expect(Set(told.dropFirst(2)) == ["made /f/a.md", "made /f/b.md", "made /f"])
        let few = try await laptop.lockbook.history(FileReference("/f"), limit: 1)
        #expect(few.versions.map(\.path) == ["/f/b.md"] && few.hasMore)
    }

    @Test func `what a merge replaced is a version`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "word\n"])
        try laptop.write("/a.md", "left\n")
        try phone.write("/a.md", "right\n")
        try await laptop.sync()
        try await phone.sync()
        let texts = Set(try await phone.versionTexts("/a.md"))
        #expect(texts.isSuperset(of: ["left\n", "right\n", "word\n"]))
    }

    @Test func `the last twenty saves stay, and younger ones, and a purge takes them all`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        for number in 0..<30 {
            try laptop.write("/a.md", "version \(number)")
            if (4...6).contains(number) { laptop.clock.pass(days: 30) }
        }
        var versions = try await laptop.lockbook.history(FileReference("/a.md")).versions
        #expect(versions.count == 26)
        for number in 30..<35 { try laptop.write("/a.md", "version \(number)") }
        versions = try await laptop.lockbook.history(FileReference("/a.md")).versions
        #expect(versions.count == 31)
        #expect(try await laptop.text("/a.md", version: versions[30]) == "version 4")
        _ = try laptop.lockbook.purge([FileReference("/a.md")])
        await #expect(throws: LockbookError.notFound(path: "/a.md")) {
            try await laptop.lockbook.history(FileReference("/a.md"))
        }
    }

    @Test func `two versions are compared by their lines`() async throws {
        let laptop = try await alice.firstDevice()
        for text in ["a\nb\n", "a\nB\n", "a\nB\nc\n"] {
            try laptop.write("/a.md", text)
            try await laptop.sync()
        }
        let newest = try await laptop.lockbook.difference(
            FileReference("/a.md"),
            from: nil,
            to: nil
        )
        #expect(
            newest.lines?.map { String(decoding: $0.bytes, as: UTF8.self) } == [
                "@@ -1,2 +1,3 @@", "a", "B", "c",
            ]
        )
        let versions = try await laptop.lockbook.history(FileReference("/a.md")).versions
        let first = try await laptop.lockbook.difference(
            FileReference("/a.md"),
            from: versions[2].version,
            to: versions[1].version
        )
        #expect(first.lines?.map(\.kind) == [.place, .same, .removed, .added])
        let same = try await laptop.lockbook.difference(
            FileReference("/a.md"),
            from: versions[0].version,
            to: nil
        )
        #expect(same.lines == [])
    }
}
