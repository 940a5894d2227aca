import Testing

@testable import LockbookEngine

struct IgnorePatternTests {
    @Test(
        arguments: [
            ("*.tmp", "a/b.tmp", true), ("*.tmp", "a.tmp/b", false), ("/a.md", "a.md", true),
            ("/a.md", "x/a.md", false), ("a/b", "a/b", true), ("a/b", "x/a/b", false),
            ("**/b", "x/y/b", true), ("a/**", "a/b/c", true), ("a/**", "a", false),
            ("a/**/c", "a/c", true), ("a/**/c", "a/x/y/c", true), ("a/**/c", "a/x/y/d", false),
            ("?.md", "ä.md", true), ("?.md", "ab.md", false), ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false), ("[^a-c]x", "dx", true), ("[]x]", "]", true),
            ("[a", "[a", false), ("\\*", "*", true), ("\\*", "b", false), ("\\#a", "#a", true),
            ("a\\ ", "a ", true), ("a  ", "a", true), ("a*b*c", "axxbxxc", true),
            ("a*b*c", "axxbxx", false), ("*", "a/b", true), ("a/*", "a/b/c", false),
        ]
    ) func `a pattern fits as git says`(pattern: String, path: String, fits: Bool) throws {
        let found = try #require(IgnorePattern(pattern))
        let steps = path.split(separator: "/").map(String.init)
        #expect(found.matches(steps[...], isFolder: false) == fits)
    }

    // Each row is what `git check-ignore` answers.
    @Test(
        arguments: [
            ("[\\1-\\3]", ["2"], ["4", "A", "D", "[", "\\"]),
            ("[A-\\\\]", ["A", "Q", "[", "\\"], ["]", "a"]),
            ("[[-\\]]", ["[", "\\", "]"], ["Z"]),
            ("[\\]x]", ["]", "x"], ["\\"]),
            ("[[:digit:]]", ["7"], ["a", "d", "["]),
            ("notes[[:digit:]].tmp", ["notes1.tmp"], ["notesd.tmp"]),
            ("[[:upper:]]", ["A"], ["a", "É"]),
            ("[![:upper:]]", ["a"], ["A"]),
            ("[^[:alpha:][:digit:]_]", ["-"], ["a", "7", "_"]),
            ("[[:xdigit:]-z]", ["f", "-", "z"], ["g"]),
            ("[[:space:]x]", ["x"], ["y"]),
            ("[[:punct:]]", ["~", "_"], ["a"]),
            ("[[:foo:]]", [], ["f", ":", "["]),
            ("[[:digit:]", [], ["7", "["]),
            ("[[:]", ["["], ["a"]),
            ("[[::]]", [], ["["]),
            ("[[:a]", ["a", "["], ["b"]),
            ("[c-a]", ["c"], ["a", "b"]),
            ("[a-c-e]", ["-", "e", "b"], ["d"]),
            ("[--0]", ["-", "0"], ["1"]),
            ("[a-]", ["-", "a"], ["b"]),
            ("[]-a]", ["]", "^", "a"], ["b"]),
            ("[!]a]", ["b"], ["]", "a"]),
            ("*[a", [], ["a", "[a"]),
            ("[]", [], ["[]", "["]),
            ("[a\\", [], ["[a\\", "a"]),
            ("\\", [], ["\\"]),
            ("a\\", [], ["a\\", "a"]),
            ("a\\[b]", ["a[b]"], ["ab"]),
        ] as [(String, [String], [String])]
    ) func `brackets and backslashes mean what they mean to git`(
        pattern: String,
        fitting: [String],
        others: [String]
    ) throws {
        let found = try #require(IgnorePattern(pattern))
        func fits(_ name: String) -> Bool { found.matches([name], isFolder: false) }
        #expect(fitting.filter(fits) == fitting)
        #expect(others.filter(fits) == [])
    }

    // Each row is what `git check-ignore` answers.
    @Test(
        arguments: [
            ("//a", [], ["a", "b/a"]), ("b//a", [], ["b/a", "a"]), ("b//", [], ["b", "b/a"]),
            ("//", [], ["a"]), ("**//a", [], ["a", "b/a"]), ("//**", [], ["a"]),
            ("/**", ["a", "b/a"], []), ("b//**", [], ["b/a"]), ("b\\/a", ["b/a"], ["a"]),
            ("\\/a", [], ["a", "b/a"]), ("b/\\/a", [], ["b/a"]), ("b\\/", [], ["b"]),
            ("**\\/a", ["b/a", "c/d/a"], ["b"]),
            ("c\\/**\\/a", ["c/a", "c/d/e/a"], ["a"]),
            ("a/***/b", ["a/b", "a/x/y/b"], ["b"]), ("a/***", ["a/b", "a/x/y"], ["a"]),
            ("[a/b]", ["a", "b"], ["x/a", "c"]), ("[a/b]c", ["ac", "bc"], ["[a/b]c"]),
            ("d/x[a/b]", ["d/xa", "d/xb"], ["d/x/q", "d/x"]), ("d/x[/]y", [], ["d/x/y", "d/xy"]),
            ("x[a\\/b]", ["xa", "xb"], ["x/a"]), ("d/[a/]/e", ["d/a/e"], ["d/x/e"]),
            ("d[!/]x", ["dyx"], ["d/x"]), ("d/[a/b", [], ["d/[a/b", "d/a"]), ("d/[/", [], ["d/x"]),
        ] as [(String, [String], [String])]
    ) func `slashes mean what they mean to git`(
        pattern: String,
        fitting: [String],
        others: [String]
    ) throws {
        let found = try #require(IgnorePattern(pattern))
        func fits(_ path: String) -> Bool {
            found.matches(path.split(separator: "/").map(String.init)[...], isFolder: false)
        }
        #expect(fitting.filter(fits) == fitting)
        #expect(others.filter(fits) == [])
    }

    @Test func `classes are those of ASCII that git has`() throws {
        let counts = [
            "alnum": 62, "alpha": 52, "blank": 2, "cntrl": 33, "digit": 10, "graph": 94,
            "lower": 26, "print": 95, "punct": 32, "space": 4, "upper": 26, "xdigit": 22,
        ]
        for (name, count) in counts {
            let pattern = try #require(IgnorePattern("[[:\(name):]]"))
            let found = (UInt8.min...UInt8.max).filter {
                let name = String(Character(Unicode.Scalar($0)))
                return pattern.matches([name], isFolder: false)
            }
            #expect(found.count == count, "\(name)")
        }
    }

    @Test func `a pattern of brackets that do not close is read once`() throws {
        let text = String(repeating: "[:", count: 32_000)
        for end in ["", "]", "x]"] {
            let pattern = try #require(IgnorePattern("[" + text + end))
            #expect(!pattern.matches(["a"], isFolder: false))
        }
    }

    @Test func `a slash at the end is for folders`() throws {
        let pattern = try #require(IgnorePattern("build/"))
        #expect(pattern.matches(["x", "build"], isFolder: true))
        #expect(!pattern.matches(["x", "build"], isFolder: false))
    }

    @Test(arguments: ["", "# no", "   ", "/", "!"])
    func `a line that says nothing is no pattern`(line: String) {
        #expect(IgnorePattern(line) == nil)
    }

    @Test func `the last pattern decides, the deeper file before the upper`() {
        let upper = IgnoreRules().adding("*.md\n!b.md\n", depth: 0)
        #expect(upper.ignore(["a.md"], isFolder: false))
        #expect(!upper.ignore(["b.md"], isFolder: false))
        let deeper = upper.adding("!a.md\n/c\n", depth: 1)
        #expect(!deeper.ignore(["x", "a.md"], isFolder: false))
        #expect(deeper.ignore(["x", "c"], isFolder: false))
        let excluding = IgnoreRules(excluding: ["a.md"]).adding("!a.md", depth: 0)
        #expect(excluding.ignore(["a.md"], isFolder: false))
    }

    @Test func `a mark of the encoding in front of all is no part of the first pattern`() {
        let rules = IgnoreRules().adding("\u{FEFF}*.log\n*.tmp\n", depth: 0)
        #expect(rules.ignore(["a.log"], isFolder: false))
        #expect(rules.ignore(["a.tmp"], isFolder: false))
    }

    @Test func `a pattern that backtracks much ends`() throws {
        let pattern = try #require(IgnorePattern(String(repeating: "*a", count: 200) + "b"))
        #expect(!pattern.matches([String(repeating: "a", count: 2_000)], isFolder: false))
    }
}
