import LockbookEngine
import LockbookTestSupport
import Testing

/// Tags and links, and where links lead.
struct NoteMarksTests {
    @Test(arguments: [
        ("#boat and #a/b, #c-d_e1 (#no) x#no", ["boat", "a/b", "c-d_e1"]),
        ("# heading\n## also\n#1 #42 #1a", ["1a"]),
        ("`#no` ``#no ` `` #yes", ["yes"]),
        ("```\n#no\n```\n#yes\n~~~\n#no", ["yes"]),
        ("\\#no #été #日本", ["été", "日本"]),
        ("#Boat #boat", ["Boat"]),
        ("---\ntitle: x\ntags: [one, \"two\"]\n---\n#three", ["one", "two", "three"]),
        ("---\ntags:\n  - one\n  - '#two'\nother: x\n---\n", ["one", "two"]),
        ("---\ntags: one two\n---\n", ["one", "two"]),
        ("text\n---\ntags: [no]\n---\n", []),
        ("---\r\ntags: [one, two]\r\n---\r\n#three\r\n", ["one", "two", "three"]),
        ("---\r\ntags:\r\n- one\r\n---\r\n```\r\n#no\r\n```\r\n#two", ["one", "two"]),
        ("---\ntags: [one, \"no two\", 3]\n---\n", ["one"]),
    ])
    func `tags are words behind their sign, and those of the front matter`(
        text: String,
        tags: [String]
    ) {
        #expect(NoteMarks(text).tags == tags)
    }

    @Test(arguments: [
        ("[[Boat]] and [[a/b|text]] [[c#head]] [[#head]]", ["Boat", "a/b", "c"]),
        (
            "[t](a.md) [t](b%20c.md \"title\") [t](<d e.md>) [t](f(1).md#x)",
            [
                "a.md", "b c.md", "d e.md", "f(1).md",
            ]
        ),
        ("[t](https://x.org/a) [t](mailto:x) [t](//x) [t](#head) ![i](i.png)", ["i.png"]),
        ("`[[no]]` \\[[no]] [[open [t](open", []),
        ("```\n[[no]]\n```\n[x] [y]", []),
        ("[[a]](b)", ["a"]),
    ])
    func `links are found, and none in code`(text: String, targets: [String]) {
        #expect(NoteMarks(text).links.map(\.target) == targets)
    }

    @Test func `the lines of a note from Windows are counted`() {
        #expect(NoteMarks("[[a]]\r\n\r\n[[b]]\n[[c]]").links.map(\.line) == [1, 3, 4])
    }

    @Test func `links lead where a reader would look`() async throws {
        let alice = Person("alice", on: try TestServer())
        let laptop = try await alice.firstDevice()
        try laptop.write(
            "/boats/list.md",
            "[[Mast]] [[mast]] [s](../sails.md) [n](nowhere.md) #fleet"
        )
        try laptop.write("/parts/Mast.md", "[b](/boats/list.md)\n[[sails]] #Fleet/old")
        try laptop.write("/deep/er/Mast.md", "")
        try laptop.write("/sails.md", "[[boats/list]] [[parts]]")
        try laptop.write("/binary", "\u{0}[[sails]]")
        let links = try laptop.lockbook.links(of: .path("/boats/list.md"))
        #expect(links.map(\.path) == ["/parts/Mast.md", "/parts/Mast.md", "/sails.md", nil])
        #expect(links.map(\.line) == [1, 1, 1, 1])
        func backlinks(_ path: String) throws -> [String] {
            try laptop.lockbook.backlinks(to: .path(path)).found.map(\.path)
        }
        #expect(try backlinks("/boats/list.md") == ["/parts/Mast.md", "/sails.md"])
        #expect(try backlinks("/parts") == ["/sails.md"])
        #expect(try backlinks("/deep/er/Mast.md") == [])
        #expect(try laptop.lockbook.tags().found.map(\.tag) == ["fleet", "Fleet/old"])
        let tagged = try laptop.lockbook.documents(tagged: "#FLEET").found.map(\.path)
        #expect(tagged == ["/boats/list.md", "/parts/Mast.md"])
        #expect(throws: LockbookError.notADocument(path: "/parts")) {
            try laptop.lockbook.links(of: .path("/parts"))
        }
        try await converge(alice, laptop)
    }

    @Test func `a byte order mark is no part of the first line`() {
        #expect(NoteMarks("\u{FEFF}---\r\ntags: [one]\r\n---\r\n#two\r\n").tags == ["one", "two"])
        #expect(NoteMarks("\u{FEFF}#first\n").tags == ["first"])
    }

    // Each of these took minutes when every sign was looked for from where the last one began.
    @Test(arguments: ["[", "[[", "[a](", "[x](((", "`` ` ", "![", "[[a"])
    func `a line of one sign alone is read once`(_ sign: String) {
        let text = String(repeating: sign, count: 1 << 18) + " #end"
        #expect(NoteMarks(text).tags == ["end"])
        let runs = (1...1_200).map { String(repeating: "`", count: $0) }.joined(separator: " ")
        #expect(NoteMarks(runs + " [[end]]").links.map(\.target) == ["end"])
    }
}
