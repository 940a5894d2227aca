import Testing

@testable import lockbook

@Suite struct PrintableTests {
    @Test(
        arguments: [
            ("plain name.md", "plain name.md"),
            ("z\u{e9} \u{1f642} \u{65e5}", "z\u{e9} \u{1f642} \u{65e5}"),
            ("red\u{1b}[31m", "red\\u001b[31m"),
            ("line\nline\ttab\r", "line\\u000aline\\u0009tab\\u000d"),
            ("gpj.\u{202e}exe", "gpj.\\u202eexe"),
            ("a\u{200b}b\u{feff}", "a\\u200bb\\ufeff"),
            ("c1\u{9b}31m\u{7f}", "c1\\u009b31m\\u007f"),
            ("tag\u{e0041}", "tag\\udb40\\udc41"),
            // England, Scotland and Wales; other codes, cut off ones and what is more are hidden words.
            (
                "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}.md",
                "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}.md"
            ),
            (
                "a\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}\u{1f642}",
                "a\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}\u{1f642}"
            ),
            (
                "\u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}\u{e0067}",
                "\u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}\\udb40\\udc67"
            ),
            ("\u{1f3f4}\u{e0061}\u{e007f}", "\u{1f3f4}\\udb40\\udc61\\udb40\\udc7f"),
            ("\u{1f3f4}\u{e0067}\u{e0062}", "\u{1f3f4}\\udb40\\udc67\\udb40\\udc62"),
            ("\u{1f3f3}\u{e0067}", "\u{1f3f3}\\udb40\\udc67"),
            ("\u{2801}\u{2800}\u{28ff}", "\u{2801}\\u2800\u{28ff}"),
            ("\u{3164}\u{115f}\u{1160}\u{ffa0}", "\\u3164\\u115f\\u1160\\uffa0"),
            ("\u{2066}\u{2069}\u{61c}", "\\u2066\\u2069\\u061c"),
            (
                "\u{1f469}\u{1f3fd}\u{200d}\u{1f680} \u{2764}\u{fe0f}\u{200d}\u{1f525}",
                "\u{1f469}\u{1f3fd}\u{200d}\u{1f680} \u{2764}\u{fe0f}\u{200d}\u{1f525}"
            ),
            (
                "\u{645}\u{6cc}\u{200c}\u{62e} \u{915}\u{94d}\u{200d}\u{937}",
                "\u{645}\u{6cc}\u{200c}\u{62e} \u{915}\u{94d}\u{200d}\u{937}"
            ),
            ("a\u{200d}b \u{e9}\u{200c}\u{e9}", "a\\u200db \u{e9}\\u200c\u{e9}"),
            ("\u{1f469}\u{200d}\u{200d}\u{1f680}", "\u{1f469}\\u200d\\u200d\u{1f680}"),
            ("\u{200d}\u{1f680}\u{200d}", "\\u200d\u{1f680}\\u200d"),
            ("1\u{200d}2 \u{1f680}\u{200d}2", "1\\u200d2 \u{1f680}\\u200d2"),
            (
                "\u{2764}\u{fe0f} \u{260e}\u{fe0e} 1\u{fe0f}\u{20e3}",
                "\u{2764}\u{fe0f} \u{260e}\u{fe0e} 1\u{fe0f}\u{20e3}"
            ),
            ("a\u{fe0f} 1\u{fe0f} \u{fe0f}", "a\\ufe0f 1\\ufe0f \\ufe0f"),
            ("\u{2764}\u{fe0f}\u{fe0f}", "\u{2764}\u{fe0f}\\ufe0f"),
            ("\u{2764}\u{fe00}", "\u{2764}\\ufe00"),
            ("\u{16fe4}\u{1d159}", "\\ud81b\\udfe4\\ud834\\udd59"),
        ]
    )
    func `what a terminal would act on is made visible`(text: String, shown: String) {
        #expect(printable(text) == shown)
    }

