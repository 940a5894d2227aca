import LockbookModel
import Testing

@testable import LockbookEngine

/// What an import puts in front of a note that has front matter of its own.
@Suite struct ForeignFrontMatterTests {
    @Test(arguments: ["\n", "\r\n"])
    func `a note has one front matter, with ends of lines as its own are`(end: String) {
        func text(_ lines: String...) -> String { lines.map { $0 + end }.joined() }
        var front = ForeignFrontMatter()
        front.add("title", "Boat")
        front.add("author", "Ada")
        front.add(tags: ["work"])

        let tagged = text("---", "tags: [mine]", "title: Own", "---", "body")
        #expect(
            front.before(tagged)
                == text(
                    "---",
                    "author: Ada",
                    "tags: [mine]",
                    "title: Own",
                    "---",
                    "body",
                    "",
                    "#work"
                )
        )
        let untagged = text("---", "key: value", "---", "body")
        #expect(
            front.before(untagged)
                == text(
                    "---",
                    "title: Boat",
                    "author: Ada",
                    "tags: [work]",
                    "key: value",
                    "---",
                    "body"
                )
        )
    }

    @Test func `a byte order mark stays in front of it`() {
        var front = ForeignFrontMatter()
        front.add("title", "Boat")
        front.add(tags: ["work"])
        let mark = "\u{feff}"
        let own = front.before(mark + "---\ntags: [own]\n---\nbody\n")
        let expected = mark + "---\ntitle: Boat\ntags: [own]\n---\nbody\n\n#work\n"
        #expect(Array(own.utf8) == Array(expected.utf8))
        let plain = mark + "---\ntitle: Boat\ntags: [work]\n---\n\nbody\n"
        #expect(Array(front.before(mark + "body\n").utf8) == Array(plain.utf8))
    }

    /// 1 MB, of which a normal form is made in the square of the time that it takes to read it.
    private static let marks = String(repeating: "\u{316}\u{301}", count: 250_000)

    @Test func `a note that somebody made of marks alone is taken in as it is`() throws {
        var front = ForeignFrontMatter()
        front.add("title", "Boat")
        front.add(tags: ["work"])
        let rest = "\(Self.marks)\na\(Self.marks): b\ntags: [mine]\n---\n\(Self.marks)"
        let expected = "---\ntitle: Boat\n\(rest)\n\n#work\n"
        #expect(Array(front.before("---\n\(rest)").utf8) == Array(expected.utf8))
        let plain = "---\(Self.marks)\n"
        let whole = "---\ntitle: Boat\ntags: [work]\n---\n\n\(plain)"
        #expect(Array(front.before(plain).utf8) == Array(whole.utf8))

        let item = try JoplinItem(Array("a\n\nid: 1\nk\(Self.marks): x\ntype_: 1".utf8))
        #expect(item["id"] == "1" && item.fields.count == 3)
        for title in ["\(Self.marks)", " .\(Self.marks)", "a\(Self.marks)"] {
            #expect((250...255).contains(ForeignNames.plain(title, ending: ".md").bytes.count))
        }
    }

    @Test(arguments: ["---\r\nno: end\r\n", "---\nno: end\n", "--- text\n", "text\n"])
    func `what only begins like front matter is text`(text: String) {
        var front = ForeignFrontMatter()
        front.add("title", "Boat")
        #expect(front.before(text) == "---\ntitle: Boat\n---\n\n" + text)
    }
}
