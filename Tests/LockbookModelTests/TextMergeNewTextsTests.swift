import Testing

@testable import LockbookModel

/// Two new texts of one name, which have no base.
struct TextMergeNewTextsTests {
    private func day(_ todo: String..., log: String..., notes: String...) -> String {
        let parts = [
            ["# Friday", "", "## Todo", ""], todo, ["", "## Log", ""], log, ["", "## Notes", ""],
            notes,
        ]
        return parts.joined().map { $0 + "\n" }.joined()
    }

    @Test func `of one template, what each wrote below another heading is taken`() {
        let one = day("- [ ] milk", log: "- 09:00 up", notes: "")
        let other = day(log: "- 10:00 a call", notes: "rain", "")
        let merge = day("- [ ] milk", log: "- 09:00 up", "- 10:00 a call", notes: "rain", "")
        #expect(merged("", one, other) == .clean(merge))
        #expect(merged("", other, one) == .clean(merge))
    }

    @Test func `of one template, what both wrote below one heading is a conflict there`() {
        let one = day("milk", log: "up", notes: "")
        let other = day("bread", notes: "rain", "")
        let todo = conflict("milk\n", "bread\n").dropLast()
        #expect(
            merged("", one, other)
                == .conflicts(1, day(String(todo), log: "up", notes: "rain", ""))
        )
    }

    @Test func `texts that begin otherwise have nothing between in common`() {
        let one = lines("# Trip", "a", "## Notes", "b", "end")
        let other = lines("# Work", "c", "## Notes", "d", "end")
        let (mine, theirs) = (one.dropLast(4), other.dropLast(4))
        #expect(
            merged("", one, other)
                == .conflicts(1, conflict(String(mine), String(theirs)) + "end\n")
        )
    }

    @Test func `a bracket, a blank line and a line that is there twice are no landmark`() {
        for line in ["}", "", "- [ ]", "---"] {
            let one = lines("first", "a", line, "b")
            let other = lines("first", "c", line, "d")
            let (mine, theirs) = (one.dropFirst(6), other.dropFirst(6))
            let merge = Merged.conflicts(1, "first\n" + conflict(String(mine), String(theirs)))
            #expect(merged("", one, other) == merge)
        }
        let one = lines("first", "a", "twice", "b", "twice", "c")
        let other = lines("first", "d", "twice", "e")
        let (mine, theirs) = (one.dropFirst(6), other.dropFirst(6))
        #expect(
            merged("", one, other)
                == .conflicts(1, "first\n" + conflict(String(mine), String(theirs)))
        )
        // Whichever text comes first in their order.
        let (once, often) = (lines("a", "twice", "e"), lines("d", "twice", "b", "twice", "c"))
        #expect(
            merged("", "first\n" + once, "first\n" + often)
                == .conflicts(1, "first\n" + conflict(once, often))
        )
    }

    @Test func `lines at both ends are common, and landmarks where both begin alike`() {
        let texts: [(String, String, common: String)] = [
            ("", "a", ""), ("a\n", "a\nb\n", "a\n"), ("a", "a\nb", "a"), ("a", "ab", ""),
            ("a\nb", "a\nbc", "a\n"), ("a\n", "a\nb\na\n", "a\n"), ("a", "a", "a"),
            ("x\nz\n", "y\nz\n", "z\n"), ("x\nz", "y\nz", "z"), ("x z\n", "y z\n", ""),
            ("z\n", "y\nz\n", "z\n"), ("z\n", "yz\n", ""), ("x\n", "y\n", ""),
            ("a\nq\na\n", "a\nr\na\n", "a\na\n"), ("a\nb\n", "a\nx\nb\n", "a\nb\n"),
            ("a\na\n", "a\nb\na\n", "a\na\n"), ("\nx\nq\n", "\ny\nq\n", "\nq\n"),
            ("h\nx\nm\nz\n", "h\ny\nm\nw\n", "h\nm\n"),
            ("!\nx\nm\nz\n", "!\ny\nm\nw\n", "!\nm\n"),
            (" \nx\nm\nz\n", " \ny\nm\nw\n", " \n"),
        ]
        for (one, other, common) in texts {
            let (mine, theirs) = (Array(one.utf8), Array(other.utf8))
            #expect(TextMerge.commonLines(of: mine, and: theirs) == Array(common.utf8), "\(one)")
            #expect(TextMerge.commonLines(of: theirs, and: mine) == Array(common.utf8), "\(one)")
        }
    }

    @Test func `a base had ended its last line where both sides did and left it as it was`() {
        let texts: [(base: String, one: String, other: String, wanted: String)] = [
            ("a", "a\n", "a\nb", "a\n"), ("a", "a\n", "a\n", "a\n"), ("a", "a\n", "a", "a"),
            ("a", "a\n", "ab\n", "a"), ("a", "a\n", "b\n", "a"), ("a\n", "a\n\n", "a\n\n", "a\n"),
        ]
        for (base, one, other, wanted) in texts {
            let (mine, theirs) = (Array(one.utf8), Array(other.utf8))
            for (local, remote) in [(mine, theirs), (theirs, mine)] {
                let ended = TextMerge.ended(Array(base.utf8), as: local, and: remote)
                #expect(ended == Array(wanted.utf8), "\(one)")
            }
        }
    }

    @Test func `nothing of either is gone, whoever merges`() throws {
        for seed in 0..<UInt64(3_000) {
            let drawn = DrawnMerge(seed: seed, vocabulary: 40, length: 12, edits: 8)
            let local = DrawnMerge.text(["# One"] + drawn.local)
            let remote = DrawnMerge.text(["# One"] + drawn.remote)
            let merge = try #require(all(merged("", local, remote)), "seed \(seed)")
            for side in [local, remote] {
                let wanted = side.split(separator: "\n", omittingEmptySubsequences: false)
                #expect(isSubsequence(wanted, of: merge), "seed \(seed)")
            }
            // Who merges stands first between the markers; all else is the same.
            let other = try #require(all(merged("", remote, local)), "seed \(seed)")
            #expect(merge.sorted() == other.sorted(), "seed \(seed)")
        }
    }

    /// The lines of a merge, those in markers too.
    private func all(_ merge: Merged) -> [Substring]? {
        switch merge {
        case .clean(let text), .conflicts(_, let text):
            text.split(separator: "\n", omittingEmptySubsequences: false)
        case .notText: nil
        }
    }

    private func isSubsequence(_ lines: [Substring], of all: [Substring]) -> Bool {
        var rest = all[...]
        for line in lines {
            guard let at = rest.firstIndex(of: line) else { return false }
            rest = rest[(at + 1)...]
        }
        return true
    }
}
