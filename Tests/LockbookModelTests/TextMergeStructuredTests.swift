import LockbookModel
import Testing

/// Documents that markers, or a merge that is clean by line, would break.
@Suite struct TextMergeStructuredTests {
    @Test func `two values of JSON changed apart are both taken`() {
        let merge = merged(
            lines("{", "  \"a\": 1,", "  \"b\": 2", "}"),
            lines("{", "  \"a\": 3,", "  \"b\": 2", "}"),
            lines("{", "  \"a\": 1,", "  \"b\": 4", "}"),
            fileExtension: "json"
        )
        #expect(merge == .clean(lines("{", "  \"a\": 3,", "  \"b\": 4", "}")))
    }

    @Test(arguments: ["json", ".JSON", "svg", "xml", "html", "htm"])
    func `a conflict in a format that markers break keeps both copies`(fileExtension: String) {
        let merge = merged("1\n", "2\n", "3\n", fileExtension: fileExtension)
        #expect(merge == .notText)
    }

    @Test func `a format that markers break is known by its content as well`() {
        #expect(merged("[1]", "[2]", "[3]", fileExtension: "") == .notText)
        #expect(merged("<svg/>", "<svg id='a'/>", "<svg id='b'/>", fileExtension: "") == .notText)
        #expect(
            merged("[x](1)", "[x](2)", "[x](3)")
                == .conflicts(1, unended(conflict("[x](2)\n", "[x](3)\n")))
        )
    }

    @Test func `a key added on both sides of JSON keeps both copies`() {
        let merge = merged(
            lines("{", "\"a\": 1,", "\"b\": 2,", "\"c\": 3", "}"),
            lines("{", "\"x\": 1,", "\"a\": 1,", "\"b\": 2,", "\"c\": 3", "}"),
            lines("{", "\"a\": 1,", "\"b\": 2,", "\"\\u0078\": 9,", "\"c\": 3", "}"),
            fileExtension: "json"
        )
        #expect(merge == .notText)
    }

    @Test func `an element of a list that both sides put elsewhere keeps both copies`() {
        func list(_ ids: String) -> String {
            "[\n" + ids.map { "{ \"id\": \"\($0)\", \"x\": 1 }" }.joined(separator: ",\n") + "\n]\n"
        }
        for (one, other) in [("acdebfgh", "acdefgbh"), ("axbcdefgh", "abcdefxgh")] {
            let merge = merged(list("abcdefgh"), list(one), list(other), fileExtension: "json")
            #expect(merge == .notText)
        }
        // What is there twice on one side is the id of nothing.
        let log = merged(list("aabcd"), list("aaabcd"), list("aabcda"), fileExtension: "json")
        #expect(log == .clean(list("aaabcda")))
    }

    @Test func `a key repeated before the merge is no reason to keep both copies`() {
        let merge = merged(
            lines("{", "\"a\": 1,", "\"a\": 2,", "\"b\": 3", "}"),
            lines("{", "\"a\": 0,", "\"a\": 2,", "\"b\": 3", "}"),
            lines("{", "\"a\": 1,", "\"a\": 2,", "\"b\": 4", "}"),
            fileExtension: "json"
        )
        #expect(merge == .clean(lines("{", "\"a\": 0,", "\"a\": 2,", "\"b\": 4", "}")))
    }

    @Test func `JSON that a clean merge would break keeps both copies`() {
        let merge = merged(
            lines("[", "1,", "2,", "3", "]"),
            lines("[", "1,", "2", "]"),
            lines("[", "0,", "1,", "2,", "3", "]"),
            fileExtension: "json"
        )
        #expect(merge == .clean(lines("[", "0,", "1,", "2", "]")))
        let broken = merged(
            lines("[", "[", "1", "]", ",", "2", ",", "3", "]"),
            lines("[", "1", ",", "2", ",", "3", "]"),
            lines("[", "[", "1", ",", "2", "]", ",", "3", "]"),
            fileExtension: "json"
        )
        #expect(broken == .notText)
    }

    @Test func `JSON that was broken before is merged as text if that is clean`() {
        let merge = merged("{\n1\n2\n3\n", "{\n0\n2\n3\n", "{\n1\n2\n4\n", fileExtension: "json")
        #expect(merge == .clean("{\n0\n2\n4\n"))
    }

    @Test func `an id added on both sides of a drawing keeps both copies`() {
        let (a, b, c) = ("<g id=\"a\"/>", "<g id=\"b\"/>", "<g id=\"c\"/>")
        let base = lines("<svg>", a, b, c, "</svg>")
        let local = lines("<svg>", "<g id=\"x\"/>", a, b, c, "</svg>")
        let twice = lines("<svg>", a, b, "<g id='x'/>", c, "</svg>")
        let once = lines("<svg>", a, b, "<g id='y'/>", c, "</svg>")
        #expect(merged(base, local, twice, fileExtension: "svg") == .notText)
        let expected = lines("<svg>", "<g id=\"x\"/>", a, b, "<g id='y'/>", c, "</svg>")
        #expect(merged(base, local, once, fileExtension: "svg") == .clean(expected))
    }

    @Test func `a drawing that a clean merge would break keeps both copies`() {
        let merge = merged(
            lines("<svg>", "<g>", "<a/>", "<b/>", "<c/>", "</g>", "</svg>"),
            lines("<svg>", "<g>", "</g>", "<a/>", "<b/>", "<c/>", "</svg>"),
            lines("<svg>", "<g>", "<a/>", "<h>", "<b/>", "</h>", "<c/>", "</g>", "</svg>"),
            fileExtension: "svg"
        )
        let expected = lines(
            "<svg>",
            "<g>",
            "</g>",
            "<a/>",
            "<h>",
            "<b/>",
            "</h>",
            "<c/>",
            "</svg>"
        )
        #expect(merge == .clean(expected))
        let broken = merged(
            lines("<svg>", "<a>", "1", "2", "3", "</a>", "</svg>"),
            lines("<svg>", "<b>", "1", "2", "3", "</b>", "</svg>"),
            lines("<svg>", "<a>", "1", "</a>", "2", "<a>", "3", "</a>", "</svg>"),
            fileExtension: "svg"
        )
        #expect(broken == .notText)
    }

    @Test(arguments: ["[", "{\"a\":"])
    func `a document nested without end does not overflow the stack`(opening: String) {
        let deep = String(repeating: opening, count: 200_000) + "\n"
        let merge = merged(
            deep + "1\n2\n3\n",
            deep + "0\n2\n3\n",
            deep + "1\n2\n4\n",
            fileExtension: "json"
        )
        #expect(merge == .clean(deep + "0\n2\n4\n"))
    }
}
