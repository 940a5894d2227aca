import Testing

@testable import lockbook

@Suite struct ShellLineTests {
    static let names = [
        "plain.md", "two words.md", "it's.md", "the \"best\".md", "both ' and \".md",
        "$(planted).md",
        "back\\slash.md", "end\\", "\\u{41}.md", "#hash", "-r", "日本語 ノート.md", "🙂", " ", "'", "\"",
        "gpj.\u{202e}exe", "a\u{200b}b'c d", "tag\u{e0041}", "e\u{301}",
        "re\u{fe00}port \u{2764}\u{fe0f}.md", "1\u{fe0f}\u{20e3} \u{2764}\u{fe0f}.md",
        "`planted`;&&|<>*?[a]{b,c}~!",
    ]

    @Test(arguments: names, [nil, UInt8(ascii: "'"), UInt8(ascii: "\"")])
    func `what is quoted is read back as it was`(name: String, quote: UInt8?) {
        let whole = ShellLine.quoted(name, in: quote, isWhole: true)
        let line = ShellLine(Array("cat \(whole) x".utf8))
        #expect(line.words.map(\.bytes) == ["cat", name, "x"].map { Array($0.utf8) })
        #expect(line.openQuote == nil)
        #expect(printable(whole) == whole)
    }

    @Test(arguments: names, [nil, UInt8(ascii: "'"), UInt8(ascii: "\"")])
    func `a word that goes on is read as far as it is`(name: String, quote: UInt8?) {
        let begun = ShellLine.quoted(name, in: quote, isWhole: false)
        #expect(ShellLine(Array(begun.utf8)).words.map(\.text) == [name])
    }

    @Test func `an emoji of several characters is no number, alone or with blanks`() {
        let heart = "\u{2764}\u{fe0f}"
        #expect(ShellLine.quoted(heart + " x", in: nil, isWhole: true) == heart + "\\ x")
        #expect(ShellLine.quoted("x\u{fe0f}", in: nil, isWhole: true) == "x\\u{fe0f}")
    }

    @Test(arguments: [
        ("", []), ("  \t ", []), ("a  b", ["a", "b"]), ("a\\ b", ["a b"]), ("'a b'c", ["a bc"]),
        ("\"a\\\"b\\n\"", ["a\"b\\n"]), ("''", [""]), ("'a\\'", ["a\\"]), ("\\u{1f642}", ["🙂"]),
        ("\\u{0}x", ["u{0}x"]), ("\\u{zz}", ["u{zz}"]), ("a\\", ["a"]),
    ])
    func `a line is divided at blanks that are not kept`(line: String, words: [String]) {
        #expect(ShellLine(Array(line.utf8)).words.map(\.text) == words)
    }

    @Test func `an open quote and the place of the last word are known`() {
        let line = ShellLine(Array("cat 'my no".utf8))
        #expect(line.openQuote == UInt8(ascii: "'"))
        #expect(line.endsInWord)
        #expect(line.words.last?.start == 4)
        #expect(!ShellLine(Array("cat ".utf8)).endsInWord)
    }

    @Test(arguments: [
        ("a.md", "/n/a.md"), ("/a.md", "/a.md"), ("../a.md", "/a.md"), ("../../..", "/"),
        (".", "/n/"), ("", "/n/"), ("./sub/", "/n/sub/"), ("x/../y", "/n/y"), ("id:1a", "id:1a"),
        ("...", "/n/..."), ("-r", "/n/-r"),
    ])
    func `a path begins in the folder of the shell`(typed: String, path: String) {
        var folder = ShellFolder()
        folder.enter("/n/")
        #expect(folder.absolute(typed) == path)
    }

    @Test(arguments: [
        ("list", "list /n"), ("list -l", "list -l /n"), ("list a", "list /n/a"),
        ("ls", "ls /n"), ("trash list", "trash list"), ("conflicts list", "conflicts list"),
        ("config list", "config list"), ("share list", "share list"),
        ("tree -L 2", "tree -L 2 /n"), ("search x", "search x /n"), ("search x /y", "search x /y"),
        ("tree -dL 2", "tree -dL 2 /n"), ("tree -L2 a", "tree -L2 /n/a"),
        ("search -iC 1 x", "search -iC 1 x /n"), ("search -iC 1 x a", "search -iC 1 x /n/a"),
        ("search -iAB 1 2 x", "search -iAB 1 2 x /n"), ("search -C1 x", "search -C1 x /n"),
        ("tree -dL2 a", "tree -dL2 /n/a"), ("tree -dL2", "tree -dL2 /n"),
        ("search -nC3 x a", "search -nC3 x /n/a"), ("search -inC33 x", "search -inC33 x /n"),
        ("search -il x a", "search -il x /n/a"), ("search -C=1 x", "search -C=1 x /n"),
        ("search --path a x", "search --path /n/a x"),
        ("search --path=a x", "search --path=/n/a x"),
        ("move a b /c", "move /n/a /n/b /c"), ("rename a b", "rename /n/a b"),
        ("import a b c", "import a b /n/c"), ("export a b", "export /n/a b"),
        ("stream in a", "stream in /n/a"), ("cat -- -a", "cat -- /n/-a"),
        ("jot --to a in", "jot --to /n/a in"), ("find a", "find a"), ("help list", "help list"),
        ("new x/ ../y", "new /n/x/ /y"),
        ("conflicts resolve --keep remote a", "conflicts resolve --keep remote /n/a"),
        ("new --template t/x a", "new --template /n/t/x /n/a"),
        ("new --template=t/x a", "new --template=/n/t/x /n/a"),
        ("new --template x a", "new --template x /n/a"),
        ("--profile w rm a", "--profile w rm /n/a"), ("--profile=w rm a", "--profile=w rm /n/a"),
        ("--profile w --no-input list", "--profile w --no-input list /n"),
    ])
    func `every path of a command begins there, and nothing else`(line: String, result: String) {
        var folder = ShellFolder()
        folder.enter("/n")
        let words = line.split(separator: " ").map(String.init)
        let absolute = folder.absolute(words, in: ShellSession.commands)
        #expect(absolute.joined(separator: " ") == result)
    }

    @Test(arguments: [
        ["rm", "-r", ""], ["mv", "", "/z"], ["cd", ""], ["list", ""],
        ["search", "--path", "", "x"], ["search", "--path=", "x", "/y"],
        ["conflicts", "resolve", ""], ["new", "--template", "", "/x"],
    ])
    func `an empty word is not the folder of the shell`(words: [String]) {
        var folder = ShellFolder()
        folder.enter("/n")
        let absolute = folder.absolute(words, in: ShellSession.commands)
        #expect(absolute.prefix(words.count) == words[...])
    }

    @Test(arguments: [
        ("cat /a", true), (" cat /a", false), ("account export", false), ("abandon ability", false),
        ("cat a\nb", false),
        ("jot \(Array(repeating: "abandon", count: 12).joined(separator: " "))", false),
        ("jot lb1aaaaaaaaaaaaaaaaaaaaaaaaaaaa", false), ("cd x", true), ("", false),
    ])
    func `no line is remembered that may hold a secret`(line: String, isKept: Bool) {
        let words = ShellLine(Array(line.utf8)).words.map(\.text)
        #expect(ShellHistory.mayRemember(line, words: words) == isKept)
    }

    @Test func `names stand in columns as wide as they are shown`() {
        #expect(Columns(["a", "bb", "ccc", "d"], width: 12).lines == ["a    ccc", "bb   d"])
        #expect(Columns(["long name"], width: 3).lines == ["long name"])
        #expect(Columns([], width: 80).lines.isEmpty)
    }
}
