import Testing

@testable import LockbookModel

/// Lines added in an outline, below ones that the other side indented anew.
///
/// `- a|  - b` is a text of two lines.
struct WordChangesOutlineTests {
    @Test(arguments: [
        // The line directly above goes up or down a level.
        ("- a|  - b|- c", "- a|  - b|  - n|- c", "- a|- b|- c"),
        ("- a|- b|- c", "- a|- b|  - n|- c", "- a|  - b|- c"),
        ("- a|  - b|- c", "- a|  - b|  - n|- c", "- a|    - b|- c"),
        ("- a|  - b|- c", "- a|  - b| - n|- c", "- a|- b|- c"),
        ("* a|\t* b", "* a|\t* b|\t* n", "* a|* b"),
        // With blank lines before what was added, or below that line.
        ("- a|  - b|- c", "- a|  - b||  - n|- c", "- a|- b|- c"),
        ("- a|  - b|", "- a|  - b||  - n", "- a|- b|"),
        ("- a|  - b|  ", "- a|  - b|  |  - n", "- a|- b|  "),
        // With other changes on either side.
        ("- a|  - b|- c|  - d", "- a|- m|  - b|- c|  - d|  - n", "- a|  - b|- c|- d"),
        ("- a|  - b|- c|  - d", "- a|  - b||- c|  - d|  - n", "- a|  - b|- c|- d"),
        ("- a|  - b|- c|  - d", "- a| x|  - b|- c|  - d|  - n", "- a|  - b|- c|- d"),
        ("- a|  - b|- c|  - d", "- a|  - b|- c|  - d now|  - n", "- a|  - b|- c|- d"),
        ("- a|  - b|- c", "- a|  - b|  - n|- c", "- a with more|- b|- c"),
        ("- a|  - b|- c", "- a|  - b|  - n|- c", "- |- b|- c"),
        ("- a|  - b|- c", "- a|  - b|  - n|- c", "- a|- b|- c with more"),
        // The nearest line that is no deeper, above others that are.
        ("- a|  - b|    - d", "- a|  - b|    - d|  - n", "- a|- b|    - d"),
        ("- a|  - b|    - d", "- a|  - b|    - d|  - n", "- a|  - b|- d"),
        // It was the first of its level, and goes below what stands above it.
        ("- b|- c", "- b|- n|- c", "  - b|- c"),
        ("- a|  - b|- x|  - b", "- a|  - b|- x|  - b|  - n", "- a|  - b|- x|    - b"),
        ("  - w|- b", "  - w|- b|- n", "- w|  - b"),
        ("- b|- c", "- b|- n|- c", "- new|  - b|- c"),
    ])
    func `hang beneath it where they belong to another line by that`(
        base: String,
        added: String,
        indented: String
    ) {
        #expect(hangs(base, added, indented))
    }

    @Test(arguments: [
        // Deeper, or less deep, in both versions.
        ("- a|  - b|- c", "- a|  - b|    - n|- c", "- a|- b|- c"),
        ("- a|- b|- c", "- a|- b|- n|- c", "- a|  - b|- c"),
        ("- a|  - b|- c", "- a|  - b|- n|- c", "- a|- b|- c"),
        ("- a|  - b|- c", "- a|  - b||- n|- c", "- a|- b|- c"),
        // Beside others that are no line's points, or none at all.
        ("- a|  - b|- c", "- a|  - b||- c", "- a|- b|- c"),
        ("- a|  - b|- c", "- a|  - b|- c|  - n", "- a|- b|- c"),
        ("- a|  - b|- c", "- a|  - b|  - n|- c", "- a with more|  - b|- c"),
        ("- a|  - b|- c|- d", "- a|  - b|  - n|- c|- d", "- a|  - b|  - c|- d"),
        ("  - b|- c", "  - n|  - b|- c", "- b|- c"),
        // Only words of a line, or a line in the place of another one.
        ("- a|  - b", "- a|  - b and n", "- a|- b"),
        ("- a|- b", "- a|- b now", "  - a|- b"),
        ("- a|  - b|c", "- a|  - b|  n", "- a|- b|c"),
        // What took the end of the line touches the addition anyway.
        ("- a|  - b|- c", "- a|  - b|  - n|- c", "- a|  - b, c"),
        // Neither directly above nor the nearest that is no deeper.
        ("- a|  - b|    - d", "- a|  - b|    - d|  - n", "  - a|  - b|    - d"),
        ("- a|  - b|    - d", "- a|  - b|    - d|  - n", "- a|  - b|  - d"),
        ("- a|    - d|  - b", "- a|    - d|  - b|  - n", "- a|- d|  - b"),
        ("- a|    - d|- b", "- a|    - d|- b|- n", "- a|- d|- b"),
        ("- a|  - b|  - e", "- a|  - b|  - e|  - n", "- a|- b|  - e"),
        ("  - b|    - d", "  - b|    - d|- n", "    - b|    - d"),
        ("  - b|    - d", "  - b|    - d|- n", "  - b|- d"),
        (
            "- a|  - b|    - d|      - e", "- a|  - b|    - d|      - e|  - n",
            "- a|  - b|- d|      - e"
        ),
        // It goes below a line of its level, and so does what was added.
        ("- a|  - b|- b", "- a|  - b|- b|- n", "- a|  - b|  - b"),
        ("- a||- b", "- a||- b|- n", "- a||  - b"),
        ("- a|  - b|  - e", "- a|  - b|  - e|  - n", "- a|  - b|    - e"),
    ])
    func `stay where they belong to the same line in both versions`(
        base: String,
        added: String,
        indented: String
    ) {
        #expect(!hangs(base, added, indented))
    }

