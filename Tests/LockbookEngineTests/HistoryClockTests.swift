import LockbookEngine
import LockbookTestSupport
import Testing

/// The order of what one device saved, whatever its clock said.
struct HistoryClockTests {
    let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    @Test func `saves keep their order when the clock is put back between them`() async throws {
        let laptop = try await alice.firstDevice()
        laptop.clock.pass(days: 1)
        for text in ["one\n", "two\n"] { try laptop.write("/a.md", text) }
        laptop.clock.pass(days: -1)
        for text in ["three\n", "four\n"] { try laptop.write("/a.md", text) }

        #expect(try await laptop.versionTexts("/a.md") == ["four\n", "three\n", "two\n", "one\n"])
        let difference = try await laptop.lockbook.difference(
            FileReference("/a.md"),
            from: nil,
            to: nil
        )
        let removed = difference.lines?.filter { $0.kind == .removed }.map(\.bytes)
        #expect(removed == [Array("three".utf8)])
    }

    @Test func `a save of years ago stands above the older ones and what the server has`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        try laptop.write("/a.md", "base")
        try await laptop.sync()
        for text in ["one", "two"] { try laptop.write("/a.md", text) }
        // A device without a clock of its own begins in 1970.
        laptop.clock.pass(days: -20_000)
        for text in ["three", "four"] { try laptop.write("/a.md", text) }
        laptop.clock.pass(days: 20_000)

        let expected = ["four", "three", "two", "one", "base"]
        #expect(try await laptop.versionTexts("/a.md") == expected)
        try await laptop.sync()
        #expect(try await laptop.versionTexts("/a.md") == expected)
    }

    @Test func `so do saves which are all of years ago`() async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/a.md", "base\n")
        try await laptop.sync()
        laptop.clock.pass(days: -20_000)
        for text in ["one\n", "two\n", "three\n"] { try laptop.write("/a.md", text) }
        laptop.clock.pass(days: 20_000)

        let expected = ["three\n", "two\n", "one\n", "base\n"]
        #expect(try await laptop.versionTexts("/a.md") == expected)
        let difference = try await laptop.lockbook.difference(
            FileReference("/a.md"),
            from: nil,
            to: nil
        )
        let removed = difference.lines?.filter { $0.kind == .removed }.map(\.bytes)
        #expect(removed == [Array("two".utf8)])
        try await laptop.sync()
        #expect(try await laptop.versionTexts("/a.md") == expected)
    }

    @Test func `a clock that was years ahead for a day takes no save of the days before`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        let texts = (0..<60).map { "text \($0)" }
        for text in texts.prefix(30) { try laptop.write("/a.md", text) }
        laptop.clock.pass(days: 26_000)
        for text in texts[30..<55] { try laptop.write("/a.md", text) }
        laptop.clock.pass(days: -26_000)
        for text in texts.suffix(5) { try laptop.write("/a.md", text) }
        #expect(try await laptop.versionTexts("/a.md") == texts.reversed())
    }

    @Test func `a clock that begins in 1970 each day takes none either`() async throws {
        let laptop = try await alice.firstDevice()
        let texts = (0..<60).map { "text \($0)" }
        for (day, text) in texts.enumerated() {
            let isUnset = day % 2 == 1
            if isUnset { laptop.clock.pass(days: -20_000) }
            try laptop.write("/a.md", text)
            if isUnset { laptop.clock.pass(days: 20_000) }
        }
        #expect(try await laptop.versionTexts("/a.md") == texts.reversed())
    }
}
