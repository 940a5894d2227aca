import Testing

@testable import LockbookEngine

/// Tags of other programs, which may have any signs in them.
@Suite struct NoteTagTests {
    @Test(arguments: [
        ("node.js", "node-js"), ("c++", "c"), ("c#", "c"), ("r&d", "r-d"), ("don't", "don-t"),
        ("#boat", "boat"), ("two  words ", "two-words"), ("a - b", "a-b"), ("<-a.-", "a"),
        ("travel / italy", "travel/italy"), ("./x//y.", "x/y"), ("2024", "tag-2024"),
        ("2024/1.5", "tag-2024/1-5"), ("\u{1f4cc}", "tag-\u{1f4cc}"), ("_", "tag-_"),
        ("a\u{2603}\u{fe0e}b c", "a\u{2603}\u{fe0e}b-c"), ("trip/", "trip"), ("/a//b", "a/b"),
        ("\u{1f468}\u{200d}\u{1f4bb}a b", "\u{1f468}\u{200d}\u{1f4bb}a-b"),
        ("", ""), (" ", ""), ("++", ""), ("-/-", ""),
        ("\u{301}", ""),
    ])
    func `what cannot be in one becomes a hyphen`(name: String, tag: String) {
        #expect(NoteTag.made(of: name) ?? "" == tag)
    }

    @Test func `signs of ASCII are what Unicode says that they are`() {
        for scalar in (0..<0x80 as Range<UInt32>).compactMap(Unicode.Scalar.init) {
            let properties = scalar.properties
            let isPart =
                properties.isAlphabetic || properties.numericType != nil
                || "_-/".unicodeScalars.contains(scalar) || properties.isEmojiPresentation
                || properties.generalCategory == .nonspacingMark
            #expect(NoteTag.isPart(scalar) == isPart, "\(scalar.value)")
        }
    }

    @Test(arguments: ["\u{2764}love", "\u{2764}\u{fe0f}love", "\u{2764}\u{fe0e}LOVE"])
    func `how an emoji is drawn does not count`(tag: String) {
        #expect(NoteTag.compared(tag) == "\u{2764}love")
    }

    private static let signs = [
        "a", "\u{c9}", "1", "_", "-", "/", " ", ".", "#", "'", "\"", ",", "]", "[", ":", "\\", "\n",
        "\u{301}", "\u{93e}", "\u{1f600}", "\u{200d}",
        "\u{fe0f}",
    ]

    @Test func `each is read back as one, and one that is a tag already as itself`() {
        let short = Self.signs + ["yes", "1e5", "a\u{93e}"]
        let pairs = short.flatMap { first in Self.signs.map { first + $0 } }
        let names = short + pairs + pairs.flatMap { first in Self.signs.map { first + $0 } }
        var count = 0
        for name in names {
            guard let tag = NoteTag.made(of: name) else { continue }
            count += 1
            if NoteTag.isTag(name) { #expect(Array(tag.utf8) == Array(name.utf8)) }
            var front = ForeignFrontMatter()
            front.add(tags: [name])
            let alone = NoteMarks(front.before("text\n")).tags
            #expect(alone.map { Array($0.utf8) } == [Array(tag.utf8)])
            let behind = NoteMarks(front.before("---\ntags: [own]\n---\ntext\n")).tags
            #expect(behind.map { Array($0.utf8) } == [Array("own".utf8), Array(tag.utf8)])
        }
        #expect(count > 1000)
    }

    @Test func `tags that fall together are named, and so is one that is lost`() {
        var plan = ForeignPlan()
        plan.noteTags([
            "c#", "c++", "c", "c#", "Two words", "two Words", "work", "Work", "2024", "tag-2024",
            "++", " ", "",
        ])
        let said = plan.problems.map { "\($0.path): \($0.reason)" }
        #expect(
            said == [
                "++: this tag is lost: it has neither letters nor digits",
                "2024: this tag is tag-2024 here, and cannot be told from tag-2024",
                "c#: this tag is c here, and cannot be told from c",
                "c++: this tag is c here, and cannot be told from c",
            ]
        )
    }
}
