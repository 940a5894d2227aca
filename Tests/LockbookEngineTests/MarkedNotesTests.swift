import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Which texts are looked through for tags and links, and what is told of them.
struct MarkedNotesTests {
    let alice: Person

    init() throws { alice = Person("alice", on: try TestServer()) }

    /// Makes the record of a document tell of another text.
    private func belie(_ path: String, on device: Device) throws {
        try device.lockbook.store.write { tree in
            var file = try tree.file(try #require(try tree.find(path: path)))
            file.content?.digest = Hash256(sha256: Array("another text".utf8))
            try tree.put(file)
        }
    }

    @Test func `what is found in many is told as a list tells it`() async throws {
        let laptop = try await alice.firstDevice()
        let lockbook = laptop.lockbook
        func text(_ number: Int) -> String {
            (number % 10 == 3 ? "#boat [[target]]\n" : "nothing\n") + (number < 40 ? "#all\n" : "")
        }
        let numbers = Array(0..<400)
        func path(_ number: Int) -> String { "/f\(number % 40)/n\(number).md" }
        let texts = Dictionary(uniqueKeysWithValues: numbers.map { (path($0), text($0)) })
        _ = try lockbook.create(paths: numbers.map(path) + ["/target.md"]) { texts[$0] ?? "" }
        func listed(where isWanted: (Int) -> Bool) throws -> [FileInfo] {
            let wanted = Set(numbers.filter(isWanted).map(path))
            return try lockbook.list(.path("/"), recursive: true).filter {
                wanted.contains($0.path)
            }
        }

        #expect(try lockbook.tags().found.map(\.documents) == [40, 40])
        #expect(try lockbook.documents(tagged: "boat").found == listed { $0 % 10 == 3 })
        // In more folders than are listed one by one.
        #expect(try lockbook.documents(tagged: "all").found == listed { $0 < 40 })
        #expect(
            try lockbook.backlinks(to: .path("/target.md")).found == listed { $0 % 10 == 3 }
        )
        #expect(try lockbook.documents(tagged: "none").found == [])
    }

    @Test func `a text that its record does not tell of counts where something is found in it`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        let lockbook = laptop.lockbook
        try laptop.write("/a.md", "#boat [[b]]")
        try laptop.write("/b.md", "nothing of it")
        try laptop.write("/c.md", "")
        for path in ["/a.md", "/b.md"] { try belie(path, on: laptop) }
        let tags = try lockbook.tags()
        #expect(tags.found == [])
        #expect(tags.unread.map(\.path) == ["/a.md"])
        #expect(try lockbook.documents(tagged: "car").unread.isEmpty)
        #expect(try lockbook.backlinks(to: .path("/b.md")).unread.map(\.path) == ["/a.md"])
        #expect(try lockbook.backlinks(to: .path("/c.md")).unread.isEmpty)
        #expect(throws: LockbookError.self) { try lockbook.links(of: .path("/b.md")) }
    }

    @Test(arguments: [
        ("#boat", true, false), ("---\ntags: [boat]\n---\n", true, false),
        ("---\nTags: [boat]\n---\n", true, false), ("---\nup: \"[[boat]]\"\n---\n", false, true),
        ("[[boat]]", false, true), ("[b](boat.md)", false, true), ("boat", false, false),
        ("#boat\0[[boat]]", false, false), ("", false, false),
    ])
    func `a text is asked for tags and for links`(text: String, hasTag: Bool, hasLink: Bool) {
        let bytes = Array(text.utf8)
        let tags = MarkQuestion.tags { !$0.tags.isEmpty }
        let links = MarkQuestion.links { !$0.links.isEmpty }
        #expect((tags.marks(in: bytes) != nil) == hasTag)
        #expect((links.marks(in: bytes) != nil) == hasLink)
        #expect((MarkQuestion.all.marks(in: bytes) != nil) == !bytes.contains(0))
    }

    @Test(arguments: [
        "#a [x #b](c.md) #d", "[[a]] #b\n[[c]]\n#d", "[a](b.md)\n#c [d]\n\n[d]: e.md",
        "[a] #b\n#c\n[a]: d.md\n#e", "#a [b #c][d]\n\n  [d]: e.md",
        "---\ntags: [a]\nup: \"[[b]]\"\n---\n[[c]]\n#d",
        "```\n#a [[b]]\n```\n#c\n[[d]]", "`#a [[b]]\n` #c\n[[d]]", "\u{FEFF}#a\r\n[[b]]\r\n#c",
        "#\u{65E5}\u{672C} [[\u{E9}]]\n#a\u{301}\n[[b]]",
    ])
    func `tags alone are read as with the links, and links as with the tags`(text: String) throws {
        let bytes = Array(text.utf8)
        let all = NoteMarks(text)
        let tags = MarkQuestion.tags { !$0.tags.isEmpty }
        let links = MarkQuestion.links { !$0.links.isEmpty }
        #expect(try #require(tags.marks(in: bytes)).tags == all.tags)
        #expect(try #require(links.marks(in: bytes)).links == all.links)
        #expect(try #require(MarkQuestion.all.marks(in: bytes)) == all)
    }

    @Test func `what is no text has neither`() {
        let bytes = Array("#boat [[boat]]\n".utf8) + [0xFF]
        for question in [MarkQuestion.tags { _ in true }, .links { _ in true }, .all] {
            #expect(question.marks(in: bytes) == nil)
        }
    }

    @Test(arguments: [
        ("boat", true), ("Boat.md", true), ("a/BOAT", true), ("../boat.md", true), ("..", true),
        ("a/.", true), ("boats", false), ("boat/a", false), ("boat.md.md", false),
    ])
    func `only a link with the name of a file may lead to it`(target: String, mayMean: Bool) {
        let link = NoteMarks.Link(target: target, isWiki: true, line: 1)
        #expect(link.mayMean("boat.md") == mayMean)
    }
}
