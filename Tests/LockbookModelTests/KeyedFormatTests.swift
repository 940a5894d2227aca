import Testing

@testable import LockbookModel

/// What the readers of keys say of a text, and where they say nothing.
struct KeyedFormatTests {
    func repeated(_ text: String, as name: String) -> [String]? {
        KeyedFormat(fileExtension: name).repeatedKeys(in: Array(text.utf8))?.map {
            String(decoding: $0.name, as: UTF8.self)
        }
    }

    @Test(arguments: [
        "a = 1\na = 2", "\"a\" = 1\n'a' = 2", "x.a = 1\nx . a = 2", "[a]\n[a]", "a = 1\n[a]",
        "[x.a]\n[x.b]\n[x.a]", "[[x]]\na = 1\na = 2", "a = [\n1, # ]\n\"]\"]\na = 2",
        "s = \"\"\"\n\\\"\"\"a = 1\"\"\"\"\na = 1\na = 2", "s = '''\na = 1'''\na = 1\na = 1",
        "\ta = 1 # c\r\n\r\na = 2\r\n", "t = {b = 1}\na = 1\na = 2",
        "a.b = 1\n[a]", "a.b = 1\na = 2", "a = 1\na.b = 2", "[x]\na.b = 1\n[x.a]", "a = []\n[[a]]",
        "[a]\n[[a]]", "[[a]]\n[a]", "a = 1\n[a.b]", "a = {}\n[a.b.c]", "[x]\na = 1\n[[x.a.b]]",
        "[[x]]\na = 1\n[x.a.b]", "x.a = 1\n[x.a.b]", "[x.a.b]\n[x]\na = 1", "[a.b]\n[[a]]",
    ])
    func `a key of TOML that is there again`(text: String) {
        #expect(repeated(text, as: "toml") == ["a"])
    }

    @Test(arguments: [
        "", "a = 1", "a = 1\n[x]\na = 1\n[y]\na = 1", "[[x]]\na = 1\n[x.y]\na = 1\n[[x]]\na = 1",
        "[[x]]\n[x.y]\na = 1\n[[x]]\n[x.y]\na = 1", "a.b = 1\na.c = 2", "[a.b]\n[a]",
        "s = \"\"\"\na = 1\na = 2\n\"\"\"", "s = '''\na = 1\na = 2'''", "s = [\n{a = 1},\n{a = 2}]",
        "# a = 1\na = 2", "s = \"\\\"a\"\na = 1", "a.b.c = 1\na.b.d = 2\na.e = 3",
        "[a]\nb.c = 1\n[a.b.d]\ne = 1", "[[a]]\nc = 1\n[[a.b]]\n[[a.b]]\n[[a]]\n[[a.b]]",
        "[x.a.b]\n[x]\nb = 1\n[y]\na = 1", "[[x]]\na = 1\n[[x]]\n[x.a.b]", "a.b = 1\n[a.c]\nd = 1",
    ])
    func `keys of TOML that are there once`(text: String) {
        #expect(repeated(text, as: "toml") == [])
    }

    @Test(arguments: [
        "a", "a = \"", "a = [1", "a = ]", "= 1", "[a", "[[a]", "\"\\u0061\" = 1", "é = 1",
        "a = '''b", "a = 1\n<<<<<<< x", "[a] b",
    ])
    func `nothing is said of what is no TOML`(text: String) {
        #expect(repeated(text, as: "toml") == nil)
    }

