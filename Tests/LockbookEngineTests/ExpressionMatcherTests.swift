import Testing

@testable import LockbookEngine

@Suite struct ExpressionMatcherTests {
    /// `\K` in a group that is called from a lookbehind begins each match a letter earlier.
    @Test func `no match begins within the one before`() throws {
        let matcher = try ExpressionMatcher(
            #"(?(DEFINE)(?<back>\Ka))(?<=(?&back))a"#,
            ignoresCase: false
        )
        let places = try Array("aaaa".utf8).withUnsafeBytes {
            try ExpressionMatcher.Search(matcher).matches(in: $0, line: 0..<4)
        }
        #expect(places == [0..<2, 2..<3, 3..<4])
    }

    /// Each place of a long line may look at all of it: no limit of PCRE2's counts these together.
    @Test func `a long line ends a search when its time is over`() throws {
        let matcher = try ExpressionMatcher(#"\w+[0-9]@"#, ignoresCase: false)
        var time = Duration.zero
        let search = ExpressionMatcher.Search(matcher) {
            time += .seconds(1)
            return time
        }
        let line = Array((String(repeating: "a", count: 20_000) + " 1@").utf8)
        _ = line.withUnsafeBytes { line in
            #expect(throws: ExpressionMatcher.TooCostly.self) {
                try search.nextLine(in: line, from: 0)
            }
        }
    }

    @Test func `so do many short ones, and more of a document has more time`() throws {
        let matcher = try ExpressionMatcher("b", ignoresCase: false)
        let line = String(repeating: "a", count: 4_000) + "\n"
        let text = Array(String(repeating: line, count: 20).utf8)
        for megabytes in [0, 100] {
            var time = Duration.zero
            let search = ExpressionMatcher.Search(matcher) {
                time += .seconds(1)
                return time
            }
            search.expect(megabytes << 20)
            text.withUnsafeBytes { text in
                guard megabytes == 0 else {
                    #expect(throws: Never.self) { try search.nextLine(in: text, from: 0) }
                    return
                }
                #expect(throws: ExpressionMatcher.TooCostly.self) {
                    try search.nextLine(in: text, from: 0)
                }
            }
        }
    }

    @Test(arguments: ["é", "a", "\u{1f6a3}"])
    func `in a long line it is found wherever it stands`(letter: String) throws {
        let matcher = try ExpressionMatcher(
            "(?<=\(letter))b+\(letter)?|^c|d$",
            ignoresCase: false
        )
        let search = ExpressionMatcher.Search(matcher) { .zero }
        for count in 1_000..<1_040 {
            let before = "c" + String(repeating: letter, count: count)
            let text = before + "bb" + letter + String(repeating: "-", count: 5_000) + "cd"
            let start = before.utf8.count
            let places = try Array(text.utf8).withUnsafeBytes {
                try search.matches(in: $0, line: 0..<$0.count)
            }
            let end = text.utf8.count
            #expect(places == [0..<1, start..<(start + 2 + letter.utf8.count), (end - 1)..<end])
        }
    }
}
