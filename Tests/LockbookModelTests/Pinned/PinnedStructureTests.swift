import Testing

@testable import LockbookModel

/// Which texts are JSON or XML, what is repeated in them, and what merges of them give.
@Suite struct PinnedStructureTests {
    @Test(arguments: [(DrawnTree.Format.json, "0e6286c8a6867196"), (.svg, "f92c6ee728b76a7d")])
    func `drawn structured texts`(format: DrawnTree.Format, pinned: String) {
        var pin = Pin()
        for seed in 0..<UInt64(500) {
            var random = Seeded(seed)
            let base = DrawnTree(format, size: 8, using: &random)
            var (local, remote) = (base, base)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                local.edit("l", using: &random)
                remote.edit("r", using: &random)
            }
            let texts = [base, local, remote].map { tree in
                var bytes = Array(tree.text().utf8)
                if Int.random(in: 0..<3, using: &random) == 0 { Self.damage(&bytes, &random) }
                if Int.random(in: 0..<9, using: &random) == 0 {
                    bytes = [0xEF, 0xBB, 0xBF] + bytes
                }
                return bytes
            }
            let names = ["json", ".SVG", "txt", "", "html", "ipynb", "md"]
            pin.add(
                TextMerge.merge(
                    base: texts[0],
                    local: texts[1],
                    remote: texts[2],
                    labels: MergeLabels(local: "alice", remote: "bob"),
                    fileExtension: names[Int(seed) % names.count]
                )
            )
            for text in texts {
                pin.add(JSONCheck.repeatedKeys(in: text))
                pin.add(XMLCheck.faults(in: text)?.repeated)
            }
        }
        #expect(pin.text == pinned)
    }

    /// Puts something in a place of a structured text that may or may not be allowed there.
    private static func damage(_ bytes: inout [UInt8], _ random: inout Seeded) {
        let pieces = [
            "\"", "\\", "\\u00e9", "\\u12", "\\ud83d\\ude00", "\\ud83d", "{", "}", "[", "]", ",",
            ":", "1", "-0.5e+3", "01",
            "true", "nul", " ", "\n", "<", ">", "&", "&amp;", "&#x41;", "<!-- -->", "<!--",
            "<![CDATA[x]]>", "/", "</g>",
            "<g>", "id=\"b1\"", "id='b1'", " xml:id=\"b2\" ", "<?x?>", "\"b2\": 1,", "\u{1}", "é",
        ]
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            let at = Int.random(in: 0...bytes.count, using: &random)
            if Int.random(in: 0..<4, using: &random) == 0 {
                bytes.removeSubrange(at..<min(at + 1, bytes.count))
            } else {
                bytes.insert(
                    contentsOf: Array((pieces.randomElement(using: &random) ?? "").utf8),
                    at: at
                )
            }
        }
    }

    private static let json = [
        "{", "{", "}", "}", "[", "]", ",", ",", ":", ":", "\"a\":", "\"b\":", "\"\\u0061\":",
        "\"\\ud83d\\ude00\":",
        "\"😀\":", "\"\\ud83d\":", "\"\\ud83d\\ud83d\":", "\"\\udfff\":", "\"\\ue000\":",
        "\"\\ud7ff\":", "\"\\u0061\\udc00\":", "\"\\ue000\\udc00\":", "\"\\udc00\":",
        "\"\\ud800\\udc00\":", "\"\\ud800\\u0061\":", "\"\\udbff\\udfff\":", "\"\\ud800\\ue000\":",
        "\"\\ud800\\udbff\":",
        "\"\\n\\t\\r\\b\\f\\/\\\\\\\"\":", "\"\\x\"", "\"\u{1f}\"", "\"\u{20}\"", "\"", "1", "0",
        "-0", "-", "01", "1.5",
        "1.", "2e3", "2E+3", "2e-3", "2e", "9", "true", "false", "null", "tru", "nul", " ", "\t",
        "\r\n", "\u{c}",
    ]
    private static let xml = [
        "<a>", "<a>", "<a>", "</a>", "</a>", "</a>", "<b/>", "<b />", "< b/>", "</a >",
        "<a id=\"1\">", "<b id='1'/>",
        "<b xml:id = \"2\" id=\"2\"/>", "<b id='1' id='2'/>", "<b id/>", "<b id=1/>", "<b c='<'/>",
        "<b c='&lt;'/>",
        "<b c='&'/>", "<b c='d'e='f'/>", "<b\n\tc\r=\"'\"/>", "<b Id='1'/>", "<!-- c -->",
        "<!---->", "<!-- a -- b -->", "<!--",
        "-->", "<![CDATA[<x>]]>", "<![CDATA[", "]]>", "]]", ">", "<!DOCTYPE a>",
        "<!DOCTYPE a [<!ENTITY b \"<\"> <!-- > -->]>",
        "<!DOCTYPE a '>' \">\">", "<?xml version='1.0'?>", "<??>", "<?x", "&amp;", "&#65;",
        "&#xAf;", "&#xg;", "&#A;", "&#;",
        "& ", "&é.-1;", "&-;", "text", " ", "\n", "\u{1}", "é", "<é/>", "<_:x.-9/>", "<9/>", "<Z/>",
        "<[/>", "<{/>", "<z/>",
        "<a", "/>", "\u{feff}",
    ]

    @Test(arguments: [(DrawnTree.Format.json, "60998164e649eb0f"), (.svg, "8a562c56b73ab34b")])
    func `texts put together of pieces`(format: DrawnTree.Format, pinned: String) {
        var pin = Pin()
        let pieces = format == .json ? Self.json : Self.xml
        func add(_ text: String) {
            let bytes = Array(text.utf8)
            pin.add(
                format == .json
                    ? JSONCheck.repeatedKeys(in: bytes) : XMLCheck.faults(in: bytes)?.repeated
            )
        }
        for piece in pieces {
            add(piece)
            for text in [
                "[\(piece)]", "{\(piece)1}", "{\"a\":1,\(piece)2}", "[1,\(piece)", "\(piece)1",
            ]
            where format == .json { add(text) }
            for text in [
                "<a>\(piece)</a>", "\(piece)<a/>", "<a/>\(piece)", "<a \(piece)/>",
                "<!DOCTYPE \(piece)><a/>",
            ]
            where format == .svg { add(text) }
            for other in pieces {
                let both = piece + other
                if format == .json {
                    add("{\(piece)1,\(other)1}")
                    add("[\(both)]")
                } else {
                    add("<a>\(both)</a>")
                    add("\(piece)<a/>\(other)")
                    add("<!DOCTYPE \(both)><a/>")
                }
            }
        }
        for seed in 0..<UInt64(6_000) {
            var random = Seeded(seed)
            let inside = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }
            add(format == .json ? "[\(inside.joined())]" : "<a>\(inside.joined())</a>")
        }
        #expect(pin.text == pinned)
    }

    @Test func `texts may be 65536 deep`() {
        let limit = 65_536
        for (depth, isOne) in [(limit, true), (limit + 1, false)] {
            let inner = depth - 1
            let json =
                String(repeating: "[", count: inner) + "{\"a\": 1}"
                + String(repeating: "]", count: inner)
            #expect((JSONCheck.repeatedKeys(in: Array(json.utf8)) != nil) == isOne)
            let xml =
                String(repeating: "<a>", count: inner) + "<b/>"
                + String(repeating: "</a>", count: inner)
            #expect((XMLCheck.faults(in: Array(xml.utf8)) != nil) == isOne)
        }
    }
}

extension [StructuredFault: Int] {
    /// How often each id comes again, which is all that is pinned of the faults.
    fileprivate var repeated: [[UInt8]: Int] {
        var repeated: [[UInt8]: Int] = [:]
        for case (.repeated(let id), let count) in self { repeated[id] = count }
        return repeated
    }
}
