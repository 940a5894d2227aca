import Testing

@testable import LockbookModel

/// Which rows of a table are versions of which.
struct RowChangesTests {
    private static func rows(_ table: String) -> [DrawnRow] {
        let text = table.split(separator: " ").map { "|" + $0 + "|\n" }.joined()
        return DrawnRow.all(in: Array(text.utf8)[...], form: .drawn) ?? []
    }

    /// Which row each row of the base became: its number, or a dash where it went.
    private func became(_ old: String, _ new: String) -> String? {
        let (before, after) = (Self.rows(old), Self.rows(new))
        var budget = 1 << 20
        guard let changes = RowChanges(from: before, to: after, budget: &budget) else {
            return nil
        }
        return before.indices.map { row in
            guard let version = changes.version(of: row) else { return "-" }
            return after.firstIndex { $0.line == version.line }.map(String.init) ?? "?"
        }.joined()
    }

    @Test(
        arguments: [
            // As many rows, each as it was or with one other cell.
            ("a|1 b|2", "a|1 b|2", "01"), ("a|1 b|2", "a|3 b|2", "01"),
            ("a|1 b|2", "a|3 b|4", "01"),
            ("a|1", "b|1", "0"), ("a|1 b|2", "b|2 a|1", nil), ("a|1 b|2", "c|3 b|2", nil),
            ("a|1 b|1", "b|1 a|1", nil), ("a|1 b|1", "a|1 a|1", nil),
            // One that came or went.
            ("a|1 b|2", "a|1 b|2 c|3", "01"), ("a|1 b|2", "c|3 a|1 b|2", "12"),
            ("a|1 b|2", "a|1 c|3 b|2", "02"), ("a|1 b|2", "b|2", "-0"), ("a|1 b|2", "a|1", "0-"),
            ("a|1 b|2", "", "--"), ("", "a|1", ""),
            // One that came beside one that changed.
            ("a|1 b|2", "a|3 c|4 b|2", "02"), ("a|1 b|2", "c|4 a|3 b|2", "12"),
            ("a|1 b|2", "a|3 b|4 c|5", "01"), ("a|1 b|2", "c|5 a|3 b|4", "12"),
            ("a|1 b|2 c|3", "a|4 b|2", "01-"), ("a|1 b|2 c|3", "b|4 c|3", "-01"),
            // Nobody can tell of which one it is a version.
            ("a|1 b|2 c|3", "a|4 a|5", nil), ("a|1 b|2", "a|3 a|4 b|2", nil),
            ("a|1 b|1 c|3", "d|1 c|3", nil), ("a|1 b|2 c|3", "a|9 z|9", nil),
            ("a|1 b|2", "b|3 a|4 c|5", nil), ("a|1 b|2 c|3", "b|4 a|5", nil),
            // A row like another one.
            ("a|1 a|1 b|2", "a|3 a|1 b|2 c|4", nil), ("a|1 b|2", "a|1 a|1 b|2", nil),
            ("a|1 a|1 b|2", "a|1 b|2", nil), ("a|1 b|2", "a|1 b|2 b|2", nil),
            // Rows of more or fewer cells.
            ("a|1 b|2", "a|1|x b|2", nil), ("a|1 b|2", "a|1 b", nil),
            // The line below the heading.
            ("a|b ---|--- c|1", "a|b ---|--- c|2", "012"), ("a|b ---|--- c|1", "a|b c|1", nil),
            ("a|b ---|--- c|1", "a|b ------|--- c|1 d|2", "012"),
            ("a|b c|1", "a|b ---|--- c|1", nil),
        ] as [(String, String, String?)]
    )
    func `each row is one that was there, changed in a cell, or came`(
        old: String,
        new: String,
        rows: String?
    ) {
        #expect(became(old, new) == rows)
    }

    @Test func `of too many rows that changed together nobody says which is which`() {
        func table(_ count: Int, _ cell: String) -> String {
            (0..<count).map { "r\($0)|\(cell)" }.joined(separator: " ")
        }
        // As many pairs as may be compared, and one row more.
        #expect(became(table(128, "x") + " z|1", table(128, "y")) == nil)
        #expect(became(table(127, "x") + " z|1", table(127, "y"))?.hasSuffix("125126-") == true)
    }

    /// Whether a row of a base may be that of another one, by what two sides made of them.
    private func isUnsure(_ base: String, _ local: String, _ remote: String) -> Bool? {
        let old = Self.rows(base)
        var budget = 1 << 20
        guard let mine = RowChanges(from: old, to: Self.rows(local), budget: &budget),
            let theirs = RowChanges(from: old, to: Self.rows(remote), budget: &budget)
        else { return nil }
        return mine.isUnsure(beside: theirs, from: old)
    }

    @Test(
        arguments: [
            ("a|1 b|2", "a|1 b|2", "a|1 b|2", false), ("a|1 b|2", "a|3 b|2", "a|1 b|2 c|4", false),
            // What came says what a row said that the other side changed, but for that cell.
            ("a|1 b|2", "a|3 b|2", "a|1 a|9 b|2", true),
            ("a|1 b|2", "a|1 a|9 b|2", "a|3 b|2", true),
            ("a|1 b|2", "c|1 b|2", "a|1 d|1 b|2", true),
            ("a|1 b|2", "c|1 b|2", "a|1 a|9 b|2", false),
            // What went, and one that came and says most of it.
            ("a|1 b|2", "b|2", "a|1 b|2 a|9", true), ("a|1 b|2", "b|2", "a|1 b|2 c|1", false),
            ("a|1 b|2", "b|2", "a|1 b|2", false),
            ("a|1|x b|2|y", "b|2|y", "a|1|x b|2|y a|1|z", true),
        ] as [(String, String, String, Bool)]
    )
    func `a row that came may be one that the other side changed or took out`(
        base: String,
        local: String,
        remote: String,
        isUnsure: Bool
    ) {
        #expect(self.isUnsure(base, local, remote) == isUnsure)
        #expect(self.isUnsure(base, remote, local) == isUnsure)
    }
}
