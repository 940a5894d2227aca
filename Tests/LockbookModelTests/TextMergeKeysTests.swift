import LockbookModel
import Testing

/// Texts in which a key may be at one level once, and both sides added it at two places.
struct TextMergeKeysTests {
    /// Merges both ways round; whose version is first is all that may differ.
    private func expect(
        _ fileExtension: String,
        _ base: String,
        _ one: String,
        _ other: String,
        _ merge: Merged,
        swapped: Merged? = nil
    ) {
        #expect(merged(base, one, other, fileExtension: fileExtension) == merge)
        #expect(merged(base, other, one, fileExtension: fileExtension) == swapped ?? merge)
    }

    @Test func `a key of one TOML table stands in both versions, of two tables in each`() {
        let base = lines("[server]", "port = 1", "", "[client]", "x = 2")
        let one = base.replacing("port", with: "timeout = 10\nport")
        let other = base.replacing("port = 1\n", with: "port = 1\ntimeout = 30\n")
        let (mine, theirs) = (
            lines("timeout = 10", "port = 1"), lines("port = 1", "timeout = 30")
        )
        let rest = lines("", "[client]", "x = 2")
        expect(
            "toml",
            base,
            one,
            other,
            .conflicts(1, "[server]\n" + conflict(mine, theirs) + rest),
            swapped: .conflicts(1, "[server]\n" + conflict(theirs, mine) + rest)
        )
        expect("toml", base, one, base + "timeout = 30\n", .clean(one + "timeout = 30\n"))
        // Each element of an array is a table of its own.
        let points = lines("[[p]]", "a = 1", "", "[[p]]", "a = 2")
        let first = points.replacing("a = 1", with: "n = 0\na = 1")
        expect("toml", points, first, points + "n = 3\n", .clean(first + "n = 3\n"))
    }

    @Test func `a key of one YAML map stands in both versions, of two maps in each`() {
        let base = lines("a: 1", "", "z: 9")
        let (mine, theirs) = (lines("new: 1", "", "z: 9"), lines("", "z: 9", "new: 2"))
        for name in ["yaml", ".YML"] {
            expect(
                name,
                base,
                "a: 1\n" + mine,
                "a: 1\n" + theirs,
                .conflicts(1, "a: 1\n" + conflict(mine, theirs)),
                swapped: .conflicts(1, "a: 1\n" + conflict(theirs, mine))
            )
        }
        for base in [
            lines("- a: 1", "  b: 2", "- c: 3", "  d: 4"),
            lines("k:", "  a: 1", "  b: 2", "m:", "  c: 3", "  d: 4"),
        ] {
            let one = base.replacing("  b", with: "  new: 1\n  b")
            expect("yaml", base, one, base + "  new: 2\n", .clean(one + "  new: 2\n"))
        }
    }

