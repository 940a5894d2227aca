import Foundation
import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What a search finds, as lines of text: `/a.md:3:text`, `/a.md-4-text`, `/a.md` for a name.
struct SearchTests {
    let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    private func search(_ device: Device, _ query: SearchQuery, in path: String = "/")
        async throws -> [String]
    {
        var found: [String] = []
        try await device.lockbook.search(query, in: [FileReference(path)]) { events in
            #expect(!events.isEmpty)
            for event in events { found += event.sentences }
        }
        return found
    }

    private func query(_ text: String, _ change: (inout SearchQuery) -> Void = { _ in })
        -> SearchQuery
    {
        var query = SearchQuery(text)
        change(&query)
        return query
    }

    @Test func `names and lines come in the order of paths`() async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/b/boat.md", "a boat\nno\nboat and boat")
        try laptop.write("/a.md", "the boat\n")
        try laptop.write("/boats/plan.md", "nothing")
        try laptop.write("/z.md", "Boat\n")

        #expect(
            try await search(laptop, query("boat")) == [
                "/a.md:1:the boat [4-8]", "/a.md: 1",
                "/b/boat.md", "/b/boat.md:1:a boat [2-6]", "/b/boat.md:3:boat and boat [0-4][9-13]",
                "/b/boat.md: 2",
                "/boats",
            ]
        )
        #expect(
            try await search(laptop, query("BOAT") { $0.ignoresCase = true }, in: "/z.md") == [
                "/z.md:1:Boat [0-4]", "/z.md: 1",
            ]
        )
        #expect(
            try await search(laptop, query("boat") { $0.inContents = false }, in: "/b") == [
                "/b/boat.md"
            ]
        )
        #expect(
            try await search(laptop, query("boat") { $0.detail = .presence }) == [
                "/a.md: 1", "/b/boat.md", "/boats",
            ]
        )
    }

    @Test func `lines around a match are told once, and lines far away not`() async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/a.md", "1\n2\nx\n4\nx\n6\n7\n8\n9\nx")
        let around = query("x") {
            $0.linesBefore = 1
            $0.linesAfter = 1
        }
        #expect(
            try await search(laptop, around) == [
                "/a.md-2-2", "/a.md:3:x [0-1]", "/a.md-4-4", "/a.md:5:x [0-1]", "/a.md-6-6",
                "/a.md-9-9", "/a.md:10:x [0-1]", "/a.md: 3",
            ]
        )
    }

    /// Its lines lie in several windows; a document of more than 4 MB is not held whole.
    @Test func `in a large document lines keep their numbers and what is around them`() async throws
    {
        let laptop = try await alice.firstDevice()
        let wanted = [1, 99_999, 100_000, 400_000]
        let text = (1...400_000).map { wanted.contains($0) ? "needle \($0)" : "hay number \($0)" }
        try laptop.write("/large.txt", text.joined(separator: "\n"))
        let around = query("needle") {
            $0.linesBefore = 1
            $0.linesAfter = 1
        }
        #expect(
            try await search(laptop, around) == [
                "/large.txt:1:needle 1 [0-6]", "/large.txt-2-hay number 2",
                "/large.txt-99998-hay number 99998", "/large.txt:99999:needle 99999 [0-6]",
                "/large.txt:100000:needle 100000 [0-6]", "/large.txt-100001-hay number 100001",
                "/large.txt-399999-hay number 399999", "/large.txt:400000:needle 400000 [0-6]",
                "/large.txt: 4",
            ]
        )
        let found = try await search(laptop, query("needle") { $0.detail = .presence })
        #expect(found == ["/large.txt: 1"])
    }

    @Test(
        arguments: [
            ("ÄPFEL", "zwei äpfel"), ("λόγος", "ΛΌΓΟΣ"), ("привет", "ПРИВЕТ"), ("i", "I"),
            ("ÅSA", "åsa"), ("日本", "日本"), ("é", "É"),
        ]
    )
    func `without case a letter is found in its other case`(needle: String, text: String)
        async throws
    {
        let laptop = try await alice.firstDevice()
        try laptop.write("/a.md", text)
        let found = try await search(laptop, query(needle) { $0.ignoresCase = true })
        #expect(found.count == 2)
        let expression = query(needle) {
            $0.ignoresCase = true
            $0.isExpression = true
        }
        #expect(try await search(laptop, expression) == found)
    }

    @Test(
        arguments: [
            (
                false, false,
                ["2:Cafe\u{301} caf\u{e9}s [7-12]", "3:le caf\u{e9}, cafe\u{301} [3-8][10-16]"]
            ),
            (
                true, false,
                [
                    "2:Cafe\u{301} caf\u{e9}s [0-6][7-12]",
                    "3:le caf\u{e9}, cafe\u{301} [3-8][10-16]",
                ]
            ),
            (false, true, ["3:le caf\u{e9}, cafe\u{301} [3-8][10-16]"]),
            (
                true, true,
                ["2:Cafe\u{301} caf\u{e9}s [0-6]", "3:le caf\u{e9}, cafe\u{301} [3-8][10-16]"]
            ),
        ]
    )
    func `a word is found however its accents are composed`(
        ignoresCase: Bool,
        isWord: Bool,
        lines: [String]
    ) async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/a.md", "cafe\nCafe\u{301} caf\u{e9}s\nle caf\u{e9}, cafe\u{301}\n")
        for word in ["caf\u{e9}", "cafe\u{301}"] {
            let found = try await search(
                laptop,
                query(word) {
                    $0.ignoresCase = ignoresCase
                    $0.isWord = isWord
                }
            )
            #expect(found == lines.map { "/a.md:" + $0 } + ["/a.md: \(lines.count)"])
        }
    }

    /// They are looked for in stretches of the text: what lies across the end of one counts.
    @Test func `of two forms the first one is found, wherever it stands`() {
        let matcher = LiteralMatcher("\u{e9}", ignoresCase: false)
        for (near, far) in [("\u{e9}", "e\u{301}"), ("e\u{301}", "\u{e9}")] {
            for count in 0..<800 {
                let line = String(repeating: "x", count: count) + near
                let text = Array("\(line)\n\(far)\n".utf8)
                let found = text.withUnsafeBytes { matcher.nextLine(in: $0, from: 0) }
                #expect(found == 0..<line.utf8.count)
            }
        }
    }

    @Test(
        arguments: [
            ("^b", ["/a.md:2:b2 [0-1]"]), ("c$", ["/a.md:3:abc\r [2-3]"]),
            (#"\d+"#, ["/a.md:2:b2 [1-2]"]),
            ("x*", ["/a.md:1:a", "/a.md:2:b2", "/a.md:3:abc\r", "/a.md:4:", "/a.md:5:ä-ö"]),
            (#"^\w-\w$"#, ["/a.md:5:ä-ö [0-5]"]), (#"a\nb"#, []), ("^$", ["/a.md:4:"]),
        ]
    )
    func `an expression is for one line`(expression: String, lines: [String]) async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/a.md", "a\nb2\nabc\r\n\nä-ö\n")
        let found = try await search(
            laptop,
            query(expression) {
                $0.isExpression = true
                $0.inNames = false
            }
        )
        #expect(found.filter { !$0.hasPrefix("/a.md: ") } == lines)
    }

    @Test func `what is no expression says why, one that takes for ever is told`() async throws {
        let laptop = try await alice.firstDevice()
        let costly = String(repeating: "a", count: 60) + "!"
        try laptop.write("/a.md", costly)
        try laptop.write("/b.md", "aa")
        do {
            _ = try await search(laptop, query("a(b") { $0.isExpression = true })
            Issue.record("it was searched for")
        } catch LockbookError.badQuery(let query, let said) {
            #expect(query == "a(b")
            #expect(said.contains("parenthesis"), "\(said)")
        }
        await #expect(throws: LockbookError.self) { try await search(laptop, query("a\nb")) }
        let expression = query("(a+)+$") { $0.isExpression = true }
        let error = LockbookError.tooCostly(query: "(a+)+$", path: "/a.md")
        let found = try await search(laptop, expression)
        #expect(found == ["/a.md: \(error)", "/b.md:1:aa [0-2]", "/b.md: 1"])
        // Too much for so many, it is so for all.
        for number in 1...8 { try laptop.write("/many/\(number).md", costly) }
        await #expect(throws: LockbookError.tooCostly(query: "(a+)+$", path: "/many/8.md")) {
            try await search(laptop, expression, in: "/many")
        }
    }

    @Test func `bytes that are no text are searched, and a zero makes a document binary`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        for (path, bytes) in [("/latin", "caf\u{e9} caf"), ("/zero", "caf\0\ncaf")] {
            var piece: [UInt8]? = bytes.unicodeScalars.map { UInt8($0.value) }
            try laptop.lockbook.write(.path(path), append: false) {
                defer { piece = nil }
                return piece
            }
        }
        for isExpression in [false, true] {
            let found = try await search(laptop, query("caf") { $0.isExpression = isExpression })
            #expect(
                found == [
                    "/latin:1:caf\u{fffd} caf [0-3][5-8]", "/latin: 1", "/zero is binary",
                    "/zero: 1",
                ]
            )
        }
    }

    @Test func `what is damaged is named, what is missing too, and the rest is searched`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        try laptop.write("/a.md", "boat")
        try laptop.write("/lost.bin", noise(200_000, seed: 1))
        let blobs = laptop.directory + "/blobs"
        for name in try FileManager.default.contentsOfDirectory(atPath: blobs) {
            try FileManager.default.removeItem(atPath: "\(blobs)/\(name)")
        }
        var found: [String] = []
        try await laptop.lockbook.search(
            query("boat"),
            in: [.path("/nowhere"), .path("/a.md"), .path("/")]
        ) { found += $0.flatMap(\.sentences) }
        #expect(
            found == ["no target", "/a.md:1:boat [0-4]", "/a.md: 1", "/lost.bin: not here"]
        )
    }

    /// A text is proved when something was found in it, before any of it is told.
    @Test func `a text that its record does not tell of is not shown`() async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/a.md", "a boat\nanother boat")
        try laptop.lockbook.store.write { tree in
            var file = try tree.file(try #require(try tree.find(path: "/a.md")))
            file.content?.digest = Hash256(sha256: Array("another text".utf8))
            try tree.put(file)
        }
        #expect(try await search(laptop, query("boat")) == ["/a.md: damaged"])
        await #expect(throws: LockbookError.self) { try await laptop.text("/a.md") }
    }
}

extension SearchEvent {
    fileprivate var sentences: [String] {
        switch self {
        case .name(let file): [file.path]
        case .binary(let file): ["\(file.path) is binary"]
        case .matched(let file, let lines): ["\(file.path): \(lines)"]
        case .unreadable(let path, .contentNotHere): ["\(path): not here"]
        case .unreadable(let path, .damaged): ["\(path): damaged"]
        case .unreadable(let path, let error): ["\(path): \(error)"]
        case .noTarget: ["no target"]
        case .lines(let file, let lines):
            lines.map { line in
                let text = String(decoding: line.bytes, as: UTF8.self)
                let sign = line.isContext ? "-" : ":"
                let places = line.matches.map { "[\($0.lowerBound)-\($0.upperBound)]" }.joined()
                return "\(file.path)\(sign)\(line.number)\(sign)\(text)"
                    + (places.isEmpty ? "" : " \(places)")
            }
        }
    }
}
