import LockbookModel
import Testing

@Suite struct PlainTextTests {
    @Test(
        arguments: [
            ("", 3, ""),
            ("abc", 3, "abc"),
            ("abcd", 3, "abc…"),
            ("a\nb", 8, "a\\u000ab"),
            ("a\nb", 7, "a\\u000a…"),
            ("a\nb", 6, "a…"),
            ("\u{2028}", 6, "\\u2028"),
        ]
    )
    func `a line is cut between characters as they are shown`(
        text: String,
        limit: Int,
        line: String
    ) {
        #expect(PlainText.line(text, atMost: limit) == line)
    }
}
