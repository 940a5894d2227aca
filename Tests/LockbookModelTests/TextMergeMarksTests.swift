import Testing

@testable import LockbookModel

/// What one side put between marks, or below a parent, while the other one did so elsewhere.
struct TextMergeMarksTests {
    @Test(arguments: [
        ("[[the manual]] page", "the [[manual page]]"),
        ("[the manual](a) page", "the [manual page](b)"),
        ("(the manual) page", "the (manual page)"),
        ("\"the manual\" page", "the \"manual page\""),
        ("`the manual` page", "the `manual page`"),
        ("**the manual** page", "the **manual page**"),
        ("**the manual** page", "the [[manual page]]"),
        ("<b>the manual</b> page", "the <i>manual page</i>"),
        ("[[the manual]] page", "[[the manual page]]"),
        ("[[the manual page]]", "the [[manual]] page"),
        ("\"the manual page\"", "the \"manual\" page"),
    ])
    func `marks that cross are in both versions`(local: String, remote: String) {
        expectConflict("see the manual page now\n", "see \(local) now\n", "see \(remote) now\n")
    }

    @Test(arguments: [
        ("_", "_"), ("__", "__"), ("„", "“"), ("“", "”"), ("”", "”"), ("«", "»"), ("»", "«"),
        ("‘", "’"), ("‚", "‘"), ("‹", "›"), ("「", "」"), ("『", "』"), ("%%", "%%"), ("||", "||"),
        ("<!-- ", " -->"), ("^", "^"), ("[^", "^]"), ("„_", "_“"), ("‚“", "”’"),
    ])
    func `marks that are of words, or of several signs, do not cross others`(
        start: String,
        end: String
    ) {
        let base = "see the big old manual page now\n"
        let marked = base.replacing("the big old manual", with: "\(start)the big old manual\(end)")
        let later = base.replacing("old manual page", with: "\(start)old manual page\(end)")
        expectConflict(base, marked, base.replacing("old manual page", with: "**old manual page**"))
        expectConflict(base, marked, later)
        expectConflict(base, later, base.replacing("big old", with: "[[big old]]"))
        expectClean(
            base,
            marked,
            base.replacing("big old", with: "**big old**"),
            marked.replacing("big old", with: "**big old**")
        )
        expectClean(
            base,
            marked,
            base.replacing("now", with: "**now**"),
            marked.replacing("now", with: "**now**")
        )
    }

    @Test(arguments: [
        ("dogs’", "James’"), ("file_dogs", "James_of"), ("_dogs", "_James"), ("dogs_", "James_"),
    ])
    func `apostrophes are no quotes, and names of several words no emphasis`(
        dogs: String,
        james: String
    ) {
        func text(_ one: String, _ between: String, _ other: String, _ end: String) -> String {
            "see the \(one) \(between)manual page by \(other) now\(end) and here\n"
        }
        expectClean(
            text("dogs", "", "James", ""),
            text(dogs, "", james, ""),
            text("dogs", "[[", "James", "]]"),
            text(dogs, "[[", james, "]]")
        )
    }

    @Test(arguments: [
        ("**the manual page**", "the [[manual]] page", "**the [[manual]] page**"),
        ("[[the]] manual page", "the manual [[page]]", "[[the]] manual [[page]]"),
        ("`the` manual page", "the `manual page`", "`the` `manual page`"),
        ("[[the manual page]]", "the old manual page", "[[the old manual page]]"),
        ("`the` manual `page`", "the [[manual]] page", "`the` [[manual]] `page`"),
        ("(the) manual page", "the manual page (all of it)", "(the) manual page (all of it)"),
    ])
    func `marks that do not cross are taken`(local: String, remote: String, both: String) {
        expectClean(
            "see the manual page now\n",
            "see \(local) now\n",
            "see \(remote) now\n",
            "see \(both) now\n"
        )
    }

    @Test func `what stands between two words in marks is in none`() {
        expectClean(
            "see the big old manual page now\n",
            "see `the` big old `manual` page now\n",
            "see the big [[old manual page]] now\n",
            "see `the` big [[old `manual` page]] now\n"
        )
    }

    @Test(arguments: [
        ("- a\n- b\n", "- root\n  - a\n  - b\n", "- a\n- b\n- c\n"),
        (
            "# x\n\n- a\n- b\n\n# z\n", "# x\n\n- root\n  - a\n  - b\n\n# z\n",
            "# x\n\n- a\n- b\n- c\n\n# z\n"
        ),
        (
            "a: 1\nb: 2\nz:\n  q: 1\n", "root:\n  a: 1\n  b: 2\nz:\n  q: 1\n",
            "a: 1\nb: 2\nc: 3\nz:\n  q: 1\n"
        ),
        (
            "def f():\n    a()\n    b()\n", "if x:\n    def f():\n        a()\n        b()\n",
            "def f():\n    a()\n    b()\n    c()\n"
        ),
        ("f:\n  a: 1\n  b: 2\n", "f:\n    a: 1\n    b: 2\n", "f:\n  a: 1\n  b: 2\n  c: 3\n"),
        ("x: 0\na: 1\nb: 2\n", "x: 0\nroot:\n  a: 1\n  b: 2\n", "x: 0\na: 1\nb: 2\nc: 3\n"),
        (
            "- a\n- b\n  - inner\n", "- root\n  - a\n  - b\n    - inner\n",
            "- a\n- b\n  - inner\n- c\n"
        ),
        (
            "- a\n- b\n  - inner\n    - deep\n",
            "- root\n  - a\n  - b\n    - inner\n      - deep\n",
            "- a\n- b\n  - inner\n    - deep\n  - c\n"
        ),
    ])
    func `a line that is added to others goes with them below a new parent`(
        base: String,
        local: String,
        remote: String
    ) {
        expectConflict(base, local, remote)
    }

    @Test func `a heading that is added beside others goes with them below a new one`() {
        let base = "* alpha\n* beta\n* gamma\n"
        let below = "* parent\n** alpha\n** beta\n* gamma\n"
        for heading in ["* new\n", "** new\n"] {
            let added = "* alpha\n\(heading)* beta\n* gamma\n"
            expectConflict(base, below, added, fileExtension: "org")
        }
    }

    @Test func `a point below a heading, or a heading beside one, that is deeper now is taken`() {
        for point in ["-", "*"] {
            expectClean(
                "# alpha\n\(point) see\n",
                "## alpha\n\(point) see\n",
                "# alpha\n\(point) new\n\(point) see\n",
                "## alpha\n\(point) new\n\(point) see\n"
            )
        }
        expectClean(
            "* alpha\n* beta\n",
            "* alpha\n** beta\n",
            "* alpha\n* beta\n* gamma\n",
            "* alpha\n** beta\n* gamma\n"
        )
    }

    @Test func `a line stays where one is beside it`() {
        expectClean("- a\n- b\n", "- a\n  - b\n", "- a\n- b\n- c\n", "- a\n  - b\n- c\n")
        expectClean(
            "- x\n- a\n  - b\n",
            "- x\n  - a\n    - b\n",
            "- x\n- a\n  - b\n- c\n",
            "- x\n  - a\n    - b\n- c\n"
        )
        expectClean("p\n  c\n", "p\nc\n", "p\n  c\nq\n", "p\nc\nq\n")
    }
}
