import LockbookModel
import Testing

/// Texts of which none has an end at its last line.
struct TextMergeUnendedTests {
    private func expect(
        _ base: String,
        _ local: String,
        _ remote: String,
        _ wanted: Merged,
        _ place: SourceLocation = #_sourceLocation
    ) {
        #expect(merged(base, local, remote) == wanted, sourceLocation: place)
    }

    @Test
    func `a last record that one side changed and the other one took out stays in both versions`() {
        let anna = "- name: Anna\n  done: 0\n"
        expect(
            anna + "- name: Bob\n  done: 0",
            anna + "- name: Bob\n  done: 1",
            "- name: Anna\n  done: 0",
            .conflicts(1, anna + unended(conflict("- name: Bob\n  done: 1\n", "")))
        )
    }

    @Test func `what is added behind the last line is no change of that line`() {
        expect(
            "# T\n\none\ntwo",
            "# T\n\none\ntwo\nthree",
            "# T\n\none\nTwo\ntwo",
            .clean("# T\n\none\nTwo\ntwo\nthree")
        )
        expect("a b", "a b\n- x", "a c", .clean("a c\n- x"))
    }

    @Test func `their lines may end in both a carriage return and a line feed`() {
        expect("- a\r\n- b", "- A\r\n- b\r\n- c", "- a\r\n- b!", .clean("- A\r\n- b!\r\n- c"))
    }

    @Test func `behind markers the last line has no end either`() {
        expect(
            "a\nm\nz",
            "b\nm\nz!",
            "c\nm\nz",
            .conflicts(1, conflict("b\n", "c\n") + "m\nz!")
        )
    }

    @Test func `the old last line stands outside of markers`() {
        expect(
            "a\nz",
            "b\nz\nq",
            "c\nz\nr",
            .conflicts(2, conflict("b\n", "c\n") + "z\n" + unended(conflict("q\n", "r\n")))
        )
    }

    /// With what ends lines, and the last one, in every way; `\r` alone ends none.
    @Test(arguments: ["\n", "\r\n", "\r"], ["", "\n", "\r\n", "\r"])
    func `of a conflict that is all of the text each side is kept as it was`(
        between: String,
        end: String
    ) {
        let (local, remote) = ("x\(between)y\(end)", "p\(between)q\(end)")
        let bases = [
            "a\nb", "a\nb\n", "a\r\nb", "a\r\nb\r\n", "a\r\nb\n", "a\nb\r\n", "a\rb", "a\rb\n",
            "a\rb\r",
        ]
        for base in bases {
            guard case .conflicts(_, let text) = merged(base, local, remote) else {
                Issue.record("clean")
                continue
            }
            for (side, wanted) in [(ConflictSide.local, local), (.remote, remote)] {
                let kept = ConflictBlocks(in: Array(text.utf8))
                    .resolved(keeping: side) { _, _ in .first }
                #expect(kept == Array(wanted.utf8), "\(base.debugDescription)")
            }
        }
    }

    @Test func `a side that took out the last lines is kept as it was`() {
        for (local, remote) in [("a\nb c", "a"), ("a\nb\nc!", "a\nb"), ("x", "")] {
            guard case .conflicts(1, let text) = merged("a\nb\nc", local, remote) else {
                Issue.record("clean")
                continue
            }
            for (side, wanted) in [(ConflictSide.local, local), (.remote, remote)] {
                let kept = ConflictBlocks(in: Array(text.utf8))
                    .resolved(keeping: side) { _, _ in .first }
                #expect(kept == Array(wanted.utf8))
            }
        }
    }

    @Test func `a conflict whose last marker has no end is decided, and written in, as any other`()
    {
        let base = "a\n" + unended(conflict("b\n", "c\n"))
        expect(
            base,
            "a\n" + unended(conflict("b\n", "c more\n")),
            "a\nc",
            .clean("a\nc more")
        )
        expect(
            base,
            "a\n" + unended(conflict("b more\n", "c\n")),
            "a\nc",
            .conflicts(1, "a\n" + unended(conflict("b more\n", "c\n")))
        )
        #expect(ConflictBlocks(in: Array(base.utf8)).count == 1)
        #expect(ConflictBlocks.endsInMarker(Array(base.utf8)))
        #expect(!ConflictBlocks.endsInMarker(Array((base + "\n").utf8)))
        #expect(!ConflictBlocks.endsInMarker(Array("a\n> b".utf8)))
        #expect(!ConflictBlocks.endsInMarker([]))
    }

    @Test func `nothing is left where both sides together took out all lines`() {
        expect("- buy tea\n- buy jam", "- buy tea", "- buy jam", .clean(""))
    }

    /// With an end of the last lines, git has a conflict there.
    @Test func `what is clean in git is the same here`() {
        expect("a\nc\nd\na", "a\nd\nc\nd", "a\nd\na", .clean("a\nd\nc\nd"))
    }
}
