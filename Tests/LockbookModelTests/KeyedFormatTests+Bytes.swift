import Testing

@testable import LockbookModel

/// What the readers of keys say of texts in which one byte decides.
extension KeyedFormatTests {
    private func expect(
        _ name: String,
        _ texts: [(String, [String]?)],
        _ place: SourceLocation = #_sourceLocation
    ) {
        for (text, keys) in texts {
            let found = repeated(text, as: name)
            #expect(found == keys, "\(text.debugDescription)", sourceLocation: place)
        }
    }

    @Test func `where each key stands first and again`() {
        let texts: [(name: String, text: String, first: Int, again: Int)] = [
            ("toml", "x = 1\n a = 1\n[b]\n\ta = 2\n a = 3", 17, 24), ("toml", "[a]\n [a]", 0, 4),
            ("yaml", "x:\n  a: 1\n  \"a\": 2", 5, 12), ("ini", "[s]\n a = 1\n\ta = 2", 4, 11),
            ("bib", "\n@x{a,}\n  @x{a,}", 1, 8), ("bib", "@x{k,\n a = 1,\n\tA = 2}", 7, 15),
            ("md", "---\na: 1\na: 2\n---\n", 4, 9),
        ]
        for (name, text, first, again) in texts {
            let keys = KeyedFormat(fileExtension: name).repeatedKeys(in: Array(text.utf8))
            let key = RepeatedKey(name: Array("a".utf8), first: first, again: again)
            #expect(keys == [key], "\(text.debugDescription)")
        }
    }

    @Test func `a key of YAML ends at a colon before a blank, and none is in a comment`() {
        expect(
            "yaml",
            [
                ("-a: 1\n-a: 2", ["-a"]),
                ("a:b: 1\na:b: 2", ["a:b"]),
                ("a:!b: 1", []),
                ("a#b: 1\na#b: 2", ["a#b"]),
                ("a : 1\na\t: 2", ["a"]),
                ("a b: 1\na b: 2", ["a b"]),
                ("a\tb: 1", []),
                ("a:\t1", []),
                ("a #b: 1", nil),
                ("a\t#b: 1", nil),
                ("\"a\"b c", nil),
                ("'a':b", nil),
                ("}: 1", nil),
                ("!z: ''", nil),
                ("- \ta: 1", nil),
                ("-  # a: [\n- b", []),
                ("- b\na: 1", nil),
                ("-\na: 1", nil),
                ("a:\n- b\nc:\n- d", []),
                ("a: 1\n--- \na: 2", []),
                ("a: 1\n---\t\na: 2", []),
                ("a: 1\n ---\na: 2", ["a"]),
                ("x:\n  a: 1\n  a: 2\n---\n  a: 1", ["a"]),
                ("a:\n b:\n  c: 1\n d: 1\n d: 2", ["d"]),
            ]
        )
    }

    @Test func `texts of YAML in quotes, brackets and blocks end where they end`() {
        expect(
            "yaml",
            [
                ("x: {b: 1,\nx: 2}", []),
                ("x: [b,\nx: 2]", []),
                ("x: \"b\nx: 2\"", []),
                ("x: 'b\nx: 2'", []),
                ("x: |\nx: 2", ["x"]),
                ("x: >\n x: 2", []),
                ("x: |\n  b: 1\n\n  b: 2\n  b: 3", []),
                ("- |\n b: 1\nx", nil),
                ("x:\n  y: |\n   b: 1\n  b: 2\n  b: 3", ["b"]),
                ("x: ''\nx: 1", ["x"]),
                ("x: \"\"\nx: 1", ["x"]),
                ("x: ''''", []),
                ("x: 'b'", []),
                ("x: ''", []),
                ("x: \"a\"\"b\"", nil),
                ("x: 'b\\'\na: 1\na: 2", ["a"]),
                ("x: \"\\n\"", []),
                ("x: \"\\\\\"", []),
                ("x: \"b\\\"\nx: 2\"", []),
                ("x: [5\" b]", []),
                ("x: [!\"a]", []),
                ("x: [ \"]\"]", []),
                ("x: [\"]\",\n':]', {\"}\":\"}\"}]\na: 1\na: 2", ["a"]),
                ("x: [[1]\n,2]\na: 1\na: 2", ["a"]),
                ("x: {b: {c: 1}\n}\na: 1\na: 2", ["a"]),
                ("x: [ # ]\n]\na: 1\na: 2", ["a"]),
                ("x: [ #\n]\na: 1\na: 2", ["a"]),
                ("x: [ #]\n]", []),
                ("x: [# ]\na: 1\na: 2", ["a"]),
                ("x: [!# ]\na: 1\na: 2", ["a"]),
                ("x: [ # 1\n2, # 3\n4]", []),
                ("x: [ # b", nil),
                ("x: 'a' # b", []),
                ("x: 'a' b", nil),
            ]
        )
    }

