import Testing

@testable import lockbook

/// The room that texts take on a terminal, whatever locale the machine says it has.
@Suite struct ColumnsTests {
    @Test func `a letter of a wide script takes two columns, and an accent by itself none`() {
        #expect(Columns.width("日記") == 4)
        #expect(Columns.width("cafe\u{301}") == 4)
    }

    @Test func `a line is cut where its columns end, and through no letter`() {
        #expect(Columns.cut("日記.md", to: 3) == "日")
        #expect(Columns.cut("日記.md", to: 5) == "日記.")
        #expect(Columns.cut("cafe\u{301}.md", to: 4) == "cafe\u{301}")
        #expect(Columns.cut("short", to: 80) == "short")
    }
}
