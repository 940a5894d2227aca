import Foundation
import Testing

@testable import LockbookModel

/// The readers of JSON and XML, held against another reader or against every byte.
@Suite struct TextMergeReaderTests {
    @Test func `JSON with one byte changed parses exactly when it does for Foundation`() {
        let texts = [
            #"{"a":[1,-0.5e+3,2E-1,true,false,null],"b\n":{"c":"e\u00e9\"\\\/\b\f\r\t"}}"#,
            #" [ 0 , {"x" : [ ] , "y":{ } } ,"" , 10.25 ] "#,
        ]
        let bytes = Array("{}[]\",:\\/u0129+-.eEtrfalsn \t\n\r\u{0B}\u{1F}\u{7F}bx".utf8)
        for text in texts.map({ Array($0.utf8) }) {
            for at in 0...text.count {
                for byte in bytes {
                    if at < text.count {
                        var changed = text
                        changed[at] = byte
                        expectSame(changed)
                    }
                    expectSame(Array(text[..<at] + [byte] + text[at...]))
                }
                if at < text.count { expectSame(Array(text[..<at] + text[(at + 1)...])) }
                expectSame(Array(text[..<at]))
            }
        }
    }

    private func expectSame(_ bytes: [UInt8]) {
        // Foundation takes a comma after the last element.
        let dense = bytes.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let isLoose = zip(dense, dense.dropFirst()).contains {
            $0 == 0x2C && [0x5D, 0x7D].contains($1)
        }
        if isLoose { return }
        let other = try? JSONSerialization.jsonObject(
            with: Data(bytes),
            options: .fragmentsAllowed
        )
        if (JSONCheck.repeatedKeys(in: bytes) != nil) != (other != nil) {
            Issue.record("\(String(decoding: bytes, as: UTF8.self))")
        }
    }

    @Test(arguments: [
        (#"{"\u0041":1,"A":2}"#, "A"), (#"{"\"":1,"\u0022":2}"#, "\""),
        (#"{"\\":1,"\u005c":2}"#, "\\"),
        (#"{"\/":1,"/":2}"#, "/"), (#"{"\b":1,"\u0008":2}"#, "\u{8}"),
        (#"{"\f":1,"\u000C":2}"#, "\u{C}"), (#"{"\n":1,"\u000a":2}"#, "\n"),
        (#"{"\r":1,"\u000d":2}"#, "\r"), (#"{"\t":1,"\u0009":2}"#, "\t"),
        (#"{"\u00e9":1,"é":2}"#, "é"), (#"{"\ud800\udc00":1,"𐀀":2}"#, "\u{10000}"),
        (#"{"\uDBFF\uDFFF":1,"\#u{10FFFF}":2}"#, "\u{10FFFF}"),
        (#"{"x\ud83d\ude00":1,"x😀":2}"#, "x😀"),
    ])
    func `a key with escapes is the key that it means`(text: String, key: String) {
        #expect(JSONCheck.repeatedKeys(in: Array(text.utf8)) == [Array(key.utf8): 1])
    }

    @Test(arguments: [
        #"{"\ud800":1,"\ud801":2,"\udc00":3,"\ufffd":4,"":5}"#, #"{"\ud83dx":1,"x":2,"\ud83d":3}"#,
        #"{"\ud83d\u0041":1,"A":2,"\ud83dA\u0041":3}"#,
        #"{"\udbff":1,"\udc00\ud800":2,"\ue000":3}"#,
        #"{"\ud800\udbff":1,"\ud800\ue000":2}"#,
    ])
    func `halves of a pair that stand alone are keys of their own`(text: String) {
        #expect(JSONCheck.repeatedKeys(in: Array(text.utf8)) == [:])
    }

    @Test func `a half of a pair is the same key however it is followed`() {
        let text = #"{"\ud83d\u0041":1,"\uD83DA":2,"\ud83d":3,"\ud83d":4}"#
        #expect(JSONCheck.repeatedKeys(in: Array(text.utf8))?.values.sorted() == [1, 1])
    }

    @Test func `every byte stands where XML allows it in a name`() {
        for byte in UInt8.min ... .max {
            let letter = [0x41...0x5A, 0x61...0x7A, 0x5F...0x5F, 0x3A...0x3A, 0x80...0xFF]
                .contains { $0.contains(byte) }
            let later = letter || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x2E
            #expect(parses([0x3C, byte, 0x2F, 0x3E]) == letter, "\(byte)")
            let isBlank = [0x20, 0x0A, 0x0D, 0x09].contains(byte)
            #expect(parses([0x3C, 0x61, byte, 0x2F, 0x3E]) == (later || isBlank), "\(byte)")
            #expect(parses([byte] + Array("<a/>".utf8)) == (byte <= 0x20), "\(byte)")
            #expect(
                parses(Array("<a>".utf8) + [byte] + Array("</a>".utf8))
                    == (byte != 0x3C && byte != 0x26)
            )
            let value = Array("<a b='".utf8) + [byte] + Array("'/>".utf8)
            #expect(parses(value) == ![0x26, 0x27, 0x3C].contains(byte), "\(byte)")
        }
    }

    private func parses(_ bytes: [UInt8]) -> Bool {
        XMLCheck.faults(in: bytes) != nil
    }

    @Test(arguments: [
        "<a>&#0;</a>", "<a>&#9;&#xaF;</a>", "<a b = \"'\" c\n=\n'\"'/>", "<a ></a\n>",
        "<?a?><a/><?b c?>", "<!----><a/>", "<a><!-- - --></a>", "<a><![CDATA[]]]]></a>",
        "<!DOCTYPE a SYSTEM \"'>\"><a/>", "<!DOCTYPE a SYSTEM '\">'><a/>", "<a b='&amp;'/>",
        "<!DOCTYPE a [<!-- > --><b <c>>]><a/>", "<a>]] ></a>", "<a>]>]]</a>",
    ])
    func `XML of every kind of markup parses`(text: String) {
        #expect(parses(Array(text.utf8)), "\(text)")
    }

    @Test(arguments: [
        "<a>&#a;</a>", "<a>&#xg;</a>", "<a>&#1</a>", "<a>&;</a>", "<a>&#;</a>", "<a b>x</a>",
        "<a b=>x</a>",
        "<a b=\"'/>", "<a b='x\"/>", "<?1?><a/>", "<?a?", "<a><!-- --- --></a>", "<!-- <a/>", "<a/",
        "<a /x>",
        "<a><b></a></b>", "<a></a", "<!DOCTYPE a><!DOCTYPE a><a/>", "<!DOCTYPE a [<!-- >]><a/>",
        "<!DOCTYPE a \"><a/>", "<!DOCTYPE a '><a/>", "<!DOCTYPE a [<]><a/>", "<a b='&'/>",
        "<a b='&x'/>",
        "<a><![CDATA[</a>", "<a/><![CDATA[]]>", "<a/>&amp;",
        "<a b=x1x/>", "<a/><!DOCTYPE", "<a/></a>",
        "<!DOCTYPE a><!-- -->",
        "<a>x", "<a b='1' c",
        "<a b='1' c=", "<a b='1' c='", "<a/><b>", "<!DOCTYPE a <!-- ><a/>", "<a b='1'/ >",
    ])
    func `XML that ends or nests wrongly does not parse`(text: String) {
        #expect(!parses(Array(text.utf8)), "\(text)")
    }
}
