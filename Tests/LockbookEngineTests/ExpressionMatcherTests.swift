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
}
