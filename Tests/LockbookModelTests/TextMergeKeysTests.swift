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

    /// Lines between a key that one side adds before them and the same one that the other adds behind them.
    struct Place: Sendable {
        let fileExtension: String
        let head: String
        let first: String
        let between: String
        let second: String
        let rest: String
        /// What the other side adds elsewhere, where the same key is of another level.
        var elsewhere: [(behind: String, line: String)] = []

        static let all: [Place] = [
            Place(
                fileExtension: "toml",
                head: "[server]\n",
                first: "timeout = 10\n",
                between: "port = 1\n",
                second: "timeout = 30\n",
                rest: "\n[client]\nx = 2\n",
                elsewhere: [("x = 2\n", "timeout = 30\n")]
            ),
            Place(
                fileExtension: "md",
                head: "+++\ntitle = \"Trip\"\n",
                first: "draft = true\n",
                between: "when = 1\n",
                second: "draft = false\n",
                rest: "[a]\nx = 2\n+++\na = 1\nb = 2\n",
                elsewhere: [("x = 2\n", "draft = 1\n"), ("a = 1\n", "draft = 1\n")]
            ),
            Place(
                fileExtension: "ini",
                head: "[s]\n",
                first: "k = 1\n",
                between: "a = 1\nb = 2\n",
                second: "k = 2\n",
                rest: "[t]\nc = 3\n",
                elsewhere: [("c = 3\n", "k = 2\n")]
            ),
            Place(
                fileExtension: "cfg",
                head: "[s]\n",
                first: "\tk = 1\n",
                between: "\ta = 1\n\tb = 2\n",
                second: "\tk = 2\n",
                rest: "[t]\n\tc = 3\n",
                elsewhere: [("\tc = 3\n", "\tk = 2\n")]
            ),
            Place(
                fileExtension: "bib",
                head: "@book{a,\n",
                first: "  year = 1,\n",
                between: "  title = {T},\n",
                second: "  Year = {2},\n",
                rest: "  author = {A}\n}\n\n@misc{b,\n}\n",
                elsewhere: [("{b,\n", "  year = 2\n"), ("{T},\n", "  note = {n},\n")]
            ),
            yaml("yaml"), yaml(".YML"), text("md"), text("txt"), text(""),
        ]

        private static func yaml(_ fileExtension: String) -> Place {
            Place(
                fileExtension: fileExtension,
                head: "a: 1\n",
                first: "new: 1\n",
                between: "\nz: 9\n",
                second: "new: 2\n",
                rest: ""
            )
        }

        /// With front matter.
        private static func text(_ fileExtension: String) -> Place {
            Place(
                fileExtension: fileExtension,
                head: "---\ntitle: Trip\n",
                first: "status: done\n",
                between: "when: may\n",
                second: "status: open\n",
                rest: "---\na: 1\nb: 2\nc: 3\n"
            )
        }
    }

    @Test(arguments: Place.all)
    func `a key of one level stands in both versions, of two levels in each`(place: Place) {
        let (mine, theirs) = (place.first + place.between, place.between + place.second)
        let base = place.head + place.between + place.rest
        let one = place.head + mine + place.rest
        expect(
            place.fileExtension,
            base,
            one,
            place.head + theirs + place.rest,
            .conflicts(1, place.head + conflict(mine, theirs) + place.rest),
            swapped: .conflicts(1, place.head + conflict(theirs, mine) + place.rest)
        )
        for (before, line) in place.elsewhere {
            expect(
                place.fileExtension,
                base,
                one,
                base.replacing(before, with: before + line),
                .clean(one.replacing(before, with: before + line))
            )
        }
    }

    @Test func `a key of an element or a map is added to another one, too`() {
        // Each element of an array is a table of its own.
        let points = lines("[[p]]", "a = 1", "", "[[p]]", "a = 2")
        let first = points.replacing("a = 1", with: "n = 0\na = 1")
        expect("toml", points, first, points + "n = 3\n", .clean(first + "n = 3\n"))
        for base in [
            lines("- a: 1", "  b: 2", "- c: 3", "  d: 4"),
            lines("k:", "  a: 1", "  b: 2", "m:", "  c: 3", "  d: 4"),
        ] {
            let one = base.replacing("  b", with: "  new: 1\n  b")
            expect("yaml", base, one, base + "  new: 2\n", .clean(one + "  new: 2\n"))
        }
    }

    @Test(arguments: ["md", "txt", ""])
    func `of the text below front matter no line is a key`(fileExtension: String) {
        let base = lines("---", "title: Trip", "when: may", "---", "a: 1", "b: 2", "c: 3")
        let one = base.replacing("a: 1", with: "new: 1\na: 1")
        expect(fileExtension, base, one, base + "new: 2\n", .clean(one + "new: 2\n"))
    }

    @Test func `a key of a section may be added twice where another one stands twice`() {
        let (head, rest) = ("[u]\nx = 1\nx = 2\n[s]\n", "[t]\nc = 3\n")
        let text = "a = 1\nb = 2\n"
        expect(
            "ini",
            head + text + rest,
            head + "k = 1\n" + text + rest,
            head + text + "k = 2\n" + rest,
            .clean(head + "k = 1\n" + text + "k = 2\n" + rest)
        )
    }

    @Test func `a key of a section stands in both versions where one side indents all, too`() {
        let rest = lines("[t]", "c = 3")
        expectConflict(
            lines("[s]", "a = 1", "b = 2") + rest,
            lines("[s]", "\tk = 1", "\ta = 1", "\tb = 2", "[t]", "\tc = 3"),
            lines("[s]", "a = 1", "b = 2", "k = 2") + rest,
            fileExtension: "cfg"
        )
    }

    @Test func `texts without an end of their last lines are merged as others are`() {
        let (mine, theirs) = ("new: 1\n\nz: 9", "\nz: 9\nnew: 2")
        #expect(
            merged("a: 1\n\nz: 9", "a: 1\n" + mine, "a: 1\n" + theirs, fileExtension: "yaml")
                == .conflicts(1, "a: 1\n" + unended(conflict(mine + "\n", theirs + "\n")))
        )
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

    @Test(arguments: [("s.a = 1\n", "[s]\nb = 2\n"), ("[[s]]\na = 1\n", "[s]\nb = 2\n")])
    func `a table that each side makes in another way stands in both versions`(
        first: String,
        second: String
    ) {
        let base = lines("[x]", "y = 1", "", "[z]", "y = 1")
        let (one, other) = (first + base, base + second)
        let twice = merged(base, one, other, fileExtension: "toml")
        #expect(twice == .conflicts(1, conflict(one, other)))
        // Elements may come anywhere.
        let element = second.replacing("[s]", with: "[[s]]")
        let both = merged(base, "[[s]]\na = 1\n" + base, base + element, fileExtension: "toml")
        #expect(both == .clean("[[s]]\na = 1\n" + base + element))
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

    @Test func `where an older conflict would be cut, both texts stand whole`() {
        let older = lines("<<<<<<< x", "p", "=======", "q", ">>>>>>> y")
        let base = "@a{x,}\n" + older + "end"
        let one = "@a{k,}\n" + base
        let other = base.replacing("p\n", with: "p\n@a{k,}\n")
        let whole = conflict(one + "\n", other + "\n", length: 8)
        for (end, otherEnd) in [("", ""), ("", "\n"), ("\n", ""), ("\n", "\n")] {
            let text = end.isEmpty && otherEnd.isEmpty ? unended(whole) : whole
            let merge = merged(base, one + end, other + otherEnd, fileExtension: "bib")
            #expect(merge == .conflicts(1, text))
        }
    }
}
