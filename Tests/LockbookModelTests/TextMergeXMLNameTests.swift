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

    @Test(arguments: ["&#110;", "&#x6e;", "&#x6E;", "&#0110;"])
    func `an id is repeated, too, where a reference stands for its character`(id: String) {
        let text = "<a><b id=\"n\"/><b id=\"\(id)\"/></a>"
        #expect(XMLCheck.repeatedIDs(in: Array(text.utf8)) == [Array("n".utf8): 1])
    }

    @Test func `what is no character's reference stays in an id`() {
        for id in ["&other;", "&#1114112;", "&#xD800;"] {
            let text = "<a><b id=\"x\"/><b id=\"\(id)\"/></a>"
            #expect(XMLCheck.repeatedIDs(in: Array(text.utf8)) == [:])
        }
        #expect(XMLCheck.resolved(Array("a&amp;#110;&lt;b&".utf8)[...]) == Array("a&#110;<b&".utf8))
    }
}
