import Testing

@testable import LockbookModel

/// XML that uses what it does not declare, which no reader of it takes.
struct TextMergeXMLDeclarationTests {
    private static let spaces = lines(
        "<svg xmlns=\"s\" xmlns:sodipodi=\"d\">",
        "<g id=\"a\"/>",
        "<rect x=\"1\"/>",
        "<path d=\"M0\"/>",
        "</svg>"
    )

    @Test func `a prefix that one side stops declaring and the other uses keeps both copies`() {
        let local = Self.spaces.replacing(" xmlns:sodipodi=\"d\"", with: "")
        let remote = Self.spaces.replacing("\"M0\"", with: "\"M0\" sodipodi:nodetypes=\"cc\"")
        #expect(merged(Self.spaces, local, remote, fileExtension: "svg") == .notText)
        #expect(merged(Self.spaces, remote, local, fileExtension: "svg") == .notText)
        let other = Self.spaces.replacing("\"M0\"", with: "\"M1\"")
        let both = local.replacing("\"M0\"", with: "\"M1\"")
        #expect(merged(Self.spaces, local, other, fileExtension: "svg") == .clean(both))
    }

    @Test func `a prefix that was never declared is no reason to keep both copies`() {
        let base = lines("<p>", "<a x:b=\"1\"/>", "<c/>", "<d/>", "<e/>", "</p>")
        let local = base.replacing("\"1\"", with: "\"2\"")
        let remote = base.replacing("<e/>", with: "<e x:f=\"3\"/>")
        let both = local.replacing("<e/>", with: "<e x:f=\"3\"/>")
        #expect(merged(base, local, remote, fileExtension: "xml") == .clean(both))
    }

    @Test(arguments: ["", " PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"http://w3.org/svg11.dtd\""])
    func `an entity that one side stops declaring and the other uses keeps both copies`(
        outside: String
    ) {
        let entity = "<!ENTITY ns_ai \"http://ns.adobe.com/ai/\">\n"
        let base = lines(
            "<!DOCTYPE svg\(outside) [",
            entity + "<!ENTITY ns_svg \"s\">",
            "]>",
            "<svg>",
            "<g id=\"a\"/>",
            "<g id=\"b\"/>",
            "</svg>"
        )
        let local = base.replacing(entity, with: "")
        let remote = base.replacing("<g id=\"b\"/>", with: "<g id=\"b\" i=\"&ns_ai;\"/>")
        #expect(merged(base, local, remote, fileExtension: "svg") == .notText)
    }

    @Test func `an entity that stands in no document type of either side is taken`() {
        let base = lines("<html>", "<p>a</p>", "<p>b</p>", "<p>c</p>", "</html>")
        let local = base.replacing("<p>a", with: "<p>a&nbsp;1")
        let remote = base.replacing("<p>c", with: "<p>c&auml;")
        let both = local.replacing("<p>c", with: "<p>c&auml;")
        #expect(merged(base, local, remote, fileExtension: "html") == .clean(both))
    }

    @Test(arguments: [
        ("<a:b xmlns:a='1'><a:c/></a:b>", [] as [StructuredFault]),
        ("<b xml:lang='en' xmlns='1' xmlns:a='2'><c a:d='1'/></b>", []),
        ("<b><c xmlns:a='1'><a:d/></c><c a:e='1'/></b>", [.unknownPrefix([0x61])]),
        ("<b><c xmlns:a='1'/><a:c/></b>", [.unknownPrefix([0x61])]),
        ("<b xmlns:a='1'><c xmlns:a='2'/><a:c/></b>", []),
        ("<!DOCTYPE b [<!ENTITY e 'x'>]><b c='&e;'>&amp;&#65;&e;</b>", []),
        ("<!DOCTYPE b [<!-- <!ENTITY e 'x'> -->]><b>&e;&e;</b>", [.unknownEntity([0x65])]),
        ("<b c='&e;'/>", [.unknownEntity([0x65])]),
    ])
    func `what is used and not declared counts once`(text: String, faults: [StructuredFault]) {
        let wanted = Dictionary(uniqueKeysWithValues: faults.map { ($0, 1) })
        #expect(XMLCheck.faults(in: Array(text.utf8)) == wanted)
    }
}