    @Test(arguments: [
        ("/a b /c.md", "/a b /c.md"), ("/a.md\u{a0}", "/a.md\\u00a0"),
        ("/\u{a0}a\u{a0}b", "/\\u00a0a\\u00a0b"),
        ("3.45\u{202f}PM", "3.45\\u202fPM"),
        ("\u{1680}\u{2000}\u{2007}\u{200a}\u{205f}", "\\u1680\\u2000\\u2007\\u200a\\u205f"),
        ("/\u{65e5}\u{3000}\u{8a18}", "/\u{65e5}\u{3000}\u{8a18}"),
        (
            "/\u{3000}\u{65e5}\u{3000}/\u{8a18}\u{3000}\u{3000}",
            "/\\u3000\u{65e5}\\u3000/\u{8a18}\u{3000}\\u3000"
        ),
    ])
    func `a blank that looks like a space is made visible`(name: String, shown: String) {
        #expect(printable(name) == shown)
        // Who typed it elsewhere finds the name by completion.
        #expect(!isDeceptive(name))
        // In a note it is typography.
        #expect(printable(Array(name.utf8)[...]) == name)
    }

    @Test func `what is drawn as nothing is shown, and not completed`() {
        let drawnAsNothing: [UInt32] = [0x2800, 0x16fe4, 0x1d159]
        for value in 0x80...UInt32(0x10ffff) {
            guard let scalar = Unicode.Scalar(value),
                scalar.properties.isDefaultIgnorableCodePoint || drawnAsNothing.contains(value)
            else { continue }
            var name = "a".unicodeScalars
            name.append(scalar)
            name.append("b")
            let isShown = printable(String(name)).utf8.allSatisfy { $0 < 0x80 }
            #expect(isShown && isDeceptive(String(name)), "U+\(String(value, radix: 16))")
        }
        #expect(!isDeceptive("\u{2764}\u{fe0f} \u{1f3f3}\u{fe0f}\u{200d}\u{1f308}.md"))
        let wales = "\u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}"
        #expect(!isDeceptive("/\(wales) \(wales).md"))
        #expect(isDeceptive(String(wales.unicodeScalars.dropLast())))
        #expect(isDeceptive(wales + "\u{e0061}"))
    }

    /// Whole, and cut into every two pieces.
    @Test(
        arguments: [
            ("# Title\n\tab\r\nline", "# Title\n\tab\r\nline"),
            (
                "z\u{e9} \u{1f469}\u{200d}\u{1f680} \u{5d0}\u{200f}",
                "z\u{e9} \u{1f469}\u{200d}\u{1f680} \u{5d0}\u{200f}"
            ),
            ("\u{1b}]52;c;AAAA\u{7}", "\\u001b]52;c;AAAA\\u0007"),
            ("over\rwritten\r\r\n", "over\\u000dwritten\\u000d\r\n"), ("\r", "\\u000d"),
            ("c1\u{9b}31m\u{7f}\u{0}", "c1\\u009b31m\\u007f\\u0000"), ("", ""),
        ]
    )
    func `of a note a terminal gets no controls`(text: String, shown: String) {
        for cut in 0...text.utf8.count {
            var output = ShownBytes()
            var bytes = output.take(Array(text.utf8.prefix(cut)))
            bytes += output.take(Array(text.utf8.dropFirst(cut)))
            bytes += output.end()
            #expect(bytes == Array(shown.utf8))
        }
    }

    @Test func `what is no text keeps nothing that a terminal would act on`() {
        var output = ShownBytes()
        let bytes = output.take([0x9b, 0x41, 0xc2, 0x1b, 0xf0, 0x9f]) + output.end()
        #expect(
            String(decoding: bytes, as: UTF8.self) == "\u{fffd}A\u{fffd}\\u001b\u{fffd}"
        )
        #expect(output.take(Array(0...255)).allSatisfy { $0 == 0x9 || $0 == 0xa || $0 >= 0x20 })
    }

    @Test(
        arguments: [
            (UInt64(0), "0 B"), (999, "999 B"), (1000, "1.0 kB"), (999_949, "999.9 kB"),
            (999_950, "1.0 MB"), (12_345_678, "12.3 MB"), (.max, "18.4 EB"),
        ]
    )
    func `a size is told in the unit that fits`(bytes: UInt64, text: String) {
        #expect(byteCount(bytes) == text)
    }
}
