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

    @Test(arguments: ["---\r\nno: end\r\n", "---\nno: end\n", "--- text\n", "text\n"])
    func `what only begins like front matter is text`(text: String) {
        var front = ForeignFrontMatter()
        front.add("title", "Boat")
        #expect(front.before(text) == "---\ntitle: Boat\n---\n\n" + text)
    }
}