    @Test(arguments: [
        ("- w", false), ("- w|| ", false), ("", true), ("  - w", true), ("    - v", true),
        ("- w|  - v", false), ("# w", false),
    ])
    func `what stands above the stretch may be the line of that level`(above: String, hangs: Bool) {
        #expect(self.hangs("- b|- c", "- b|- n|- c", "  - b|- c", below: above) == hangs)
    }

    @Test(arguments: [
        ("- w", true), ("- w|  - x", false), ("- w|  - x|    - y", false), ("- w|  - x|- y", true),
        ("- w|  - x|", false), ("- w|  - x|- y|    - z", true),
    ])
    func `what is less deep above it ends the search`(above: String, hangs: Bool) {
        #expect(self.hangs("  - b|- c", "  - b|  - n|- c", "    - b|- c", below: above) == hangs)
    }

    @Test func `of what is farther up nobody says that it is of that level`() {
        for (count, hangs) in [(199, false), (200, true)] {
            let many = String(repeating: "  - x|", count: count)
            #expect(
                self.hangs("- v|\(many)- b", "- v|\(many)- b|- n", "- v|\(many)  - b") == hangs
            )
        }
        let many = String(repeating: "  - x|", count: 199)
        #expect(!hangs("\(many)- b", "\(many)- b|- n", "\(many)  - b", below: "- w"))
        // Ten thousand bytes above the stretch.
        for (count, hangs) in [(9_993, false), (9_994, true)] {
            let above = "- w|  " + String(repeating: "x", count: count)
            #expect(self.hangs("- b|- c", "- b|- n|- c", "  - b|- c", below: above) == hangs)
        }
        // How deep a line is that begins before that, nobody sees.
        for blanks in ["", "  "] {
            let above = blanks + "- " + String(repeating: "w", count: 10_000)
            #expect(hangs("- b|- c", "- b|- n|- c", "  - b|- c", below: above))
        }
    }

    @Test(arguments: ["#", "*"])
    func `headings are deep by their marks, up to sixteen, beside each other`(mark: String) {
        func text(_ headings: (Int, String)...) -> String {
            headings.map { String(repeating: mark, count: $0.0) + " " + $0.1 }
                .joined(separator: "|")
        }
        #expect(
            hangs(
                text((1, "a"), (2, "b"), (1, "c")),
                text((1, "a"), (2, "b"), (2, "n"), (1, "c")),
                text((1, "a"), (1, "b"), (1, "c"))
            )
        )
        let one = text((1, "a"), (1, "b"))
        let two = text((1, "a"), (2, "b"))
        #expect(hangs(one, text((1, "a"), (1, "b"), (2, "n")), two))
        #expect(!hangs(two, text((1, "a"), (2, "b"), (3, "n")), one))
        let deep = text((1, "a"), (16, "b"))
        #expect(hangs(deep, text((1, "a"), (16, "b"), (16, "n")), text((1, "a"), (15, "b"))))
        let stars = text((1, "a"), (17, "b"))
        #expect(!hangs(stars, text((1, "a"), (17, "b"), (17, "n")), deep))
        // Of what is no heading they say nothing.
        #expect(!hangs(text((2, "b")), text((2, "b")) + "| - n", text((1, "b"))))
        #expect(!hangs(text((1, "b")), text((1, "b")) + "| n", text((3, "b"))))
        let (first, more) = (text((1, "b")), text((1, "b"), (1, "n")))
        #expect(!hangs(first, more, text((2, "b")), below: text((1, "a"))))
        #expect(hangs(first, more, text((2, "b")), below: text((2, "a"))))
        #expect(!hangs(first, more, text((2, "b")), below: text((1, "a")) + "|text"))
    }

    @Test func `a heading is marks and a blank, behind blanks or none`() {
        #expect(hangs("#a|##\tb", "#a|##\tb|##\tn", "#a|#\tb"))
        #expect(hangs("# a|  ## b", "# a|  ## b|  ## n", "# a|  # b"))
        #expect(!hangs("# a|  ## b", "# a|  ## b| ## n", "# a|  # b"))
        #expect(hangs("* a|  * b", "* a|  * b|  * n", "* a|* b"))
        #expect(!hangs("#a|##b", "#a|##b|##n", "#a|#b"))
        #expect(!hangs("+ a|++ b", "+ a|++ b|++ n", "+ a|+ b"))
    }

    /// Whether what one side added belongs to another line by what the other one indented anew.
    ///
    /// - Parameter above: lines that all three have above the stretch that both sides changed.
    private func hangs(
        _ base: String,
        _ added: String,
        _ indented: String,
        below above: String? = nil
    ) -> Bool {
        func ended(_ text: String) -> String { text.replacing("|", with: "\n") + "\n" }
        let top = above.map { ended($0) } ?? ""
        let texts = [base, added, indented].map { Array((top + ended($0)).utf8) }
        let text = MergeText(base: texts[0], local: texts[1], remote: texts[2])
        var table = PieceTable(of: text)
        let old = table.words(of: text.base.dropFirst(top.utf8.count))
        let local = table.words(of: text.local.dropFirst(top.utf8.count))
        let remote = table.words(of: text.remote.dropFirst(top.utf8.count))
        let kinds = table.count
        let known = OldWords(old, kinds: kinds, in: text.bytes)
        func changes(to side: TextPieces) -> WordChanges {
            var budget = 1_000_000
            return WordChanges(
                from: known,
                to: side,
                kinds: kinds,
                budget: &budget,
                elsewhere: {
                    var none = WordsElsewhere.OfSides(in: [], of: text)
                    return none.local
                },
                in: text
            )
        }
        return changes(to: local).hangs(beneath: changes(to: remote), old, text.bytes)
    }
}