    @Test(arguments: [
        "a: 1\na: 2", "'a': 1\n\"a\" : 2", "x:\n  a: 1\n  b:\n  - c\n  a: 2", "- a: 1\n  a: 2",
        "- - a: 1\n    a: 2", "x: |\n  b: 1\n\n  b: 2\na: 1\na: 2",
        "x: [\n  b: 1, \"]\",\n it's]\na: 1\na: 2",
        "x: \"b\n  \\\" c: 1\"\na: 1\na: 2", "x: 'it''s\n  b: 1' # c\na: 1\na: 2",
        "a: 1\nx: some words\n  and more\na: *b", "---\na: 1\n# c\n\na: 2\r\n",
        "x:\n- b: 1\n- b: 2\na: http://a\na:", "a: >-\n  b\na: 1", "x: {a: 1,\n a: 2}",
        "x: [{b: {a: 1, 'a' : 2}}]", "x: some words\n  - and more\n  # b: 1\na: 1\na: 2",
    ])
    func `a key of YAML that is there again`(text: String) {
        #expect(repeated(text, as: "yaml") == ["a"])
    }

    @Test(arguments: [
        "", "a: 1", "- a: 1\n- a: 2", "-\n  a: 1\n-\n  a: 2", "x:\n  a: 1\ny:\n  a: 1\na: 1",
        "a: 1\n---\na: 2", "a: 1\n...\n---\na: 2", "x: |2\n   a: 1\n   a: 2",
        "x: {a: 1, b: {a: 2}, c: [a: 3, a: 4]}", "x: {<<: *a, <<: *b, c: http://a}",
        "x: >\n  a: 1\n\n  a: 2\n", "x: \"\n  a: 1\n  a: 2\"", "x:\n- a: 1\n  b: 2\n- a: 2",
        "<<: *x\n<<: *y", "- |\n a: 1\n a: 2", "x: # a: 1\n  a: 2\na: 3",
    ])
    func `keys of YAML that are there once`(text: String) {
        #expect(repeated(text, as: "yaml") == [])
    }

    @Test(arguments: [
        "a: &b\n  c: 1", "\ta: 1", "x:\n\ta: 1", "? a\n: 1", "a: !b c", "words", "a: 1\nwords",
        "  a: 1\n b: 2", "x:\n    a: 1\n  b: 2", "a: \"b", "a: [b", "a: \"b\" c", "\"a\\tb\": 1",
        "%YAML 1.2\n---\na: 1", "<<<<<<< x\na: 1", "x:\n  'it''s': 1", "&a b: 1",
        "a: 1\n- b", "a: b\n  c: 1", "a: b\n  'c': 1", "- a\n  b: 1", "a: [b]\n  c: 1",
        "a: 'b'\n  c", "a:\n  - b\n c: 1", "a:\n    - b\n  - c", "a:\n- b\n - c: 1",
        "a:\n  - b\n  c: 1", "a: [b, , c]", "a: [, b]", "a: [b}", "a: {b]", "a: ['b' c]",
        "a: [[b] c]", "a: [b [c]]", "a: {b: c: d}", "a: {b: : c}", "a: [\"b\" \"c\"]",
    ])
    func `nothing is said of YAML that is not read`(text: String) {
        #expect(repeated(text, as: "yaml") == nil)
    }

    @Test func `front matter is at the top and has an end`() {
        #expect(repeated("---\na: 1\na: 2\n---\n", as: "md") == ["a"])
        #expect(repeated("--- \r\na: 1\r\na: 2\r\n...", as: "md") == ["a"])
        #expect(repeated("---\na: 1\n---\na: 2\na: 3\n", as: "md") == [])
        for text in ["a: 1\na: 2\n", "---\na: 1\na: 2\n", "\n---\na: 1\na: 2\n---\n", "----\n---"] {
            #expect(repeated(text, as: "md") == nil)
        }
    }

    @Test func `front matter between plus signs is TOML`() {
        #expect(repeated("+++\na = 1\n[b]\na = 2\n[b]\n+++\n", as: "md") == ["b"])
        #expect(repeated("+++ \r\na = 1\r\na = 2\r\n+++", as: "md") == ["a"])
        #expect(repeated("+++\na = 1\n+++\na = 2\na = 3\n", as: "md") == [])
        #expect(repeated("+++\n+++\n", as: "md") == [])
        let twice = "+++\na = 1\na = 2\n"
        for text in [twice, twice + "---\n", "\n" + twice + "+++", "++++\n+++", "+++\na: 1\n+++"] {
            #expect(repeated(text, as: "md") == nil, "\(text)")
        }
    }

