import LockbookModel
import Testing

/// Line endings, markers and text that is none.
@Suite struct TextMergeEdgeTests {
    @Test func `markers have the line ending of the document`() {
        let merge = merged("a\r\nb\r\nc\r\n", "a\r\nx\r\nc\r\n", "a\r\ny\r\nc\r\n")
        let expected =
            "a\r\n<<<<<<< alice on laptop\r\nx\r\n=======\r\ny\r\n"
            + ">>>>>>> bob on phone\r\nc\r\n"
        #expect(merge == .conflicts(1, expected))
    }

    @Test func `line endings changed here and a word changed there are both taken`() {
        let merge = merged("the one\nthe two\n", "the one\r\nthe two\r\n", "an one\nthe two\n")
        #expect(merge == .clean("an one\r\nthe two\r\n"))
    }

    @Test func `markers end as the lines of the base do where no side has a line ending`() {
        let merge = merged("a\r\n", "x", "y")
        let text = "<<<<<<< alice on laptop\r\nx\r\n=======\r\ny\r\n>>>>>>> bob on phone"
        #expect(merge == .conflicts(1, text))
    }

    @Test func `a last line without an ending stays without`() {
        #expect(merged("a\nb\nc", "A\nb\nc", "a\nb\nC") == .clean("A\nb\nC"))
        #expect(merged("a b", "a b\n", "A b") == .clean("A b\n"))
    }

    @Test func `markers stand on lines of their own after a last line without an ending`() {
        #expect(merged("a", "x", "y\n") == .conflicts(1, conflict("x\n", "y\n")))
        #expect(merged("a", "x", "y") == .conflicts(1, unended(conflict("x\n", "y\n"))))
        #expect(merged("", "x", "") == .clean("x"))
    }

    @Test func `a document that holds markers gets longer ones`() {
        let before = "<<<<<<< someone\nx\n=======\ny\n>>>>>>> someone else\n"
        let merge = merged(before + "a\n", before + "b\n", before + "c\n")
        #expect(merge == .conflicts(1, before + conflict("b\n", "c\n", length: 8)))
    }

    @Test func `markers skip every length a document uses`() {
        let before = "=======\n<<<<<<<< x\n||||||||||| y\n"
        let merge = merged(before + "a\n", before + "b\n", before + "c\n")
        #expect(merge == .conflicts(1, before + conflict("b\n", "c\n", length: 9)))
    }

    @Test(arguments: ["<", "=", ">", "|"])
    func `each sign of a marker makes markers longer`(sign: String) {
        let before = String(repeating: sign, count: 7) + "\n"
        let merge = merged(before + "a\n", before + "b\n", before + "c\n")
        #expect(merge == .conflicts(1, before + conflict("b\n", "c\n", length: 8)))
    }

    @Test func `a line that only begins like a marker does not lengthen markers`() {
        let before = "<<<<<<<x\n" + String(repeating: "=", count: 30) + "\n"
        let merge = merged(before + "a\n", before + "b\n", before + "c\n")
        #expect(merge == .conflicts(1, before + conflict("b\n", "c\n")))
    }

    @Test func `markers already in a document do not multiply`() {
        let before = conflict("x\n", "y\n")
        #expect(merged(before + "a\n", before + "b\n", before + "a\n") == .clean(before + "b\n"))
        let merge = merged("a\n", conflict("x\n", "y\n"), conflict("x\n", "y\n"))
        #expect(merge == .clean(conflict("x\n", "y\n")))
    }

    @Test func `a document of markers only merges`() {
        let merge = merged("<<<<<<<\n", "=======\n", ">>>>>>>\n")
        #expect(merge == .conflicts(1, conflict("=======\n", ">>>>>>>\n", length: 8)))
    }

    @Test func `a label with a line feed does not break a marker`() {
        let outcome = TextMerge.merge(
            base: [],
            local: Array("x".utf8),
            remote: Array("y".utf8),
            labels: MergeLabels(local: "a\nb", remote: ""),
            fileExtension: ""
        )
        let expected = "<<<<<<< a b\nx\n=======\ny\n>>>>>>>"
        #expect(outcome == .merged(Array(expected.utf8), conflicts: 1))
    }

