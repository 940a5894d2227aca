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
            .conflicts(1, anna + conflict("- name: Bob\n  done: 1\n", ""))
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
            .conflicts(2, conflict("b\n", "c\n") + "z\n" + conflict("q\n", "r\n"))
        )
    }

    @Test func `nothing is left where both sides together took out all lines`() {
        expect("- buy tea\n- buy jam", "- buy tea", "- buy jam", .clean(""))
    }

    /// With an end of the last lines, git has a conflict there.
    @Test func `what is clean in git is the same here`() {
        expect("a\nc\nd\na", "a\nd\nc\nd", "a\nd\na", .clean("a\nd\nc\nd"))
    }
}
