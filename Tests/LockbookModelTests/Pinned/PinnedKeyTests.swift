import Testing

@testable import LockbookModel

/// Which keys, properties and ids readers find again in texts put together of pieces.
@Suite struct PinnedKeyTests {
    private static let pieces: [KeyedFormat: [String]] = [
        .toml: [
            "a = 1", "a = 2", "b=\"x\"", "\"a\" = 1", "'a' = 1", "a.b = 1", "a . b = 2",
            "a.\"b\" = 1",
            "[a]", "[a.b]", "[ a . b ]", "[[a]]", "[[a.b]]", "[\"a\"]", "# a = 1", "", "  a = 3",
            "c = [", "  1, # x", "]", "c = [1, {a = 1, a = 2}]", "d = {a = 1, b = 2}", "d = {",
            "e = \"\"\"", "\"\"\"", "e = '''", "'''", "f = \"\\\"a\" # x", "f = 'x", "g = ", "h",
            "= 1", "[a", "[]", "a-b_1 = 1", "é = 1", "x = 1 y = 2", "t = 2026-11-28T10:00:00Z",
            "+++",
        ],
        .yaml: [
            "a: 1", "a: 2", "b:", "b: x", "  a: 1", "  a: 2", "  b: 3", "    a: 1", "- a: 1",
            "- a: 2",
            "  - a: 1", "- - a: 1", "- b", "-", "-a: 1", "\"a\": 1", "'a': 1", "\"a\" : 1", "a : 1",
            "\"a\\n\": 1", "'a", "# a: 1", "a: # 1", "a # b: 1", "a:b: 1", "a:1", "---", "...", "",
            "\ta: 1", "a: |", "a: >-", "  text: x", "a: \"x", "  y\"", "a: 'it''s'", "a: [1, 2",
            "  3]",
            "a: {b: 1, c: \"}\"}", "a: {b: 1", "}", "a: \"b\" c", "a: \"b\" # c", "<<: *x",
            "a: &x 1",
            "a: *x", "a: !t 1", "? a", "%YAML 1.2", "words", "  words", "@x: 1", "a: [\"]\", ']']",
            "a: [# ]", "  ]", "a: \"\\\"", "a: '#'", "é: 1", ": 1", "a: b: c", "[a]: 1", "a: x ]",
        ],
        .ini: [
            "a = 1", "a=2", "b = 1", "a[] = 1", "a[de] = 1", "[s]", "[t]", "[[s]]", "[s", "; x",
            "# x",
            "", "  a = 1", "  b = 2", "    more", "a = x \\", "word", "= 1", "\t[s]", "[a]=1",
            "A = 1",
            "a\t= 3", "\u{b}x = 1",
        ],
        .bib: [
            "@book{a,", "@book{b,", "@Book {a ,", "@article{a, title = {x}, title = {y}}",
            "title = {x},",
            "Title = {y},", "TITLE = \"z\",", "year = 2026,", "month = jan # \" 1\",",
            "note = {a {b} c},",
            "note = \"a {\"} b\",", "note = {a", "b},", "}", "}}", "@comment{a, b}",
            "@string{a = \"x\"}",
            "@preamble{\"x\"}", "text", "", "  @book{a,", "@book{a", "@{a,", "@bo ok{a,",
            "@book{a b,",
            "@book{a=b,", "title {x},", "= {x},", "title = ,", "title = #,", "title = {x} {y},",
            "ti\"tle = {x},", "url = {%},", "@book{", "@book{\"a,", "@book{,",
        ],
        .frontMatter: [
            "---", "---", "---", "+++", "+++", "a: 1", "a: 2", "  a: 1", "a = 1", "a = 2", "[t]",
            "--- ",
            "----", "text", "", "...", "b:", "+++ ", "++++", "- a: 1",
        ],
    ]

    @Test(arguments: [
        (KeyedFormat.toml, "bde5f7a362552b32"), (.yaml, "dbdeb2d55345e617"),
        (.ini, "4f7d63365e7ca49e"), (.bib, "02cbf8db4a630e30"),
        (.frontMatter, "8e54f30f18f9c5f9"),
    ])
    func `keys that are there again`(format: KeyedFormat, pinned: String) {
        var pin = Pin()
        let pieces = Self.pieces[format] ?? []
        forEachText(of: pieces) { text in
            let keys = format.repeatedKeys(in: text)
            pin.add(keys?.count ?? -1)
            for key in keys ?? [] {
                pin.add(key.name)
                pin.add(key.first)
                pin.add(key.again)
            }
        }
        #expect(pin.text == pinned)
    }

    private static let components = [
        "BEGIN:VEVENT", "BEGIN:VEVENT", "END:VEVENT", "END:VEVENT", "BEGIN:VCALENDAR",
        "END:VCALENDAR", "BEGIN:VCARD", "END:VCARD", "BEGIN:VTODO", "END:VTODO", "begin:vevent",
        "UID:1", "UID:2", "uid:3", "DTSTART:1", "DTSTART;TZID=x:2", "SUMMARY:a", "SUMMARY:b",
        "SUMMARY;LANGUAGE=de:c", "DESCRIPTION:a", "DESCRIPTION:b", "N:a", "N;ALTID=1:b", "FN:a",
        "FN:b", "TEL:1", "TEL:2", " more", "\tmore", "", "words", "X-A:1", "X-A:2", "item1.TEL:1",
        "item1.N:1", ":x", "BEGIN:", "END:", "BDAY:1", "BDAY:2", "REV:1", "rev:2", "STATUS:x",
        "STATUS:y", "VERSION:1", "VERSION:2", "RRULE:x", "RRULE:y",
    ]

    private static let markup = [
        "<a id=\"1\">", "<a id=\"1\">", "<a id='2'>", "<b ID=2>", "<b id = 1 >", "<br/>",
        "<!-- <a id=\"1\"> -->", "<!--", "-->", "<script>", "</script>", "<SCRIPT >", "</Script>",
        "<style>", "</style>", "<textarea>", "</textarea>", "<title>", "</title>",
        "<a data-id=\"1\">", "<a x=\">\" id=\"3\">", "<a x='\"' id=3>", "<a id>", "<a id=>",
        "< a id=1>",
        "<a", "id=\"1\"", ">", "</a id=\"1\">", "<!doctype html>", "<?x id=\"1\"?>", "text", "<",
        "&lt;",
        "<a/id=1>", "<a id=\"\">", "<xmp>", "<é id=1>", "<1 id=1>",
    ]

    @Test func `properties of components that are there again`() {
        var pin = Pin()
        forEachText(of: Self.components) { text in
            pin.add(ComponentCheck.repeatedProperties(in: text))
        }
        #expect(pin.text == "8053cab784ce2d41")
    }

    @Test func `ids in HTML that are there again`() {
        var pin = Pin()
        forEachText(of: Self.markup) { text in pin.add(HTMLScan.repeatedIDs(in: text)) }
        #expect(pin.text == "4d02ff86b4b22dc1")
    }

    /// Each pair of pieces in lines of their own, and drawn texts of three to ten.
    private func forEachText(of pieces: [String], _ body: ([UInt8]) -> Void) {
        for one in pieces {
            for other in pieces { body(Array((one + "\n" + other + "\n").utf8)) }
        }
        for seed in 0..<UInt64(5_000) {
            var random = Seeded(seed)
            let lines = (0..<Int.random(in: 3...10, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }
            let ending = seed % 11 == 0 ? "\r\n" : "\n"
            body(Array((lines.joined(separator: ending) + (seed % 5 > 0 ? ending : "")).utf8))
        }
    }
}
