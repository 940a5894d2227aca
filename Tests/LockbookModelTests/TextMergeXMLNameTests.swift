import Testing

@testable import LockbookModel

/// Formats of XML told by their names, and ids that are written in several ways.
struct TextMergeXMLNameTests {
    @Test(arguments: ["drawio", ".gpx", "KML", "fodt", "rss", "xspf", "fb2", "opml"])
    func `a document of a format of XML gets no markers, though it begins with an element`(
        name: String
    ) {
        #expect(merged("<a>1</a>\n", "<a>2</a>\n", "<a>3</a>\n", fileExtension: name) == .notText)
    }

    @Test(arguments: [
        ("mm", "<map version=\"1\"><node TEXT=\"", "\"/></map>\n"),
        ("xsl", "<xsl:a>", "</xsl:b>\n"),
        (".XSLT", "<xsl:a>", "</xsl:b>\n"),
        ("atom", "<?xml version='1.0'?>\n<a>", "</b>\n"),
        ("md", "<!DOCTYPE html>\n<p>", "</p>\n"),
        ("", "\n<a:b>", "</a:b>\n<!-- c -->\n"),
        ("jsonc", "// c\n[\"", "\"]\n"),
        ("code-workspace", "{\n // c\n \"a\": \"", "\",\n}\n"),
        ("json5", "{a: '", "'}\n"),
        ("jsonl", "{\"a\": \"", "\"}\n{\"b\": 1}\n"),
        ("ndjson", "[\"", "\"]\n"),
        ("ics", "BEGIN:VCALENDAR\r\nSUMMARY:", "\r\nEND:VCALENDAR\r\n"),
        ("vcf", "BEGIN:VCARD\nFN:", "\nEND:VCARD\n"),
    ])
    func `what markers break gets none`(name: String, before: String, after: String) {
        let texts = ["one", "two", "three"].map { before + $0 + after }
        #expect(merged(texts[0], texts[1], texts[2], fileExtension: name) == .notText)
    }

    @Test(arguments: [
        ("md", "<details>", "\n\ntext\n"),
        ("md", "<!-- c -->\n", "\n"),
        ("md", "<p>a</p>\n\n", "\n"),
        ("txt", "<alice> ", "\n"),
        ("", "<<", "\n"),
        ("mm", "#import <a.h>\n", "\n"),
        ("yaml", "a: ", "\n"),
    ])
    func `a text that only begins as XML has markers`(name: String, before: String, after: String) {
        let texts = ["one", "two", "three"].map { before + $0 + after }
        guard case .conflicts(1, _) = merged(texts[0], texts[1], texts[2], fileExtension: name)
        else {
            Issue.record("no markers in \(texts)")
            return
        }
    }

    @Test func `a line of JSON that a clean merge would break keeps both copies`() {
        let base = lines("{\"a\": 1, \"b\": 2}", "{\"c\": 3}", "{\"d\": 4}")
        let local = base.replacing("{\"a\": 1", with: "{\"x\": 0, \"a\": 1")
        let remote = base.replacing("2}", with: "2, \"x\": 5}")
        #expect(merged(base, local, remote, fileExtension: "jsonl") == .notText)
        let other = base.replacing("4}", with: "5}")
        let both = local.replacing("4}", with: "5}")
        #expect(merged(base, local, other, fileExtension: "jsonl") == .clean(both))
    }

    @Test func `a format is told by what stands behind blanks`() {
        let texts: [(String, StructuredFormat?)] = [
            (" <?xml version='1.0'?>", .xml), ("\n<svg", .xml), (" <p>a</p>", .xml),
            (" {}", .json), ("\t[1]", .json), ("!<?xml version='1.0'?>", nil), ("!<svg>", nil),
            ("!<p>a</p>", nil), ("![1]", nil), ("1", nil), ("", nil),
        ]
        for (text, format) in texts {
            let bytes = Array(text.utf8)
            func told(_ local: [UInt8], _ remote: [UInt8]) -> StructuredFormat? {
                StructuredFormat(fileExtension: "md", local: local, remote: remote)
            }
            #expect(told(bytes, bytes) == format, "\(text)")
            // Both sides have to be of it.
            #expect(told(bytes, [0x61]) == nil && told([0x61], bytes) == nil, "\(text)")
        }
    }

    @Test func `lines of JSON may have blank ones between them, and no others`() {
        func accepts(_ text: String) -> Bool {
            StructuredFormat.jsonLines.accepts(Array(text.utf8), of: [], from: [0x31], and: [0x32])
        }
        #expect(accepts("1\n2\n") && accepts("1\n\n2") && accepts("1\n \n\t\r\n2") && accepts(""))
        #expect(!accepts("1\n!\n2") && !accepts("!") && !accepts("1 2") && !accepts("a\n"))
    }

    @Test func `beside a line that is no JSON on one side, no other one repeats a key`() {
        func accepts(_ text: String, from local: String, _ remote: String) -> Bool {
            let texts = [text, local, remote].map { Array($0.utf8) }
            let (mine, theirs) = (texts[1], texts[2])
            return StructuredFormat.jsonLines.accepts(texts[0], of: [], from: mine, and: theirs)
        }
        let (once, twice) = ("{\"a\":1}\n", "{\"a\":1,\"a\":2}\n")
        for (local, remote) in [("!\n", "!\n"), ("!\n", "1\n"), ("1\n", "!\n")] {
            #expect(accepts("!\n" + once, from: local, remote))
            #expect(!accepts("!\n" + twice, from: local, remote))
            #expect(accepts("!\n" + twice, from: local + twice, remote))
        }
    }

    @Test(arguments: ["&#110;", "&#x6e;", "&#x6E;", "&#0110;"])
    func `an id is repeated, too, where a reference stands for its character`(id: String) {
        let text = "<a><b id=\"n\"/><b id=\"\(id)\"/></a>"
        let wanted = StructuredFault.all([Array("n".utf8): 1])
        #expect(XMLCheck.faults(in: Array(text.utf8)) == wanted)
    }

    @Test func `what is no character's reference stays in an id`() {
        for id in ["&other;", "&#1114112;", "&#xD800;"] {
            let text =
                "<!DOCTYPE a [<!ENTITY other 'x'>]><a><b id=\"x\"/><b id=\"\(id)\"/></a>"
            #expect(XMLCheck.faults(in: Array(text.utf8)) == [:])
        }
        let zeros = String(repeating: "0", count: 11)
        let values: [(String, String)] = [
            ("a&amp;#110;&lt;b&", "a&#110;<b&"), ("&lt;&gt;&quot;&apos;&amp;", "<>\"'&"),
            ("&#65;&#x41;", "AA"), ("#65;", "#65;"), ("a#65;", "a#65;"), ("a amp;", "a amp;"),
            ("&x41;", "&x41;"), ("&65;", "&65;"), ("&;", "&;"), ("&", "&"), ("", ""),
            // Seventeen bytes are more than any number needs.
            ("&#x\(zeros)6e;", "n"), ("&#x0\(zeros)6e;", "&#x0\(zeros)6e;"),
        ]
        for (value, text) in values {
            #expect(XMLCheck.resolved(Array(value.utf8)[...]) == Array(text.utf8), "\(value)")
        }
    }
}