    @Test func `statements of TOML end where they end`() {
        expect(
            "toml",
            [
                ("a = 1\n \t", []),
                ("\na = 1\n\na = 2", ["a"]),
                ("a = 1\n\r", []),
                ("a.b = 1\nc.b = 2", []),
                ("[a] # c\n[b]\t\n[a] \n", ["a"]),
                ("[ a . b ]\n[a.b]", ["b"]),
                ("[", nil),
                ("[a", nil),
                ("\"", nil),
                ("\"a", nil),
                ("\"a\nb\" = 1", nil),
                ("'a\tb' = 1", []),
                ("a-b = 1\na-b = 2", ["a-b"]),
                ("a,b = 1", nil),
                ("a = [[1]]\na = 2", ["a"]),
                ("a = {b = {c = 1}}\na = 2", ["a"]),
                ("a = ]b[", nil),
                ("a = }{", nil),
                ("s = \"\"", []),
                ("s = ''\na = 1\na = 2", ["a"]),
                ("s = 'b\\'\na = 1\na = 2", ["a"]),
                ("s = \"\\\\\"\na = 1\na = 2", ["a"]),
                ("s = 'b''c'", []),
                ("a = 'b\nc = 1", nil),
                ("a = 'b\tc'", []),
                ("s = \"\"\"\\\"\"\" = [\"\"\"", []),
                ("s = \"\"\"\"\"b\"\"\"", []),
                ("s = '''b'c'''\na = 1\na = 2", ["a"]),
                ("s = '''b''''\na = 1\na = 2", ["a"]),
            ]
        )
        // No text in UTF-8: the byte stands alone there.
        #expect(KeyedFormat.toml.repeatedKeys(in: [0x80, 0x3D, 0x31]) == nil)
    }

    @Test func `an entry of BibTeX has a kind, and a key of one word before a comma`() {
        let entries: [(String, [String]?)] = [
            ("@a{b<c>#,}", ["b<c>#"]),
            ("@a{b!c,}", ["b!c"]),
            ("  @a \t{ b\t,}", ["b"]),
            ("}\n@a{b,}", ["b"]),
            ("@a{b c,}", []),
            ("@a{b=c,}", []),
            ("@a{b\"c,}", []),
            ("@a{b{c,}}", []),
            ("@a{,}", []),
            ("a{b,}", []),
            ("@#{b,}", []),
            ("@a c{b,}", []),
            ("@a{b,", []),
        ]
        expect("bib", entries.map { (entry, keys) in (entry + "\n" + entry, keys) })
    }

    @Test func `a field of BibTeX is a word before an equals sign and a value`() {
        expect(
            "bib",
            [
                ("@a{k, A=1, a=2, Z=1, z=2, @=1, `=2, [=1, [=2, 1=1, 1=2}", ["a", "z", "[", "1"]),
                ("@a{k, x!=1, x!=2}", ["x!"]),
                ("@a{k, !x=1, !x=2}", ["!x"]),
                ("@a{k, x={\"}, x=1}", ["x"]),
                ("@a{k, x=1 y=1 y=2}", []),
                ("@a{k, =1, =2}", []),
                ("@a{k, x=, x=1}", []),
                ("@a{k, x={", []),
                ("@a{k, x=\"", []),
                ("@a{k, x", []),
            ]
        )
    }

    @Test func `lines of sections are keys, but for comments and blank ones`() {
        expect(
            "ini",
            [
                ("k = 1\n[s]\nk = 1", []),
                ("[s]\nk = 1\n[s] \nk = 1", ["[s]", "k"]),
                ("# c\n; c\nk = 1\n# k", []),
                ("\n \t\nk = 1\r\nk\t= 2\r\n", ["k"]),
                ("!k = 1\n!k = 2", ["!k"]),
                ("\u{b}k = 1", nil),
            ]
        )
    }

    @Test func `longer keys than 256 bytes are not kept`() {
        func text(_ sign: String, _ count: Int) -> String {
            String(repeating: sign, count: count)
        }
        let lengths: [(Int, [String]?)] = [(256, []), (257, nil)]
        for (count, keys) in lengths {
            expect("yaml", [(text("k", count) + ": 1", keys)])
            // As far in as that, too.
            for end in ["a: 1", "[1]"] {
                expect("yaml", [("-" + text(" ", count - 1) + end, keys)])
            }
            expect("toml", [(text("k", count) + " = 1", keys)])
            expect("ini", [(text("k", count) + " = 1", keys), ("[\(text("k", count - 2))]", keys)])
            expect("ini", [(text("k", count - 2) + "[] = 1", keys)])
        }
        for (count, isKept) in [(256, true), (257, false)] {
            // With the comma behind it.
            let entry = "@a{\(text("k", count - 1)),}\n"
            expect("bib", [(entry + entry, isKept ? [text("k", count - 1)] : [])])
            let field = text("x", count)
            expect("bib", [("@a{k, \(field)=1, \(field)=2}", isKept ? [field] : [])])
        }
    }

    @Test func `deeper maps, longer paths and longer kinds are not read`() {
        func maps(_ count: Int) -> String {
            (0..<count).map { String(repeating: " ", count: $0) + "k:\n" }.joined()
        }
        expect("yaml", [(maps(128), []), (maps(129), nil)])
        func path(_ count: Int) -> String {
            Array(repeating: "a", count: count).joined(separator: ".") + " = 1"
        }
        expect("toml", [(path(64), []), (path(65), nil)])
        let kinds: [(Int, [String]?)] = [(64, ["b"]), (65, [])]
        for (count, keys) in kinds {
            let entry = "@" + String(repeating: "a", count: count) + "{b,}\n"
            expect("bib", [(entry + entry, keys)])
        }
    }
}
