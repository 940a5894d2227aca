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
            ("\u{2066}\u{2069}\u{61c}", "\\u2066\\u2069\\u061c"),
        ]
    )
    func `what a terminal would act on is made visible`(text: String, shown: String) {
        #expect(printable(text) == shown)
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

    @Test(arguments: [
        ("list", "lst", 1), ("sync", "snyc", 1), ("move", "remove", 2), ("", "ab", 2),
    ])
    func `words are as far apart as keys were missed`(left: String, right: String, distance: Int) {
        #expect(editDistance(Array(left.utf8), Array(right.utf8)) == distance)
    }
}
