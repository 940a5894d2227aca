import Testing

@testable import LockbookModel

/// JSON with comments and HTML that is not well-formed: read as far as they can be.
struct TextMergeCommentedTests {
    private static let settings = lines(
        "// of the editor",
        "{",
        "\"a\": 1, /* \"b\": { */",
        "\"b\": 2,",
        "\"c\": 3,",
        "\"d\": 4,",
        "}"
    )

    @Test func `a key added on both sides of JSON with comments keeps both copies`() {
        let local = Self.settings.replacing("\"a\"", with: "\"x\": true,\n\"a\"")
        let twice = Self.settings.replacing("\"d\"", with: "\"x\": false,\n\"d\"")
        let once = Self.settings.replacing("\"d\"", with: "\"y\": false,\n\"d\"")
        let both = local.replacing("\"d\"", with: "\"y\": false,\n\"d\"")
        #expect(merged(Self.settings, local, twice, fileExtension: "json") == .notText)
        #expect(merged(Self.settings, local, once, fileExtension: "json") == .clean(both))
    }

    @Test func `a comma that would be missing between comments keeps both copies`() {
        let base = lines("{", "\"c\": 3,", "// one", "// two", "// three", "\"d\": 4", "}")
        let local = base.replacing("3,", with: "3").replacing("\"d\": 4\n", with: "")
        let remote = base.replacing("// two\n", with: "// two\n\"e\": 5,\n")
        #expect(merged(base, local, remote, fileExtension: "json") == .notText)
    }

    @Test func `JSON without comments does not get a comma behind its last value`() {
        let base = lines("[", "1,", "2,", "3,", "4", "]")
        let local = base.replacing("3,\n4", with: "3")
        let remote = base.replacing("1,\n2,", with: "0,\n1,\n2,")
        let both = lines("[", "0,", "1,", "2,", "3", "]")
        #expect(merged(base, local, remote, fileExtension: "json") == .clean(both))
        let trailing = Array("[1,]".utf8)
        #expect(!StructuredFormat.json.accepts(trailing, of: [], from: [0x30], and: [0x31]))
    }

    @Test(arguments: [
        "//\n1", "1//", "/**/1/* * / **/", "[1,]", "[[],{},]", "{\"a\":1,}",
        "{\"a\"/**/:/**/1,//\n}",
        "{//\r\"a\":\"//\"}",
    ])
    func `JSON with comments parses`(text: String) {
        #expect(JSONCheck.repeatedKeys(in: Array(text.utf8), withComments: true) == [:])
        #expect(JSONCheck.repeatedKeys(in: Array(text.utf8)) == nil)
    }

    @Test(arguments: [
        "//", "/*1", "1/", "/1", "[,]", "{,}", "[1,,]", "[1 2]", "{\"a\":1,,}", "{a:1}", "'a'",
        "1,", "/*/1", "1/*", "1/*a", "1/*ab", "1/**", "1/*ab*", "[1,/*a", "[1/*a]",
        "[1,", "{\"a\":1,",
    ])
    func `what is not JSON with comments does not parse`(text: String) {
        #expect(JSONCheck.repeatedKeys(in: Array(text.utf8), withComments: true) == nil)
    }

    @Test(arguments: ["<br>", "<br/>"])
    func `an id added on both sides of a page keeps both copies`(lineBreak: String) {
        let base = lines("<html>", lineBreak, "<p>a</p>", "<p>b</p>", "<p>c</p>", "</html>")
        let local = base.replacing("<p>a", with: "<p id=\"x\">a")
        let twice = base.replacing("<p>c", with: "<p id=\"x\">c")
        let once = base.replacing("<p>c", with: "<p id=\"y\">c")
        let both = local.replacing("<p>c", with: "<p id=\"y\">c")
        #expect(merged(base, local, twice, fileExtension: "html") == .notText)
        #expect(merged(base, local, once, fileExtension: "html") == .clean(both))
    }

    @Test(arguments: [
        "<a id=x><b ID = 'x'>", "<a\nid=\"x\"/><br id=x>", "<a b id='x'><c d=1 id=\"&#120;\">",
        "1 < 2<a id=x><a id=x",
        "<script>'<a id=x>'</SCRIPT><a id=x><a/id=x>",
        "<!-- <a id=x> --><a id=x><!DOCTYPE a><a id=x>",
        "<a id=x id=x><a id=x>", "<A id=x><Z id=x>", "<a id=x><z id=x>", "<a = id=x><a id=x>",
        "<a b <a id=x><a id=x>", "<a b=\"1\"id=x><a id=x>", "<a b='1'id=x><a b=\"'\" id=x>",
        "<script/id=x></script id=x><p id=x>",
    ])
    func `an id that comes again in HTML is counted`(text: String) {
        #expect(HTMLScan.repeatedIDs(in: Array(text.utf8)) == [[0x78]: 1])
    }

    @Test(arguments: [
        "", "<", "<a", "<a id", "<a id=", "<a id='", "<!--", "<a id=x></a id=x>",
        "<a id=x><a data-id=x>",
        "<a id=x><a b='<a id=x>'>", "<style><a id=x>", "<a id=x>id=x", "<a id=x b=1 id=x>",
        "<@ id=x><@ id=x>", "<[ id=x><[ id=x>", "<` id=x><` id=x>", "<{ id=x><{ id=x>",
        // Only its own end ends what has no tags in it.
        "<script></b><a id=x></script><a id=x>", "<script></<a id=x></script><a id=x>",
        "<script>a script<a id=x></script><a id=x>",
    ])
    func `an id that is there once is not`(text: String) {
        #expect(HTMLScan.repeatedIDs(in: Array(text.utf8)) == [:])
    }

    // Strings are compared in their normal forms, which takes the square of a run of marks.
    @Test func `however long a name in HTML is, it is read once`() {
        let name = "a" + String(repeating: "\u{316}\u{301}", count: 250_000)
        let hostile = "<\(name) \(name)=\"b\" ID=b><p id=b></\(name)>"
        #expect(HTMLScan.repeatedIDs(in: Array(hostile.utf8)) == [[0x62]: 1])
    }
}
