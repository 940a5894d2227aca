import Testing

@testable import LockbookModel

/// Records of several lines that one side moved, while the other one changed or deleted some.
struct TextMergeMovedRecordTests {
    private func contact(_ name: String, _ friend: String, _ note: String) -> String {
        "BEGIN:VCARD\nFN:\(name)\nN:\(friend)\nNOTE:\(note)\nEND:VCARD\n"
    }

    private func example(_ title: String, _ command: String) -> String {
        "- \(title):\n\n`\(command)`\n\n"
    }

    private func section(_ name: String, _ number: Int) -> String {
        "[\(name)]\nat = \(number)\nby = Kim\n\n"
    }

    @Test func `a field that two have, changed in one of two that changed places`() {
        let anna = contact("Anna Hill", "Kim", "boat")
        let (bob, cleo) = (contact("Bob Lake", "Kim", "skis"), contact("Cleo Wood", "Tom", "tent"))
        let edited = contact("Bob Lake", "Dan", "skis")
        expectConflict(
            anna + bob + cleo,
            anna + edited + cleo,
            bob + anna + cleo,
            fileExtension: "vcf"
        )
    }

    @Test func `a line changed in a record before which the next one was put, with a new word`() {
        let base = example("Publish with public access", "npm publish --access public")
        let other = example("Publish with restricted access", "npm publish --access restricted")
        expectConflict(
            "# npm\n\n" + base + other,
            "# npm\n\n" + example("Publish with public access", "pnpm publish --access public")
                + other,
            "# npm\n\n"
                + example("Publish now with restricted access", "npm publish --access restricted")
                + base
        )
    }

    @Test func `a line that others have, taken out of a record that moved`() {
        let (tea, boats) = (lines("# tea", "- buy"), lines("# boats", "- sail", "- sail"))
        expectConflict(
            tea + boats + lines("# jam", "- sail"),
            tea + boats + "# jam\n",
            lines("# new", "- sail") + tea + lines("# jam", "- sail") + boats
        )
    }

    @Test func `moved here and deleted there, with a change beside it`() {
        let (mail, tea) = ("* mail\n  a b c\n", "* tea\n  d e f\n")
        let hugo = "* Hugo\n  g h i\n"
        // Where it went from.
        expectConflict(
            mail + tea + hugo,
            tea + hugo + mail,
            "* tea now\n  d e f\n" + hugo,
            fileExtension: "org"
        )
        // Where it went to.
        expectConflict(
            mail + tea + hugo,
            tea + mail + hugo,
            tea + "* Hugo left\n  g h i\n",
            fileExtension: "org"
        )
    }

    @Test func `moved here and deleted there is back as in git, but not where git has a conflict`()
    {
        let (anna, bob) = (section("anna", 11), section("bob", 22))
        let (cleo, dan) = (section("cleo", 33), "rent a museum\n")
        expectClean(
            anna + bob + cleo + dan,
            bob + anna + cleo + dan,
            bob + cleo + dan,
            bob + anna + cleo + dan,
            fileExtension: "txt"
        )
        let moved = merged(
            anna + bob + cleo + dan,
            bob + anna + cleo + "rent an old museum\n",
            bob + cleo + "rent a museum, Dan\n",
            fileExtension: "txt"
        )
        #expect(
            moved == .conflicts(1, bob + conflict(anna, "") + cleo + "rent an old museum, Dan\n")
        )
    }

    @Test func `moved to two places, with a change where it went from`() {
        let moved = merged(
            "- x tea\n- y jam\n- z oil\n- v egg\n- w nut\n",
            "- now x tea\n- z oil\n- v egg\n- w nut\n- y jam\n",
            "- x tea\n- z oil\n- y jam\n- v egg\n- w nut\n"
        )
        let (oil, nuts) = ("- z oil\n", "- v egg\n- w nut\n")
        #expect(
            moved
                == .conflicts(
                    3,
                    conflict("- now x tea\n", "- x tea\n") + oil + conflict("", "- y jam\n") + nuts
                        + conflict("- y jam\n", "")
                )
        )
    }

    @Test func `changed where it was and moved: one decides about both places`() {
        let rest = "- oil\n- egg\n- nut\n"
        let moved = merged(
            "- tea\n- bread\n" + rest,
            "- bread, two\n" + rest + "- tea\n",
            "- tea, green\n- bread\n" + rest
        )
        #expect(
            moved
                == .conflicts(
                    2,
                    conflict("- bread, two\n", "- tea, green\n- bread\n") + rest
                        + conflict("- tea\n", "")
                )
        )
    }

    @Test func `moved by both to the same place is no move that anything is decided about`() {
        let rest = "- oil\n- egg\n- nut\n- tea\n"
        expectClean(
            "- tea\n- bread\n- oil\n- egg\n- nut\n",
            "- bread, two\n" + rest,
            "- bread\n" + rest,
            "- bread, two\n" + rest
        )
        expectClean(
            "anna\nbob\ncleo\ndan\n",
            "now\nbob\ncleo\nanna\ntom, tea\n",
            "now\nbob\ncleo, jam\nanna\ntom, tea\n",
            "now\nbob\ncleo, jam\nanna\ntom, tea\n"
        )
    }

    @Test func `a record added between two that moved`() {
        func heading(_ name: String, _ depth: Int) -> String {
            String(repeating: "#", count: depth) + " \(name)\n\ntext of \(name)\n\n"
        }
        let cleo = heading("cleo", 1)
        expectConflict(
            heading("anna", 1) + heading("bob", 2) + cleo,
            cleo + heading("anna", 2) + heading("bob", 3),
            heading("anna", 1) + heading("bob", 2) + heading("new", 2) + cleo
        )
    }

    @Test func `a line that others have, in a record that stayed before one that moved`() {
        func record(_ name: String, _ state: String) -> String {
            "\(name):\n  by: Kim\n  done: \(state)\n"
        }
        let (anna, cleo) = (record("anna", "no"), record("cleo", "yes"))
        expectClean(
            anna + record("bob", "no") + cleo,
            anna + record("bob", "later") + cleo,
            cleo + anna + record("bob", "no"),
            cleo + anna + record("bob", "later"),
            fileExtension: "yaml"
        )
    }

    @Test func `a point added below one that went below a new one with the same lines`() {
        let alpha = "- alpha\n  about alpha\n"
        let gamma = "  - gamma\n    about gamma\n"
        expectConflict(
            alpha + "- beta\n  about beta\n" + gamma,
            alpha + "- new\n  about new\n"
                + "  - beta\n    about beta\n    - gamma\n      about gamma\n",
            alpha + "- beta\n  about beta\n  - delta\n    about delta\n" + gamma
        )
    }

    @Test func `a point added below one that has another name, or a name that others have`() {
        expectClean(
            "- beta\n  about beta\n  - gamma\n",
            "- beta\n  about Bob\n  - gamma\n",
            "- beta\n  about beta\n  - delta\n  - gamma\n",
            "- beta\n  about Bob\n  - delta\n  - gamma\n"
        )
        expectClean(
            "- anna\n  is at home\n- bob\n  is at home\n",
            "- anna\n  is at work\n- bob\n  is at home\n",
            "- anna\n  is at home\n  - call her\n- bob\n  is at home\n",
            "- anna\n  is at work\n  - call her\n- bob\n  is at home\n"
        )
    }
}
