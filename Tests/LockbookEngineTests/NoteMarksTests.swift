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
        ("---\ntags: null\n---\n", []),
        ("---\ntags: [~, one, 'null', Null]\n---\n", ["one", "null"]),
        ("---\ntags:\n- null\n- nulls\n---\n#null", ["nulls", "null"]),
        ("text\n---\ntags: [no]\n---\n", []),
        ("---\r\ntags: [one, two]\r\n---\r\n#three\r\n", ["one", "two", "three"]),
        ("---\r\ntags:\r\n- one\r\n---\r\n```\r\n#no\r\n```\r\n#two", ["one", "two"]),
        ("---\ntags: [one, \"no two\", 3]\n---\n", ["one"]),
        ("[see #no](a.md) [see #yes] #no", ["yes", "no"]),
        ("#trip/ #trip //a #/usr//bin #/", ["trip", "usr/bin"]),
        ("---\ntags: [/one//two/, \"#three/\"]\n---\n#one/two", ["one/two", "three"]),
    ])
    func `tags are words behind their sign, and those of the front matter`(
        text: String,
        tags: [String]
    ) {
        #expect(NoteMarks(text).tags == tags)
    }

    @Test(arguments: [
        ("[x #no][r] #yes\n\n[r]: b.md", ["yes"]), ("[x #a][r] #b", ["a", "b"]),
        ("[lab #no] [r #no][] ![x #no][i]\n[lab #no]: b.md\n[r #no]: c.md\n[I]: d.png", []),
        ("[r]: https://x.org\n[x #no][r]", []), ("[x #a][r]\n```\n[r]: b.md\n```", ["a"]),
        ("[x #a][r] #A\n[r]: b.md", ["A"]), ("#A [x #a][r]\n[r]: b.md", ["A"]),
        ("[x #a] [y #a] #b [z #A]", ["a", "b"]), ("[^x #a] [ #b\n\n[^x #a]: c.md", ["a", "b"]),
        ("[a #a [b #b][r] #c][s] #d\n[r]: b.md", ["a", "c", "d"]),
        ("[a #a [b #b][r] #c][s] #d\n[s]: b.md", ["d"]),
        ("![a #no [b #no][r] c](c.md) [x #a]\n#b\n[r]: b.md", ["a", "b"]),
    ])
    func `what stands in the text of a link by its label is no tag`(text: String, tags: [String]) {
        #expect(NoteMarks(text).tags == tags)
    }

    @Test(arguments: [
        "\u{2764}\u{fe0f}love", "\u{2708}travel", "sun\u{2600}\u{fe0f}", "1\u{fe0f}\u{20e3}st",
        "\u{1f468}\u{200d}\u{1f4bb}dev", "\u{2764}\u{fe0f}\u{200d}\u{1f525}/x",
        "a\u{1f3f3}\u{fe0f}\u{200d}\u{1f308}", "\u{1f469}\u{1f3fd}\u{200d}\u{2695}\u{fe0f}b",
        "\u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}wales",
    ])
    func `an emoji is part of a tag, however it is written`(tag: String) {
        #expect(NoteMarks("#\(tag) x\n").tags == [tag])
        #expect(NoteMarks("---\ntags: [\(tag)]\n---\n").tags == [tag])
    }

    @Test(arguments: [
        "\u{645}\u{6cc}\u{200c}\u{62e}\u{648}\u{627}\u{647}\u{645}",
        "\u{915}\u{94d}\u{200d}\u{937}",
    ])
    func `what is spelling in a script whose letters join ends no tag`(tag: String) {
        #expect(NoteMarks("#\(tag) x\n").tags == [tag])
        #expect(NoteMarks("---\ntags: [\(tag)]\n---\n").tags == [tag])
    }

    @Test(arguments: [
        ("a\u{200c}b", "a"), ("\u{645}\u{200c}", "\u{645}"), ("\u{645}\u{200c}a", "\u{645}"),
        ("a\u{e0067}", "a"), ("a\u{1f600}\u{e0067}", "a\u{1f600}"),
        ("a\u{1f3f4}\u{e0067}\u{e007f}\u{e007f}", "a\u{1f3f4}\u{e0067}\u{e007f}"),
    ])
    func `what nobody sees ends a tag where it is no spelling`(text: String, tag: String) {
        #expect(NoteMarks("#\(text) x\n").tags.map { Array($0.utf8) } == [Array(tag.utf8)])
    }

    @Test func `how an emoji is drawn tells no tags apart`() {
        let spelled = ["\u{2764}love", "\u{2764}\u{fe0f}love", "\u{2764}\u{fe0e}LOVE"]
        #expect(NoteMarks(spelled.map { "#\($0)\n" }.joined()).tags == [spelled[0]])
    }

    @Test(arguments: ["a", "\u{1f468}", "\u{1f468}\u{301}", "", "#", "1"])
    func `what joins emoji joins nothing else`(before: String) {
        let tags = ["a\(before)\u{200d}b", "\(before)\u{301}\u{200d}\u{1f4bb}b"].flatMap {
            NoteMarks("#\($0)").tags + NoteMarks("---\ntags: [\"\($0)\"]\n---\n").tags
        }
        #expect(!tags.contains { $0.unicodeScalars.contains("\u{200d}") })
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
        ("[t](p\\(a\\).md) [t](q\\).md) [t](a\\b.md)", ["p(a).md", "q).md", "a\\b.md"]),
        ("[t](c\\#1.md#x) [t](<d\\&.md>) [t](a&amp;b.md)", ["c#1.md", "d&.md", "a&b.md"]),
        ("[t](a\\", []), ("[t](a\\)", []), ("[t](<\\<t\\>.md>)", ["<t>.md"]),
        ("[t](a%5) [t](b%+5c) [t](c%) [t](%64)", ["a%5", "b%+5c", "c%", "d"]),
    ])
    func `links are found, and none in code`(text: String, targets: [String]) {
        #expect(NoteMarks(text).links.map(\.target) == targets)
    }

    @Test(arguments: [
        ("tags: one # not a tag", ["one"]), ("tags: one #two", ["one", "two"]),
        ("tags:\n  - one # x\n\n  # between\n  - two", ["one", "two"]),
        ("tags: # all\n- one", ["one"]), ("tags: #one #two # no", ["one", "two"]),
        ("tags: [one, '#two'] # no", ["one", "two"]),
        ("tags: [\n  one, # x\n  two\n]\nother: [no, no]", ["one", "two"]),
        ("tags:\n  [one,\n  two]\n  - no", ["one", "two"]),
        ("tags: [one, #two]", ["one", "two"]), ("tags: [one\nother: no, no", ["one"]),
        ("Tags: [one]", ["one"]), ("TAGS: one", ["one"]), ("tags: \"one two\"", ["one", "two"]),
        ("meta:\n  tags: [no]\n  x:\n    - no\ntags: [yes]", ["yes"]),
        ("tags: one\n- no", ["one"]), ("tags: []\n- no", []), ("title: tags\n- no", []),
    ])
    func `tags of the front matter are read as YAML has them`(front: String, tags: [String]) {
        #expect(NoteMarks("---\n\(front)\n---\ntext\n").tags == tags)
    }

    @Test(arguments: [
        ("```inline``` text\n[[b]]", ["b"]), ("~~~ `x`\n[[no]]\n~~~\n[[b]]", ["b"]),
        ("```\n```js\n[[no]]\n```\n[[b]]", ["b"]), ("```\n[[no]]\n``` \t\n[[b]]", ["b"]),
        ("````\n```\n[[no]]\n```\n````\n[[b]]", ["b"]), ("```\n[[no]]\n`````\n[[b]]", ["b"]),
        ("~~~\n```\n[[no]]\n~~~\n[[b]]", ["b"]), ("``\n[[b]]\n``", ["b"]),
        ("- x\n\n      ```\n      [[no]]\n      ```\n[[b]]", ["b"]),
    ])
    func `code is between fences of the same sign, the second as long`(
        text: String,
        targets: [String]
    ) {
        #expect(NoteMarks(text).links.map(\.target) == targets)
    }

    @Test(arguments: [
        ("| [[b\\|alias]] | [[c#head\\|alias]] |", ["b", "c"]), ("[[page ^e^]]", ["page ^e^"]),
        ("[[b#^id]] [[#^id]]", ["b"]), ("[![i](b.md)](c.md)", ["b.md", "c.md"]),
        ("[![i](b.md)](https://x.org) [![i](//x)](c.md)", ["b.md", "c.md"]),
        ("[a [b](b.md) c](no.md) [x [y] z](c.md)", ["b.md", "c.md"]),
        ("![a [b](b.md) c](c.png)", ["b.md", "c.png"]), ("x](no.md) [y](b.md)", ["b.md"]),
    ])
    func `links are read as Obsidian and CommonMark do`(text: String, targets: [String]) {
        #expect(NoteMarks(text).links.map(\.target) == targets)
    }

    @Test(arguments: [
        ("[x][r] [b] [[w]]\n\n[r]: b.md \"T\"\n[B]: <c d.md>", ["b.md", "c d.md", "w"]),
        ("[r]: b.md\n[r]: no.md\n[x][R] ![y][] [r][] ![r]", ["b.md", "b.md", "b.md"]),
        ("[r]: b.md", []), ("[r]\n[r]: https://x.org", []), ("[r]\n[r]: b.md and more", []),
        ("[^r]\n[^r]: b.md", []), ("[r][no] \\[r] `[r]`\n[r]: b.md", []),
        ("[a b][a  B]\n   [A b]: b%20c.md#head", ["b c.md"]),
        ("```\n[r]: no.md\n```\n[r]", []), ("[x [y] z][r]\n[r]: b.md (T)", ["b.md"]),
    ])
    func `a link by its label leads where a line says`(text: String, targets: [String]) {
        #expect(NoteMarks(text).links.map(\.target) == targets)
    }

    @Test func `a link by its label is where it is used`() {
        let links = NoteMarks("[[a]]\n[x][r]\n[[c]]\n[r]: b.md").links
        #expect(links.map(\.target) == ["a", "b.md", "c"])
        #expect(links.map(\.line) == [1, 2, 3])
    }

    @Test(arguments: [
        ("up: \"[[b]]\"\nrelated:\n  - '[[c|text]]' # \"[[no]]\"", ["b", "c"]),
        ("both: [\"[[b]]\",'[[c#head]]']\ntext: \"see [[d]] and [[e]]\"", ["b", "c", "d", "e"]),
        ("matrix: [[1, 2]]\nnone: [[no]]\nit's: [[no]]\nlink: \"[no](no.md)\"", []),
    ])
    func `links in properties are those in quotes`(front: String, targets: [String]) {
        #expect(NoteMarks("---\n\(front)\n---\n[[z]]").links.map(\.target) == targets + ["z"])
    }

    @Test(arguments: [("---", 2), ("---\ntags: [no]", 3)])
    func `a line at the beginning that no second one follows is no front matter`(
        start: String,
        line: Int
    ) {
        let marks = NoteMarks("\(start)\n#one [[a]]\n- #two\n")
        #expect(marks.tags == ["one", "two"])
        #expect(marks.links.map(\.line) == [line])
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
        let below = try laptop.lockbook.documents(tagged: "fleet//old/").found.map(\.path)
        #expect(below == ["/parts/Mast.md"])
        #expect(throws: LockbookError.notADocument(path: "/parts")) {
            try laptop.lockbook.links(of: .path("/parts"))
        }
        try await converge(alice, laptop)
    }

    @Test func `a byte order mark is no part of the first line`() {
        #expect(NoteMarks("\u{FEFF}---\r\ntags: [one]\r\n---\r\n#two\r\n").tags == ["one", "two"])
        #expect(NoteMarks("\u{FEFF}#first\n").tags == ["first"])
    }

    /// 1 MB, of which a normal form is made in the square of the time that it takes to read it.
    private static let marks = String(repeating: "\u{316}\u{301}", count: 250_000)

    @Test(arguments: [
        "#a\(marks)", "---\ntags: [a\(marks)]\n---\n", "---\ntags:\n- a\(marks)\n---\n",
        "---\n\(marks)\na\(marks): b\ntags: a\(marks)\n---\n",
        "#a" + String(repeating: "\u{f73}", count: 330_000),
    ])
    func `of the marks on a letter of a tag the first ones are read`(text: String) {
        #expect(NoteMarks(text).tags.map(\.unicodeScalars.count) == [31])
    }

    @Test(arguments: [
        "[[a\(marks)]]", "[x](a\(marks))", "---\nup: \"[[a\(marks)]]\"\n---\n",
        "[x][a\(marks)]\n\n[a\(marks)]: a\(marks)",
        "[x]\n\n[x]: a" + String(repeating: "%CC%96%CC%81", count: 100_000),
    ])
    func `of the marks on a letter of a link the first ones are read`(text: String) {
        #expect(NoteMarks(text).links.map(\.target.unicodeScalars.count) == [31])
    }

    @Test func `a note of marks alone takes no time from the others`() async throws {
        let alice = Person("alice", on: try TestServer())
        let laptop = try await alice.firstDevice()
        let word = "a\(Self.marks)"
        try laptop.write("/evil.md", "#\(word) [[\(word)]] [\(word)](\(word).md) [[own]]\n")
        try laptop.write("/own.md", "#mine\n")
        let lockbook = laptop.lockbook
        #expect(try lockbook.tags().found.map(\.documents) == [1, 1])
        #expect(try lockbook.documents(tagged: "mine").found.map(\.path) == ["/own.md"])
        let links = try lockbook.links(of: .path("/evil.md"))
        #expect(links.map(\.path) == [nil, nil, "/own.md"])
        #expect(try lockbook.backlinks(to: .path("/own.md")).found.map(\.path) == ["/evil.md"])
    }

    // Each of these took minutes when every sign was looked for from where the last one began.
    @Test(arguments: ["[", "[[", "[a](", "[x](((", "`` ` ", "![", "[[a", "[a][", "![a](b)"])
    func `a line of one sign alone is read once`(_ sign: String) {
        let text = String(repeating: sign, count: 1 << 18) + " #end"
        #expect(NoteMarks(text).tags == ["end"])
        let runs = (1...1_200).map { String(repeating: "`", count: $0) }.joined(separator: " ")
        #expect(NoteMarks(runs + " [[end]]").links.map(\.target) == ["end"])
    }
}
