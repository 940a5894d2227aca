import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Searches for the lines, and names, that do not match.
struct InvertedSearchTests {
    private let laptop: Device

    init() async throws {
        laptop = try await Person("alice", on: TestServer()).firstDevice()
    }

    /// - Returns: lines as `3 text`, those around them as `3-text`, names, and at a document's end its path
    ///   with the number of its lines.
    private func search(_ text: String, _ change: (inout SearchQuery) -> Void = { _ in })
        async throws -> [String]
    {
        var query = SearchQuery(text)
        query.isInverted = true
        query.inNames = false
        change(&query)
        var found: [String] = []
        try await laptop.lockbook.search(query, in: [.path("/")]) { events in
            for event in events {
                switch event {
                case .lines(_, let lines):
                    let areUnmatched = lines.allSatisfy(\.matches.isEmpty)
                    #expect(areUnmatched)
                    found += lines.map { line in
                        let text = String(decoding: line.bytes, as: UTF8.self)
                        return "\(line.number)\(line.isContext ? "-" : " ")\(text)"
                    }
                case .name(let file): found.append(file.path)
                case .matched(let file, let lines): found.append("\(file.path): \(lines)")
                case .binary(let file): found.append("\(file.path) is binary")
                default: found.append("\(event)")
                }
            }
        }
        return found
    }

    @Test(arguments: [false, true])
    func `the lines come that do not match, with those around them`(isExpression: Bool)
        async throws
    {
        try laptop.write("/a.md", "x\n\nboat\nx\nx\nlast boat")
        try laptop.write("/b.md", "x\nx\n")
        try laptop.write("/empty.md", "")
        let found = try await search("x") { $0.isExpression = isExpression }
        #expect(found == ["2 ", "3 boat", "6 last boat", "/a.md: 3"])
        let around = try await search("x") {
            $0.isExpression = isExpression
            $0.linesBefore = 1
            $0.linesAfter = 1
        }
        #expect(around == ["1-x", "2 ", "3 boat", "4-x", "5-x", "6 last boat", "/a.md: 3"])
        for (detail, sentence) in [(SearchQuery.Detail.count, "/a.md: 3"), (.presence, "/a.md: 1")]
        {
            let told = try await search("x") {
                $0.isExpression = isExpression
                $0.detail = detail
            }
            #expect(told == [sentence])
        }
    }

    @Test func `with names those come that do not match`() async throws {
        try laptop.write("/boats/a.md", "boat")
        let found = try await search(".md") {
            $0.inNames = true
            $0.inContents = false
        }
        #expect(found == ["/boats"])
    }

    @Test func `a document with zero bytes is told of where not all of it matches`() async throws {
        try laptop.write("/all.bin", "boat\0")
        try laptop.write("/some.bin", "boat\0\nx")
        #expect(try await search("boat") == ["/some.bin is binary", "/some.bin: 1"])
    }

    /// Its lines lie in several windows, and each place is looked for once, however many lines do not match.
    @Test func `a large document is searched in one go`() async throws {
        let text = (1...400_000).map { $0 % 100_000 == 0 ? "hay \($0)" : "needle \($0)" }
        try laptop.write("/large.txt", text.joined(separator: "\n"))
        #expect(
            try await search("needle") == [
                "100000 hay 100000", "200000 hay 200000", "300000 hay 300000", "400000 hay 400000",
                "/large.txt: 4",
            ]
        )
        for (word, sentence) in [("hay", "/large.txt: 399996"), ("nowhere", "/large.txt: 400000")] {
            let told = try await search(word) { $0.detail = .count }
            #expect(told == [sentence])
        }
    }
}
