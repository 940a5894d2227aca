import Testing

@testable import LockbookModel

/// Lines added below one that the other side replaced, which may be another list's by now.
struct TextMergeFollowerTests {
    @Test(arguments: [
        ("- bread\n", "\n# Home\n- tap\n"),
        ("- white bread\n", "- rolls\n\n# Home\n- fix tap\n"),
        ("- pay rent May\n", "- pay rent May, done\n- pay rent June\n"),
    ])
    func `a point below the last one of a list, in whose place is more than it`(
        old: String,
        new: String
    ) {
        let (shop, work) = ("# Shop\n- milk\n", "\n# Work\n- call\n")
        expectConflict(shop + old + work, shop + old + "- eggs\n" + work, shop + new + work)
        // As its own version stands there, nothing is unsure.
        expectClean(
            shop + old + work,
            shop + old + "- eggs\n" + work,
            shop + "- tea\n" + old.dropLast() + " now\n" + work,
            shop + "- tea\n" + old.dropLast() + " now\n- eggs\n" + work
        )
    }

    @Test func `a line below a task of which a second one was made`() {
        expectConflict(
            "- [ ] call Anna tomorrow\n- milk\n",
            "- [ ] call Anna tomorrow\n  - about the flat\n- milk\n",
            "- [ ] call Anna\n- [ ] buy bread\n- milk\n"
        )
        // As many words of it are in either.
        expectConflict(
            "def a():\n    return y * 2\n\ndef c():\n    pass\n",
            "def a():\n    return y * 2\n    # note\n\ndef c():\n    pass\n",
            "def a():\n    return y\n\ndef b():\n    return z * 2\n\ndef c():\n    pass\n"
        )
    }

    @Test func `a key below one that went with its section`() {
        expectConflict(
            "[a]\nw = 0\nx = 1\n\n[c]\nz = 1\n",
            "[a]\nw = 0\nx = 1\ny = 2\n\n[c]\nz = 1\n",
            "[a]\nw = 0\n\n[b]\nv = 5\n\n[c]\nz = 1\n",
            fileExtension: "ini"
        )
    }

    @Test func `a paragraph wrapped anew, and a line below it`() {
        expectClean(
            "one two three four five six\nseven eight nine ten\n\nend\n",
            "one two three four five six\nseven eight nine ten\nadded here\n\nend\n",
            "one two three four\nfive six seven eight\nnine ten\n\nend\n",
            "one two three four\nfive six seven eight\nnine ten\nadded here\n\nend\n"
        )
    }

    @Test func `a bracket in a line of its own is none that is blank`() {
        let (old, end) = ("{\n  \"k\": \"x\",\n", "  \"z\": [\n    1\n  ]\n}\n")
        let (new, own) = ("  \"r\": {\n    \"y\": 1\n  },\n", "  \"l\": 2,\n")
        let changed = "{\n" + new + "  \"k\": 6,\n"
        expectClean(
            old + end,
            old + own + end,
            changed + end,
            changed + own + end,
            fileExtension: "json"
        )
    }

    @Test func `a line without blanks of which every sign is a word`() {
        expectClean(
            "买面包\n\n完\n",
            "买面包\n鸡蛋\n\n完\n",
            "先去银行\n买面包吧\n\n完\n",
            "先去银行\n买面包吧\n鸡蛋\n\n完\n"
        )
    }

    @Test func `a paragraph of its own below a line that became more`() {
        expectClean(
            "we go there by train\n\nend\n",
            "we go there by train\n\nnew paragraph\n\nend\n",
            "we go there\nby a night train\n\nend\n",
            "we go there\nby a night train\n\nnew paragraph\n\nend\n"
        )
    }

    @Test func `a line below a section that moved, and in whose place another one stands`() {
        let (max, cleo) = ("## Max\none\n", "## Cleo water\nbuy book\n")
        let leo = "## Leo tap\nmail x\n"
        expectConflict(
            "# Top\n\n" + max + "\n" + cleo,
            "# Top\n\n" + max + "\n" + cleo + "from Kim\n",
            "# Top\n\n" + cleo + "\n" + max + "\n" + leo
        )
    }

    @Test func `a record that ends as the one above, behind a blank line`() {
        func record(_ name: String, _ state: String) -> String {
            "- title: \(name)\n  done: \(state)\n"
        }
        for rest in [record("Ida", "no"), ""] {
            expectClean(
                record("Jon", "no") + rest,
                record("Jon", "no") + "\n# Work\n" + record("Max", "no") + rest,
                record("Jon", "yes") + rest,
                record("Jon", "yes") + "\n# Work\n" + record("Max", "no") + rest,
                fileExtension: "yaml"
            )
        }
    }
}
