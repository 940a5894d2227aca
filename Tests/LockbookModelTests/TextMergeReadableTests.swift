import LockbookModel
import Testing

/// Texts whose readers would refuse what a merge by lines and words gives.
struct TextMergeReadableTests {
    @Test func `a table in one that the other side makes a value stands in both versions`() {
        let base = lines("[a]", "y = 1", "", "[b]", "y = 1")
        let (one, other) = ("x = 1\n" + base, base + lines("[x.y]", "z = 1"))
        let twice = merged(base, one, other, fileExtension: "toml")
        #expect(twice == .conflicts(1, conflict(one, other)))
    }

    @Test func `a section that each side adds stands in both versions where none is in parts`() {
        let base = lines("[a]", "y = 1", "[b]", "y = 1")
        let (one, other) = ("[s]\nk = 1\n" + base, base + "[s]\nl = 2\n")
        let twice = merged(base, one, other, fileExtension: "ini")
        #expect(twice == .conflicts(1, conflict(one, other)))

        let parts = lines("[a]", "z = 1")
        let last = parts + "[s]\nl = 2\n"
        expectClean(base + parts, one + parts, base + last, one + last, fileExtension: "ini")
    }

    @Test func `keys in the brackets of YAML come once, and points in them as often as they do`() {
        let both = conflict("k: {a: 2, b: 1}\n", "k: {b: 1, a: 3}\n")
        let twice = merged(
            "k: {b: 1}\n",
            "k: {a: 2, b: 1}\n",
            "k: {b: 1, a: 3}\n",
            fileExtension: "yml"
        )
        #expect(twice == .conflicts(1, both))
        let points = "k: [a, b, a]\n"
        expectClean("k: [b]\n", "k: [a, b]\n", "k: [b, a]\n", points, fileExtension: "yml")
    }

    @Test(arguments: [
        // A text in a block that becomes one without, in which no key may be.
        (
            "", lines("a: |", "  one"), lines("a: three", "  one"),
            lines("a: |", "  one", "  b: 1"), "  two\n"
        ),
        // A map that one side takes in less far.
        (
            "", lines("a:", "  b: {c: 1}", "  d: 1"), lines("a:", "  b: {c: 2}", "d: 1"),
            lines("  a: 1", "  b: {c: 1}", "  d: 1"), ""
        ),
        // A list in which a point goes on with one that the other side takes out.
        ("a:\n", lines("  - b", "  - c"), lines("  - b", "    - c"), "  - c\n", "  - d\n"),
    ])
    func `YAML that would not be read stands in both versions`(
        head: String,
        base: String,
        one: String,
        other: String,
        rest: String
    ) {
        let texts = [base, one, other].map { head + $0 + rest }
        let both = head + conflict(one, other) + rest
        let merge = merged(texts[0], texts[1], texts[2], fileExtension: "yaml")
        #expect(merge == .conflicts(1, both))
        // In other texts that is no matter.
        let text = merged(texts[0], texts[1], texts[2], fileExtension: "txt")
        if case .conflicts = text { Issue.record("\(text)") }
    }
}
