import Testing

/// Columns of a table that came, went or moved on one side, and rows that the other one changed.
struct TextMergeTableTests {
    private static let rows = lines("name,city,phone", "Anna,Rome,11", "Bob,Oslo,22")
    private static let drawn = lines("| name | phone |", "|---|---|", "| Anna | 11 |")
    private static let wider = lines(
        "| name | phone | city |",
        "|---|---|---|",
        "| Anna | 11 | Oslo |"
    )

    @Test(arguments: [
        lines("id,name,city,phone", "1,Anna,Rome,11", "2,Bob,Oslo,22"),
        lines("name,city,phone,note", "Anna,Rome,11,x", "Bob,Oslo,22,y"),
        lines("name,phone", "Anna,11", "Bob,22"),
        lines("name,phone,city", "Anna,11,Rome", "Bob,22,Oslo"),
        lines("phone,city,name", "11,Rome,Anna", "22,Oslo,Bob"),
    ])
    func `a row that is added beside changed columns is in both versions`(columns: String) {
        let added = Self.rows + "Kim,Bonn,33\n"
        let between = Self.rows.replacing("Bob", with: "Kim,Bonn,33\nBob")
        for row in [added, between, Self.rows + "\"Lee, Kim\",Bonn,33\n"] {
            expectConflict(Self.rows, columns, row, fileExtension: "csv")
        }
        for (name, separator) in [("CSV", ";"), ("tsv", "\t")] {
            let texts = [Self.rows, columns, added].map { $0.replacing(",", with: separator) }
            expectConflict(texts[0], texts[1], texts[2], fileExtension: name)
        }
    }

    @Test func `a row of a drawn table that is added beside changed columns is in both versions`() {
        let base = Self.drawn
        let added = base + "| Kim | 33 |\n"
        let moved = lines("| phone | name |", "|---|---|", "| 11 | Anna |")
        expectConflict(base, Self.wider, added)
        expectConflict(Self.wider, base, Self.wider + "| Kim | 33 | Bonn |\n")
        expectConflict(base, moved, added)
        expectConflict(
            "# x\n\n" + base + "\ny\n",
            "# x\n\n" + moved + "\ny\n",
            "# x\n\n" + added + "\ny\n"
        )
        // The line across a table of org has as many fields as one likes.
        let (old, new) = (
            base.replacing("-|-", with: "-+-"), Self.wider.replacing("-|-", with: "-+-")
        )
        expectConflict(old, new, old + "| Kim | 33 |\n", fileExtension: "org")
    }

    @Test func `the line below the headings has as many fields as they have`() {
        let other = lines("| id | name | phone |", "|---|---|---|", "| 1 | Anna | 11 |")
        expectConflict(Self.drawn, Self.wider, other)
    }

    @Test func `lines that one side made rows have as many fields each`() {
        let base = lines("name of whom phone number", "Anna or one of hers 11 at home")
        let drawn = lines(
            "| name of whom | phone number |",
            "| Anna or one of hers | 11 at home |"
        )
        expectConflict(base, base.replacing("of hers", with: "of them | his"), drawn)
        expectClean(
            base,
            base.replacing("of hers", with: "of them"),
            drawn,
            drawn.replacing("of hers", with: "of them")
        )
    }

    @Test func `columns that leave all rows alike are taken`() {
        let columns = lines("id,name,city,phone", "1,Anna,Rome,11", "2,Bob,Oslo,22")
        expectClean(
            Self.rows,
            columns,
            lines("name,city,phone,note", "Anna,Rome,11,x", "Bob,Oslo,22,y"),
            lines("id,name,city,phone,note", "1,Anna,Rome,11,x", "2,Bob,Oslo,22,y"),
            fileExtension: "csv"
        )
        expectClean(
            Self.rows,
            columns,
            Self.rows.replacing("22", with: "23"),
            columns.replacing(",22", with: ",23"),
            fileExtension: "csv"
        )
        expectClean(
            Self.drawn,
            Self.wider,
            Self.drawn.replacing("11", with: "12 `a|b` \\| 13"),
            Self.wider.replacing("11", with: "12 `a|b` \\| 13")
        )
    }

    @Test func `rows of other texts, and of tables with rows of any length, are merged as lines`() {
        let columns = lines("id,name,city,phone", "1,Anna,Rome,11", "2,Bob,Oslo,22")
        let added = Self.rows + "Kim,Bonn,33\n"
        expectClean(Self.rows, columns, added, columns + "Kim,Bonn,33\n", fileExtension: "txt")
        let uneven = added + "Lee\n"
        expectClean(
            Self.rows,
            columns,
            uneven,
            columns + "Kim,Bonn,33\nLee\n",
            fileExtension: "csv"
        )
    }
}