    @Test func `sections and entries are read where there is no doubt`() {
        #expect(repeated("; c\n[s]\nk = 1\n[t]\nk = 1\nk=2\n", as: "ini") == ["k"])
        #expect(repeated("[s]\nk = 1\n[t]\n[s]\nk=2\n", as: "ini") == ["[s]", "k"])
        #expect(repeated("k[] = 1\nk[] = 2\nk[de] = 3\nk = 4", as: "ini") == [])
        let indented = "[s]\n\tk = 1\n  ; c\n \n\tl = 2\n\tk = 3\n [t]\n  k = 1\nl = 1\n"
        #expect(repeated(indented, as: "cfg") == ["k"])
        for text in [
            "k\n", "k = 1\n  more\n", "k: 1", "[s\n", "k = 1 \\\n", "= 1", "k = 1\n l = 2",
            "[s]\n k = 1\n  l = 2", " k = 1\n  [s]", "[[s]]", "[s]\n k = 1\n [[t]]\n",
        ] {
            #expect(repeated(text, as: "ini") == nil, "\(text)")
        }
        #expect(repeated("@book{k,\n}\n@Misc { k , year = 1}", as: "bib") == ["k"])
        let comments = "@string{k = 1}\n@comment{k, a}\n@comment{l m, a}\n@string{k = 2}\n"
        #expect(repeated(comments + "@a{b,\n t = {\n@a{b,\n}}}", as: "bib") == [])
    }

    @Test(arguments: [
        "@a{b, x = 1, X = 2}", "@a{b,\n  x = {1},\n  y = {, x = 2},\n  x = \"3\",\n}",
        "@a{b,\r\nx={{1}},\r\ny=\"{\"}, \"#jan # {,} , x=2\r\n}",
        "@a{b, x=1, y=2, x}\n@a{c, x=1,x=2}",
    ])
    func `a field of an entry that is there again`(text: String) {
        #expect(repeated(text, as: "bib") == ["x"])
    }

    @Test(arguments: [
        "@a{b, x = 1}\n@a{c, x = 1}", "@a{b, y = {x = 1, x = 2}}", "@a{b, y = \"1, x = 2, x = 3\"}",
        "@a{b, x = 1}\nx = 2, x = 3", "@a{b, y = x, z = x # x, x = x}", "@string{x = 1, x = 2}",
        // Behind what is no field nothing is one.
        "@a{b, x = 1, y z = 2, x = 2}", "@a{b, x = 1 y, x = 2}", "@a{b, x = \"1}, x = 2",
    ])
    func `fields of entries that are there once`(text: String) {
        #expect(repeated(text, as: "bib") == [])
    }

    @Test(arguments: ["toml", "yaml", "ini", "bib"])
    func `of more keys than anybody writes nothing is said`(name: String) {
        let count = 1 << 18
        let text = (0...count).map { key in
            switch name {
            case "yaml": "k\(key): 1\n"
            case "bib": "@a{k\(key),}\n"
            default: "k\(key) = 1\n"
            }
        }
        #expect(repeated(text.joined(), as: name) == nil)
        #expect(repeated(text.dropLast().joined(), as: name) == [])
    }

    @Test func `of more sections than anybody writes nothing is said`() {
        let text = (0...1 << 18).map { "[k\($0)]\n" }
        #expect(repeated(text.joined(), as: "ini") == nil)
        #expect(repeated(text.dropLast().joined(), as: "ini") == [])
    }

    @Test func `values of YAML in a hundred and more brackets are read, and deeper ones are not`() {
        func nested(_ depth: Int) -> String {
            "a: " + String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(repeated(nested(128) + "\na: 1\n", as: "yaml") == ["a"])
        #expect(repeated(nested(129) + "\na: 1\n", as: "yaml") == nil)
    }
}
