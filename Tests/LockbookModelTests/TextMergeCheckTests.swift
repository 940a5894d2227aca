import Testing

@testable import LockbookModel

/// The two readers that judge merged documents.
@Suite struct TextMergeCheckTests {
    @Test(arguments: [
        "null", " [] ", "{}", "[1,-0.5e+3,true,false,\"\\u00e9\\n\"]", "{\"a\":{\"b\":[{}]}}", "0",
        "\"\\ud83d\\ude00 \\ud83d\"",
    ])
    func `strict JSON parses`(text: String) {
        #expect(JSONCheck.repeatedKeys(in: Array(text.utf8)) == [:])
    }

    @Test(arguments: [
        "", "[", "]", "[1,]", "{\"a\":1,}", "{a:1}", "[1 2]", "01", "1.", "-", "+1", "nul",
        "\"\n\"",
        "\"\\x\"", "\"\\u12\"", "{} {}", "[1}", "{\"a\"}", "//\n1", "'a'", "{,}",
    ])
    func `what is not strict JSON does not parse`(text: String) {
        #expect(JSONCheck.repeatedKeys(in: Array(text.utf8)) == nil)
    }

    @Test func `keys repeated in one object are counted and those of others are not`() {
        let text = "{\"a\":{\"a\":1,\"b\":2},\"b\":1,\"\\u0061\":[{\"b\":1},{\"b\":1}],\"a\":0}"
        #expect(JSONCheck.repeatedKeys(in: Array(text.utf8)) == [Array("a".utf8): 2])
    }

    @Test func `ids that elements of one list repeat are counted`() {
        let text =
            "[{\"id\":1,\"x\":[{\"id\":1}]},{\"id\":\"a\"},{\"x\":1,\"id\":1},{\"id\":[\"a\"]}]"
        #expect(JSONCheck.repeatedKeys(in: Array(text.utf8)) == [Array("1".utf8): 1])
        #expect(JSONCheck.repeatedKeys(in: Array("{\"a\":\(text),\"id\":1}".utf8))?.count == 1)
    }

    @Test(arguments: [
        "<a/>", "<?xml version=\"1.0\"?>\n<!-- c -->\n<a b='1' c=\"&lt;\">x &amp; &#x1F;<b/></a>\n",
        "<!DOCTYPE svg [<!ENTITY a \"<>\"> <!-- ' -->]><svg/>", "<a><![CDATA[ <b> & ]]></a>",
        "\u{FEFF}<ns:ä.1-x></ns:ä.1-x >",
    ])
    func `well-formed XML parses`(text: String) {
        #expect(XMLCheck.faults(in: Array(text.utf8)) != nil)
    }

    @Test(arguments: [
        "", "text", "<a>", "</a>", "<a></b>", "<a/><b/>", "<a b=1/>", "<a b='1'c='2'/>",
        "<a b='1' b='2'/>", "<a b='<'/>", "<a>&b</a>", "<a>&#x;</a>", "<a>]]></a>", "<1/>",
        "<a/>x", "<a><!-- -- --></a>", "<!DOCTYPE a", "<a/><!DOCTYPE a>", "<a b='1", "<", "<a b",
        "<<<<<<< alice", "<a>&</a>", "&amp;<a/>", "<![CDATA[]]><a/>",
    ])
    func `what is not well-formed XML does not parse`(text: String) {
        #expect(XMLCheck.faults(in: Array(text.utf8)) == nil)
    }

    @Test func `repeated ids are counted`() {
        let text = "<a id='x'><b id=\"x\"/><c xml:id='y' name='x'/><d id='x'/></a>"
        let wanted = StructuredFault.all([Array("x".utf8): 2])
        #expect(XMLCheck.faults(in: Array(text.utf8)) == wanted)
    }
}
