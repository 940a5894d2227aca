import LockbookModel
import Testing

/// Texts of which some or all have no end at their last line.
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

    @Test func `a last line is the same without its end, which is there as one side changed it`() {
        let base = "- one\n- two\n"
        expectClean(base, "- 1\n- two", base + "- three\n", "- 1\n- two\n- three")
        expectClean("a\nm\nz\n", "a\nm\nz", "a\nM\nz\n", "a\nM\nz")
        expectClean(unended(base), "- 1\n- two\n", unended(base) + "\n- 3", "- 1\n- two\n- 3\n")
        expectClean("a\r\nb\r\n", "A\r\nb", "a\r\nb\r\nc\r\n", "A\r\nb\r\nc")
        expectClean("a", "b", "b\n", "b\n")
        expectClean("a\n", "b", "b\n", "b")
    }

    @Test func `a last line that both sides ended and left as it was had its end`() {
        expectClean("a", "a\n", "a\nc", "a\nc")
    }

    @Test func `no line like the last one is missing where the other side ended that`() {
        let (local, remote) = ("a r\nx\nx\nx", "b\nx\nx\n")
        guard case .conflicts(1, let text) = merged("a\nx\nx", local, remote) else {
            Issue.record("clean")
            return
        }
        let kept = ConflictBlocks(in: Array(text.utf8))
            .resolved(keeping: .local) { _, _ in .first }
        #expect(kept == Array("\(local)\n".utf8))
    }

    @Test func `what is added behind a conflict whose last marker has no end leaves it one`() {
        let place = unended(conflict("b\n", "c\n"))
        let added = place + "\n- new\n"
        expectClean(place, added, "c", "c\n- new\n")
        expectClean(
            place,
            added,
            place.replacing("c\n", with: "c more\n"),
            added.replacing("c\n", with: "c more\n")
        )
    }

    @Test func `conflicts are the same whichever texts end their last lines`() {
        for seed in 0..<UInt64(3_000) {
            let drawn = DrawnMerge(seed: seed, vocabulary: 8, length: 12, edits: 8)
            guard !drawn.base.isEmpty else { continue }
            func text(_ lines: [String], _ bit: UInt64) -> String {
                // A blank line is only there with its end.
                DrawnMerge.text(lines, endsLine: seed & bit == 0 || lines.last == "")
            }
            let texts = (text(drawn.base, 1), text(drawn.local, 2), text(drawn.remote, 4))
            guard case .conflicts(let count, let merge) = merged(texts.0, texts.1, texts.2),
                case .conflicts(let wanted, let whole) = merged(
                    DrawnMerge.text(drawn.base),
                    DrawnMerge.text(drawn.local),
                    DrawnMerge.text(drawn.remote)
                )
            else { continue }
            #expect(count == wanted, "seed \(seed)")
            #expect(merge == whole || merge + "\n" == whole, "seed \(seed)")
        }
    }

    @Test func `nothing is left where both sides together took out all lines`() {
        expect("- buy tea\n- buy jam", "- buy tea", "- buy jam", .clean(""))
    }

    /// With an end of the last lines, git has a conflict there.
    @Test func `what is clean in git is the same here`() {
        expect("a\nc\nd\na", "a\nd\nc\nd", "a\nd\na", .clean("a\nd\nc\nd"))
    }
}
