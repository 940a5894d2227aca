import Testing

@testable import LockbookModel

/// Records of which one side changed one, and the other one put another one in its place.
struct TextMergeReplacedTests {
    private func point(_ id: String, _ name: String, _ done: String) -> String {
        lines("  - id: \(id)", "    name: \(name)", "    city: Rome", "    done: \(done)")
    }

    @Test(arguments: ["yaml", "md", ""])
    func `a point of a list gets nothing of the one whose place it took`(fileExtension: String) {
        let base = "list:\n" + point("a1", "Anna", "no") + point("c3", "Cleo", "no")
        let replaced = base.replacing(point("a1", "Anna", "no"), with: point("b2", "Bob", "no"))
        let edited = base.replacing(point("a1", "Anna", "no"), with: point("a1", "Anna", "yes"))
        expectConflict(base, replaced, edited, fileExtension: fileExtension)
        // Who takes either version of all has a record as somebody wrote it.
        let merge = merged(base, replaced, edited, fileExtension: fileExtension)
        guard case .conflicts(2, let text) = merge else {
            Issue.record("\(merge)")
            return
        }
        let blocks = ConflictBlocks(in: Array(text.utf8))
        for (side, wanted) in [(ConflictSide.local, replaced), (.remote, edited)] {
            let resolved = blocks.resolved(keeping: side)
            #expect(String(decoding: resolved, as: UTF8.self) == wanted)
        }
        // Another name alone is none.
        let named = base.replacing("name: Anna", with: "name: Anne")
        expectClean(
            base,
            named,
            edited,
            named.replacing(
                "Rome\n    done: no\n  - id: c3",
                with: "Rome\n    done: yes\n  - id: c3"
            ),
            fileExtension: fileExtension
        )
    }

    @Test func `a table of TOML gets nothing of the one whose place it took`() {
        func table(_ id: String, _ name: String, _ done: String) -> String {
            lines("[[list]]", "name = \"\(name)\"", "id = \"\(id)\"", "city = 1", "done = \(done)")
        }
        let more = "\n" + table("c", "Cleo", "true")
        expectConflict(
            table("a", "Anna", "false") + more,
            table("b", "Bob", "false") + more,
            table("a", "Anna", "true") + more,
            fileExtension: "toml"
        )
    }

    @Test func `an entry of BibTeX gets nothing of the one whose place it took`() {
        func entry(_ key: String, _ title: String, _ year: String) -> String {
            lines(
                "@book{\(key),",
                "  title = {\(title)},",
                "  place = {Rome},",
                "  year = \(year)",
                "}"
            )
        }
        expectConflict(
            entry("a", "x", "1"),
            entry("b", "y", "1"),
            entry("a", "x", "2"),
            fileExtension: "bib"
        )
    }

    @Test func `an element gets nothing of the one whose place it took`() {
        func element(_ id: String, _ name: String, _ state: String) -> String {
            "<a>\n  <p id=\"\(id)\" name=\"\(name)\" city=\"Rome\" done=\"\(state)\"/>\n</a>\n"
        }
        let (base, edited) = (element("a", "x", "no"), element("a", "x", "yes"))
        expectConflict(base, element("b", "y", "no"), edited, fileExtension: "xml")
        let named = element("a", "y", "yes")
        expectClean(base, element("a", "y", "no"), edited, named, fileExtension: "xml")
        func outline(_ id: String, _ name: String, _ state: String) -> String {
            lines(
                "<a>",
                "  <p id='\(id)'>",
                "    <n>\(name)</n>",
                "    <c>1</c>",
                "    <d>\(state)</d>"
            )
                + lines("  </p>", "</a>")
        }
        expectConflict(
            outline("a", "x", "no"),
            outline("b", "y", "no"),
            outline("a", "x", "yes"),
            fileExtension: "svg"
        )
    }

    private func section(_ name: String, _ values: String...) -> String {
        "## \(name)\n\n"
            + zip(["phone", "city", "note", "done"], values)
            .map { "- \($0): \($1)\n" }.joined()
    }

    @Test func `a section gets nothing of the one whose place it took`() {
        let base = "# People\n\n" + section("Anna", "12", "Rome", "tall", "no")
        let replaced = "# People\n\n" + section("Bob", "77", "Oslo", "short", "no")
        let edited = "# People\n\n" + section("Anna", "12", "Rome", "tall", "yes")
        expectConflict(base, replaced, edited)
    }

    @Test func `a section with another name is the same one`() {
        let base = "# People\n\n" + section("Anna", "12", "Rome", "tall", "no")
        let named = "# People\n\n" + section("Kim", "12", "Rome", "slim", "no")
        let edited = "# People\n\n" + section("Anna", "12", "Rome", "tall", "yes")
        let both = "# People\n\n" + section("Kim", "12", "Rome", "slim", "yes")
        expectClean(base, named, edited, both)
        // So it is where a word of its name stayed, and most of what it says did not.
        let written = "# People\n\n" + section("Anna Berg", "77", "Oslo", "short", "no")
        let all = "# People\n\n" + section("Anna Berg", "77", "Oslo", "short", "yes")
        expectClean(base, written, edited, all)
    }

    @Test func `a point with lines below it gets nothing of the one whose place it took`() {
        func point(_ name: String, _ values: String...) -> String {
            "- \(name)\n" + values.map { "  \($0)\n" }.joined()
        }
        let more = point("Cleo", "1", "2", "3")
        expectConflict(
            point("Anna", "12", "Rome", "done: no") + more,
            point("Bob", "77", "Oslo", "done: no") + more,
            point("Anna", "12", "Rome", "done: yes") + more
        )
        // What stands elsewhere as well was moved there, or is nobody's name.
        expectClean(
            point("x", "12", "Rome", "of 3") + more + point("x", "5"),
            point("y", "77", "Oslo", "of 3") + more + point("x", "5"),
            point("x", "12", "Rome", "of 4") + more + point("x", "5"),
            point("y", "77", "Oslo", "of 4") + more + point("x", "5")
        )
    }

    @Test func `many points that became others are as quick to tell apart as few`() {
        // Reading the words of all for each of them would take some hours.
        func points(_ name: String, _ state: String) -> String {
            (0..<60_000).map { "- \(name)\($0)\n  at \(name)\n  by \(name)\n  done \(state)\n" }
                .joined()
        }
        expectConflict(points("anna", "no"), points("bob", "no"), points("anna", "yes"))
    }

    @Test func `a comment in a block of code is no heading`() {
        func records(_ text: String) -> [Range<Int>] {
            var table = PieceTable(of: Array(text.utf8))
            let pieces = table.lines(of: 0..<text.utf8.count)
            return TextRecords(of: pieces, in: Array(text.utf8)).all.map(\.lines)
        }
        #expect(records("## a\n\n```sh\n# b\nls\n```\nc\n## d\ne\n") == [2..<6, 0..<7, 7..<9])
        #expect(records("## a\n# b\nc\n\n") == [1..<3])
        #expect(records("- a\n  - b\n    c\n\n  d\ne\n") == [1..<3, 0..<5])
    }
}