    @Test func `words far apart on one huge line are both taken`() {
        let words = (0..<60_000).map { "w\($0)" }
        var (local, remote) = (words, words)
        for at in stride(from: 10, to: 59_000, by: 1_000) {
            local[at] += "local"
            remote[at + 500] += "remote"
        }
        var expected = local
        for at in stride(from: 510, to: 59_500, by: 1_000) { expected[at] = remote[at] }
        let merge = merged(
            words.joined(separator: " "),
            local.joined(separator: " "),
            remote.joined(separator: " ")
        )
        #expect(merge == .clean(expected.joined(separator: " ")))
    }

    @Test func `text made to be slow is merged all the same`() {
        var random = Seeded(1)
        let base = (0..<6_000).map { "\($0 % 1_500)" }
        let (local, remote) = (base.shuffled(using: &random), base.shuffled(using: &random))
        let merge = merged(
            DrawnMerge.text(base),
            DrawnMerge.text(local),
            DrawnMerge.text(remote)
        )
        guard case .conflicts = merge else { return #expect(Bool(false), "\(merge)") }
    }

    @Test(
        arguments: [
            [0x00], [0x61, 0x00], [0x1B], [0x07], [0x7F], [0x80], [0xC0, 0x80], [0xC3],
            [0xC3, 0x28],
            [0xED, 0xA0, 0x80], [0xE0, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF0, 0x9F, 0x98],
            [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82, 0x41], [0xFF, 0xFE],
        ] as [[UInt8]]
    )
    func `bytes that are no text are not merged`(bytes: [UInt8]) {
        #expect(!TextMerge.isText(bytes))
        let labels = MergeLabels(local: "l", remote: "r")
        for turn in 0..<3 {
            let texts = (0..<3).map { $0 == turn ? bytes : [0x61] }
            let outcome = TextMerge.merge(
                base: texts[0],
                local: texts[1],
                remote: texts[2],
                labels: labels,
                fileExtension: "md"
            )
            #expect(outcome == .notText)
        }
    }

    @Test(
        arguments: [0x01...0x08, 0x0B...0x0C, 0x0E...0x1F, 0x7F...0x7F] as [ClosedRange<UInt8>]
    )
    func `a control character that a terminal left does not keep a text from being merged`(
        controls: ClosedRange<UInt8>
    ) {
        for control in controls {
            let sign = String(UnicodeScalar(control))
            let base = "1\(sign)\n2\n3\n4\n"
            expectClean(base, base + "5\n", "1\(sign)\n2a\n3\n4\n", "1\(sign)\n2a\n3\n4\n5\n")
        }
    }

    @Test(arguments: [("```swift", "```"), ("<!--", "-->"), ("/*", "*/")])
    func `lines between which the other side added one get a fence`(open: String, close: String) {
        let base = lines("import a", "import b", "call(c)")
        let fenced = open + "\n" + base + close + "\n"
        let (old, new) = ("import b\n", "import x\nimport b\n")
        expectClean(
            base,
            fenced,
            base.replacing(old, with: new),
            fenced.replacing(old, with: new)
        )
        // Whether the new line is to be in it, nobody can tell.
        expectConflict(base, fenced, base + "call(d)\n")
        expectConflict(base, fenced, "import x\n" + base)
    }

    @Test func `coloured lines and letters that are struck over are text, up to a third`() {
        let red = "\u{1B}[31merror\u{1B}[0m: disk full\n"
        let manual = "N\u{8}NA\u{8}AM\u{8}ME\u{8}E"
        for text in [red, manual, "a\u{1}\u{1}bcd"] {
            #expect(TextMerge.isText(Array(text.utf8)))
        }
        expectClean(red + "1\n2\n3\n", red + "1\n2\n3a\n", red + "1a\n2\n3\n", red + "1a\n2\n3a\n")
        for binary in [manual + "\u{7}", "\u{1}\u{2}abc", "\u{1}a"] {
            #expect(!TextMerge.isText(Array(binary.utf8)))
        }
    }

    @Test func `scalars of every plane of Unicode are text`() {
        #expect(TextMerge.isText([]))
        #expect(TextMerge.isText(Array("\u{FEFF}tab\tfeed\u{0C}\r\n".utf8)))
        for value in stride(from: UInt32(0x80), through: 0x10FFFF, by: 3) {
            guard let scalar = UnicodeScalar(value) else { continue }
            if !TextMerge.isText(Array(String(scalar).utf8)) { Issue.record("\(value)") }
        }
    }
}
