import Testing

@testable import LockbookModel

/// JSON in which one side changed a record that the other one put another one in the place of.
struct TextMergePlacesTests {
    private func record(_ id: String, _ name: String, _ isDone: Bool) -> String {
        """
            {
              \(id),
              "name": "\(name)",
              "city": "Rome",
              "done": \(isDone)
            }
        """
    }

    private func list(_ records: String...) -> String {
        "{\n  \"list\": [\n" + records.joined(separator: ",\n") + "\n  ]\n}\n"
    }

    @Test(arguments: ["id", "ID", "_id", "uid", "uuid", "guid", "key"])
    func `an element of a list gets nothing that was written in the one whose place it took`(
        name: String
    ) {
        let (one, other) = ("\"\(name)\": \"a1\"", "\"\(name)\": \"b2\"")
        let more = record("\"\(name)\": 7", "Cleo", true)
        let base = list(record(one, "Anna", false), more)
        expectConflict(
            base,
            list(record(other, "Bob", false), more),
            list(record(one, "Anna", true), more),
            fileExtension: "json"
        )
        // Who changed another one has the new one beside it.
        let edited = more.replacing("Rome", with: "Oslo")
        expectClean(
            base,
            list(record(other, "Bob", false), more),
            list(record(one, "Anna", false), edited),
            list(record(other, "Bob", false), edited),
            fileExtension: "json"
        )
    }

    @Test func `a member gets nothing that was written in the one whose place it took`() {
        func map(_ key: String, _ value: String) -> String {
            lines("{", "  \"\(key)\": {", "    \"of\": 1,", "    \"to\": \(value)", "  }", "}")
        }
        expectConflict(map("a", "2"), map("b", "2"), map("a", "3"), fileExtension: "json")
        let wide = map("a", "2").replacing("  ", with: "\t")
        expectClean(map("a", "2"), wide, wide, wide, fileExtension: "json")
    }

    @Test func `a line of JSON gets nothing that was written in the one whose place it took`() {
        func line(_ id: Int, _ name: String, _ isDone: Bool) -> String {
            "{\"id\": \(id), \"name\": \"\(name)\", \"city\": \"Rome\", \"done\": \(isDone)}\n"
        }
        expectConflict(
            line(1, "Anna", false),
            line(2, "Anna", false),
            line(1, "Anna", true),
            fileExtension: "jsonl"
        )
    }

    private func areKept(
        _ merged: String,
        _ base: String,
        _ one: String,
        _ other: String,
        isLines: Bool = false
    ) -> Bool {
        let texts = [merged, base, one, other].map { Array($0.utf8) }
        func areKept(_ local: [UInt8], _ remote: [UInt8]) -> Bool {
            JSONPlaces.areKept(
                by: texts[0],
                of: texts[1],
                from: local,
                and: remote,
                isLines: isLines
            )
        }
        let isKept = areKept(texts[2], texts[3])
        #expect(areKept(texts[3], texts[2]) == isKept)
        return isKept
    }

    @Test func `what one side changed is so where it stands, and nowhere else`() {
        let base = #"[{"id":1,"a":1,"b":[1,2]},{"id":2,"a":1}]"#
        let one = #"[{"id":1,"a":2,"b":[1,2]},{"id":2,"a":1}]"#
        let other = #"[{"id":1,"a":1,"b":[1,2,3]},{"id":2,"a":1}]"#
        #expect(areKept(#"[{"id":1,"a":2,"b":[1,2,3]},{"id":2,"a":1}]"#, base, one, other))
        // In another order, with other blanks, letters that are written otherwise.
        #expect(
            areKept(
                "[{\"id\":2,\"\\u0061\":1},{\"b\":[1, 2, 3],\"a\":2,\"id\":1}]",
                base,
                one,
                other
            )
        )
        #expect(!areKept(#"[{"id":1,"a":1,"b":[1,2,3]},{"id":2,"a":2}]"#, base, one, other))
        #expect(!areKept(#"[{"id":1,"a":2,"b":[1,2]},{"id":2,"a":1}]"#, base, one, other))
        #expect(!areKept(#"[{"id":1,"a":2,"b":[1,2,3]}]"#, base, one, other))
        #expect(
            !areKept(#"[{"id":1,"a":2,"b":[1,2,3]},{"id":2,"a":1},{"id":3}]"#, base, one, other)
        )
    }

    @Test func `of a list that nothing tells apart, and of what is there twice, nothing is said`() {
        #expect(areKept("[{\"a\":2},{\"a\":3}]", "[{\"a\":1}]", "[{\"a\":2}]", "[{\"a\":3}]"))
        let twice = "[{\"id\":1,\"a\":1},{\"id\":1,\"a\":1}]"
        let one = "[{\"id\":1,\"a\":2},{\"id\":1,\"a\":1}]"
        let other = "[{\"id\":1,\"a\":1},{\"id\":1,\"a\":2}]"
        #expect(areKept("[{\"id\":1,\"a\":3}]", twice, one, other))
        // But not of what the merge alone has twice.
        let once = "[{\"uid\":1},{\"uid\":2}]"
        #expect(!areKept("[{\"uid\":1},{\"uid\":1}]", once, "[{\"uid\":1}]", once))
        // Nor where one of them is no JSON.
        #expect(areKept("[{\"id\":3}]", "[", "[{\"id\":1}]", "[{\"id\":2}]"))
    }

    @Test func `what both sides changed has to be there, and what one took out goes`() {
        let base = #"{"a":{"x":1},"b":1,"c":[]}"#
        #expect(
            areKept(
                #"{"a":{"x":4},"b":1,"c":[]}"#,
                base,
                #"{"a":{"x":2},"b":1,"c":[]}"#,
                #"{"a":{"x":3},"b":1,"c":[]}"#
            )
        )
        #expect(
            !areKept(
                #"{"a":{},"b":1,"c":[]}"#,
                base,
                #"{"a":{"x":2},"b":1,"c":[]}"#,
                #"{"a":{"x":3},"b":1,"c":[]}"#
            )
        )
        #expect(
            !areKept(
                #"{"a":{"x":2},"b":1,"c":[]}"#,
                base,
                #"{"a":{"x":2},"b":1,"c":[]}"#,
                #"{"b":1,"c":[]}"#
            )
        )
        #expect(
            areKept(
                #"{"b":2,"c":[{"id":1}]}"#,
                base,
                #"{"a":{"x":1},"b":2,"c":[{"id":1}]}"#,
                #"{"b":1,"c":[]}"#
            )
        )
        // A comment, and a comma behind the last value, say nothing.
        #expect(
            areKept(
                "{\"b\":2, // more\n\"c\":[],}",
                base,
                #"{"a":{"x":1},"b":2,"c":[]}"#,
                #"{"b":1,"c":[]}"#
            )
        )
        #expect(
            areKept(
                "{\"id\":1}\n!\n\n{\"id\":2}",
                "!",
                "{\"id\":1}\n!",
                "{\"id\":2}\n",
                isLines: true
            )
        )
        #expect(!areKept("{\"id\":1}\n!", "!", "{\"id\":1}\n!", "{\"id\":2}\n", isLines: true))
    }
}
