import Testing

@testable import LockbookModel

/// Records that both sides added at one place of a document that has no markers.
struct TextMergeJoinedTests {
    /// Merges both ways round; nil where both copies are kept.
    private func expect(
        _ fileExtension: String,
        _ base: String,
        _ one: String,
        _ other: String,
        _ taken: String?,
        _ place: SourceLocation = #_sourceLocation
    ) {
        let merge = taken.map(Merged.clean) ?? .notText
        for (mine, theirs) in [(one, other), (other, one)] {
            let got = merged(base, mine, theirs, fileExtension: fileExtension)
            #expect(got == merge, sourceLocation: place)
        }
    }

    private func object(_ keys: String...) -> String {
        "{\n" + keys.map { "  \($0)" }.joined(separator: ",\n") + "\n}\n"
    }

    private func list(_ values: String...) -> String {
        "[\n" + values.map { "  \($0)" }.joined(separator: ",\n") + "\n]\n"
    }

    @Test func `keys behind the last one, and in between`() {
        let (a, b, c) = ("\"a\": 1", "\"b\": 2", "\"c\": {\n    \"d\": 3\n  }")
        expect("json", object(a), object(a, b), object(a, c), object(a, b, c))
        expect("json", object(a), object(b, a), object(c, a), object(b, c, a))
        // Of one key there is one value.
        expect("json", object(a), object(a, b), object(a, "\"b\": 3"), nil)
        expect("json", object(a), object(a, b), object(a, c, "\"b\": 3"), nil)
    }

    @Test func `values of a list, unless both have one of them`() {
        expect("json", list("1"), list("1", "2"), list("1", "3", "4"), list("1", "2", "3", "4"))
        expect("json", list("1"), list("1", "2", "3"), list("1", "4", "3"), nil)
        expect("json", list("1", "2"), list("1", "3"), list("1", "4"), nil)
        // Put elsewhere, and changed.
        expect("json", list("1", "2", "3"), list("2", "3", "10"), list("2", "3", "11"), nil)
    }

    @Test func `objects of several lines are alike in what is within them`() {
        func note(_ text: String) -> String {
            "{\n    \"kind\": 1,\n    \"text\": \"\(text)\"\n  }"
        }
        expect(
            "json",
            list(note("a")),
            list(note("a"), note("b")),
            list(note("a"), note("c")),
            list(note("a"), note("b"), note("c"))
        )
    }

    @Test func `lines that each are JSON`() {
        let (a, b, c) = ("{\"t\":1}\n", "{\"t\":2}\n", "{\"t\":3}\n")
        expect("jsonl", a, a + c, a + b, a + b + c)
        expect("jsonl", a, a + b + c, a + c + b, nil)
    }

    @Test func `nodes of a canvas, also beside one that a side moved`() {
        func canvas(_ nodes: [(String, Int)]) -> String {
            "{\n\t\"nodes\":[\n"
                + nodes.map { "\t\t{\"id\":\"\($0)\",\"x\":\($1)}" }.joined(separator: ",\n")
                + "\n\t],\n\t\"edges\":[]\n}\n"
        }
        expect(
            "canvas",
            canvas([("a", 1), ("b", 1)]),
            canvas([("a", 2), ("b", 1), ("c", 1)]),
            canvas([("a", 1), ("b", 1), ("d", 1)]),
            canvas([("a", 2), ("b", 1), ("c", 1), ("d", 1)])
        )
        expect(
            "canvas",
            canvas([("a", 1)]),
            canvas([("a", 1), ("c", 1)]),
            canvas([("a", 1), ("c", 2)]),
            nil
        )
    }

    @Test func `values that both sides put in the place of one stay in two copies`() {
        func canvas(_ value: String) -> String {
            "{\n\"nodes\":[\n\(value)\n],\n\"edges\":[]\n}\n"
        }
        // Both also made that line end as the others do.
        expect("canvas", canvas("1\r"), canvas("2"), canvas("3"), nil)
    }

    @Test func `contacts and appointments, but not what is in one`() {
        func card(_ name: String, _ more: String = "") -> String {
            "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:\(name)\r\n\(more)END:VCARD\r\n"
        }
        let (a, b, c) = (card("a"), card("b"), card("c"))
        expect("vcf", a, a + b, a + c, a + b + c)
        expect("vcf", a, card("a", "TEL:1\r\n"), card("a", "TEL:2\r\n"), nil)
        expect(
            "vcf",
            a + b + c,
            b + c + card("a", "TEL:1\r\n"),
            b + c + card("a", "TEL:2\r\n"),
            nil
        )
    }

    @Test func `elements of XML stay in two copies`() {
        expect("svg", "<svg>\n</svg>\n", "<svg>\n<a/>\n</svg>\n", "<svg>\n<b/>\n</svg>\n", nil)
    }
}
