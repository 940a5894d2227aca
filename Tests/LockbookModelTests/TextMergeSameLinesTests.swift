import LockbookModel
import Testing

/// Lines that both sides added are there once, whatever else a side changed beside them.
struct TextMergeSameLinesTests {
    @Test(arguments: ["- milk 2 l", "- milk ", "- oat milk", "* milk"])
    func `the same lines after a line that one side changed are added once`(changed: String) {
        let base = lines("# Shop", "- milk")
        for next in ["", "- salt\n", "salt\n"] {
            let one = lines("# Shop", changed, "- tea", "- bread") + next
            let other = lines("# Shop", "- milk", "- tea", "- bread") + next
            #expect(merged(base + next, one, other) == .clean(one))
            #expect(merged(base + next, other, one) == .clean(one))
        }
    }

    @Test(arguments: ["- milk 2 l", "- oat milk", "* milk", "- cream"])
    func `the same lines before a line that one side changed are added once`(changed: String) {
        let base = lines("# Shop", "- milk", "end")
        let one = lines("# Shop", "- tea", "- bread", changed, "end")
        let other = lines("# Shop", "- tea", "- bread", "- milk", "end")
        let both = conflict(changed + "\n", "- milk\n")
        let merge = merged(base, one, other)
        #expect(
            merge == .clean(one)
                || merge == .conflicts(1, lines("# Shop", "- tea", "- bread") + both + "end\n")
        )
    }

    @Test func `the same lines are added once where both sides changed the line before`() {
        let merge = merged(
            lines("- milk"),
            lines("- milk 2 l", "- tea", "- bread"),
            lines("- oat milk", "- tea", "- bread")
        )
        #expect(merge == .clean(lines("- oat milk 2 l", "- tea", "- bread")))
    }

    @Test func `beside a line written anew the same lines stand outside of the markers`() {
        let merge = merged(
            lines("# Shop", "- milk"),
            lines("# Shop", "- cream", "- tea", "- bread"),
            lines("# Shop", "- milk", "- tea", "- bread")
        )
        let both = conflict("- cream\n", "- milk\n")
        #expect(merge == .conflicts(1, "# Shop\n" + both + lines("- tea", "- bread")))
    }

    @Test func `what takes the place of all words of a line does not double the same lines`() {
        for (old, added) in [("- buy bread", "- call Tom"), ("w5 b", "v1 c")] {
            let plain = lines("# Shop", old, added, "- salt")
            let changed = lines("# Shop", "- milk", added, "- salt")
            let both = conflict(old + "\n", "- milk\n")
            #expect(
                merged(lines("# Shop", old, "- salt"), plain, changed)
                    == .conflicts(1, "# Shop\n" + both + lines(added, "- salt"))
            )
        }
        let before = merged(
            lines("# Shop", "buy bread", "- salt"),
            lines("# Shop", "call Tom", "buy bread", "- salt"),
            lines("# Shop", "call Tom", "milk", "- salt")
        )
        #expect(
            before
                == .conflicts(
                    1,
                    lines("# Shop", "call Tom") + conflict("buy bread\n", "milk\n") + "- salt\n"
                )
        )
    }

    @Test func `of several lines those that one side alone added stay with the others`() {
        let merge = merged(
            lines("- milk"),
            lines("- milk 2 l", "- tea"),
            lines("- milk", "- tea", "- bread")
        )
        #expect(merge == .conflicts(1, lines("- milk 2 l", "- tea") + conflict("", "- bread\n")))
    }

    @Test func `a line added before another is not put into it`() {
        let merge = merged(
            lines("a", "- milk", "z"),
            lines("a", "* milk", "z"),
            lines("a", "- ham", "- milk", "z")
        )
        #expect(
            merge
                == .conflicts(1, "a\n" + conflict("* milk\n", "- ham\n- milk\n") + "z\n")
        )
    }
}