    @Test func `texts without an end of their last lines are merged as others are`() {
        let (mine, theirs) = ("new: 1\n\nz: 9", "\nz: 9\nnew: 2")
        #expect(
            merged("a: 1\n\nz: 9", "a: 1\n" + mine, "a: 1\n" + theirs, fileExtension: "yaml")
                == .conflicts(1, "a: 1\n" + unended(conflict(mine + "\n", theirs + "\n")))
        )
    }

    @Test(arguments: ["md", "txt", ""])
    func `a key of front matter stands in both versions, and of the text below in each`(
        name: String
    ) {
        let base = lines("---", "title: Trip", "when: may", "---", "a: 1", "b: 2", "c: 3")
        let (mine, theirs) = (
            lines("status: done", "when: may"), lines("when: may", "status: open")
        )
        let (head, rest) = (lines("---", "title: Trip"), lines("---", "a: 1", "b: 2", "c: 3"))
        expect(
            name,
            base,
            head + mine + rest,
            head + theirs + rest,
            .conflicts(1, head + conflict(mine, theirs) + rest),
            swapped: .conflicts(1, head + conflict(theirs, mine) + rest)
        )
        let one = base.replacing("a: 1", with: "new: 1\na: 1")
        expect(name, base, one, base + "new: 2\n", .clean(one + "new: 2\n"))
    }

    @Test func `a key of front matter in TOML stands in both versions, of two tables in each`() {
        let (head, rest) = (
            lines("+++", "title = \"Trip\""), lines("[a]", "x = 2", "+++", "a = 1", "b = 2")
        )
        let base = head + "when = 1\n" + rest
        let (mine, theirs) = (
            lines("draft = true", "when = 1"), lines("when = 1", "draft = false")
        )
        expect(
            "md",
            base,
            head + mine + rest,
            head + theirs + rest,
            .conflicts(1, head + conflict(mine, theirs) + rest),
            swapped: .conflicts(1, head + conflict(theirs, mine) + rest)
        )
        let one = head + mine + rest
        for (old, new) in [("x = 2", "x = 2\ndraft = 1"), ("a = 1", "a = 1\ndraft = 1")] {
            expect(
                "md",
                base,
                one,
                base.replacing(old, with: new),
                .clean(one.replacing(old, with: new))
            )
        }
    }

    @Test func `a key of one section stands in both versions, of two sections in each`() {
        let base = lines("[s]", "a = 1", "b = 2", "[t]", "c = 3")
        let (mine, theirs) = (
            lines("k = 1", "a = 1", "b = 2"), lines("a = 1", "b = 2", "k = 2")
        )
        let rest = lines("[t]", "c = 3")
        expect(
            "ini",
            base,
            "[s]\n" + mine + rest,
            "[s]\n" + theirs + rest,
            .conflicts(1, "[s]\n" + conflict(mine, theirs) + rest),
            swapped: .conflicts(1, "[s]\n" + conflict(theirs, mine) + rest)
        )
        let one = "[s]\n" + mine + rest
        expect("ini", base, one, base + "k = 2\n", .clean(one + "k = 2\n"))
        // Where a key is there twice already it may be.
        let twice = "[u]\nx = 1\nx = 2\n"
        expect(
            "ini",
            twice + base,
            twice + one,
            twice + "[s]\n" + theirs + rest,
            .clean(twice + lines("[s]", "k = 1", "a = 1", "b = 2", "k = 2") + rest)
        )
    }

    @Test func `a key of one section stands in both versions where keys are indented, too`() {
        let (mine, theirs) = (
            lines("\tk = 1", "\ta = 1", "\tb = 2"), lines("\ta = 1", "\tb = 2", "\tk = 2")
        )
        let rest = lines("[t]", "\tc = 3")
        let base = lines("[s]", "\ta = 1", "\tb = 2") + rest
        let one = "[s]\n" + mine + rest
        let other = "[s]\n" + theirs + rest
        expect(
            "cfg",
            base,
            one,
            other,
            .conflicts(1, "[s]\n" + conflict(mine, theirs) + rest),
            swapped: .conflicts(1, "[s]\n" + conflict(theirs, mine) + rest)
        )
        expect("cfg", base, one, base + "\tk = 2\n", .clean(one + "\tk = 2\n"))
        // One side indents all of them.
        let plain = base.replacing("\t", with: "")
        expectConflict(plain, one, other.replacing("\t", with: ""), fileExtension: "cfg")
    }

    @Test func `two entries of one key stand in both versions, and of two keys in each`() {
        func entry(_ key: String, _ year: Int) -> String {
            "@book{\(key),\n  year = \(year)\n}\n"
        }
        let base = entry("a", 1) + "\n" + entry("b", 2)
        let one = entry("k", 3) + "\n" + base
        let twice = merged(base, one, base + "\n" + entry("k", 4), fileExtension: "bib")
        guard case .conflicts(1, let text) = twice else {
            Issue.record("\(twice)")
            return
        }
        #expect(text.contains("year = 3") && text.contains("year = 4"))
        let other = base + "\n" + entry("l", 4)
        expect("bib", base, one, other, .clean(one + "\n" + entry("l", 4)))
    }

    @Test func `a field of one entry stands in both versions, of two entries in each`() {
        let base = lines("@book{a,", "  title = {T},", "  author = {A}", "}", "", "@misc{b,", "}")
        let (mine, theirs) = (
            lines("  year = 1,", "  title = {T},"), lines("  title = {T},", "  Year = {2},")
        )
        let rest = lines("  author = {A}", "}", "", "@misc{b,", "}")
        let one = "@book{a,\n" + mine + rest
        expect(
            "bib",
            base,
            one,
            "@book{a,\n" + theirs + rest,
            .conflicts(1, "@book{a,\n" + conflict(mine, theirs) + rest),
            swapped: .conflicts(1, "@book{a,\n" + conflict(theirs, mine) + rest)
        )
        for (old, new) in [("{b,\n", "{b,\n  year = 2\n"), ("{T},\n", "{T},\n  note = {n},\n")] {
            expect(
                "bib",
                base,
                one,
                base.replacing(old, with: new),
                .clean(one.replacing(old, with: new))
            )
        }
    }

    @Test func `where another place is in conflict, either choice repeats no key`() {
        let base = lines("a = 0", "", "x = 1", "y = 2", "z = 3")
        let one = lines("a = 1", "", "k = 1", "x = 1", "y = 2", "z = 3")
        let other = lines("a = 2", "", "x = 1", "y = 2", "k = 2", "z = 3")
        let both =
            conflict("a = 1\n", "a = 2\n") + "\n"
            + conflict(lines("k = 1", "x = 1", "y = 2"), lines("x = 1", "y = 2", "k = 2"))
            + "z = 3\n"
        #expect(merged(base, one, other, fileExtension: "toml") == .conflicts(2, both))
    }

    @Test func `a table that took the name of a new one stands in both versions`() {
        let base = lines("[a]", "x = 1", "", "[c]", "y = 1")
        let one = base.replacing("[a]", with: "[b]")
        let other = base + lines("", "[b]", "x = 2")
        let twice = merged(base, one, other, fileExtension: "toml")
        #expect(twice == .conflicts(1, conflict(one, other)))
    }

    @Test func `an older conflict is in no pieces`() {
        let older = lines("<<<<<<< x", "p", "=======", "q", ">>>>>>> y")
        let base = lines("---", "t: 1", "", "w: 2", "---", "") + older + "end\n"
        let one = base.replacing("t: 1", with: "t: 1\nk: 1")
        let other = base.replacing("w: 2", with: "w: 2\nk: 2")
        let (mine, theirs) = (lines("k: 1", "", "w: 2"), lines("", "w: 2", "k: 2"))
        let text =
            "---\nt: 1\n" + conflict(mine, theirs, length: 8) + "---\n\n" + older + "end\n"
        #expect(merged(base, one, other) == .conflicts(1, text))
    }
}
