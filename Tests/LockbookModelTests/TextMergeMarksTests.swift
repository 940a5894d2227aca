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
        ("**the manual page**", "the [[manual]] page", "**the [[manual]] page**"),
        ("[[the]] manual page", "the manual [[page]]", "[[the]] manual [[page]]"),
        ("`the` manual page", "the `manual page`", "`the` `manual page`"),
        ("[[the manual page]]", "the old manual page", "[[the old manual page]]"),
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
    ])
    func `a line that is added to others goes with them below a new parent`(
        base: String,
        local: String,
        remote: String
    ) {
        expectConflict(base, local, remote)
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
