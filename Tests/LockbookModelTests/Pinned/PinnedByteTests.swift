import Testing

@testable import LockbookModel

/// What readers make of short texts in which one byte is another one, is there twice, comes or goes.
///
/// So every byte that begins, ends or parts something is told from its neighbours, and every length from
/// the next one.
@Suite struct PinnedByteTests {
    /// All of ASCII, and some that begin longer characters.
    private static let bytes: [UInt8] =
        (0...0x80) + [0xC1, 0xC2, 0xC3, 0xE1, 0xE2, 0xE3, 0xE9, 0xEA, 0xEF, 0xF0, 0xF1]
    private static let signs = Array(" \t\n\r,:\"[]{}()*-+=<>|#a1".utf8)

    /// All texts that are one such step from one of these.
    private static func forEachText(near texts: [String], _ body: (_ text: [UInt8]) -> Void) {
        for text in texts.map({ Array($0.utf8) }) {
            body(text)
            for at in text.indices {
                var other = text
                for byte in bytes {
                    other[at] = byte
                    body(other)
                }
                for sign in signs { body(text[..<at] + [sign] + text[at...]) }
                body(Array(text[..<at]) + text[(at + 1)...])
                body(Array(text[...at]) + text[at...])
                body(Array(text[..<at]))
            }
        }
    }

    private static func pinned(_ texts: [String], _ body: (_ text: [UInt8], inout Pin) -> Void)
        -> String
    {
        var pin = Pin()
        forEachText(near: texts) { body($0, &pin) }
        return pin.text
    }

    private static func add(_ line: NamedLine?, to pin: inout Pin) {
        pin.add(line?.name ?? [])
        pin.add(line?.said ?? 0..<0)
        pin.add([line == nil, line?.isID == true, line?.isProse == true])
    }

    @Test func `what points and tasks are called`() {
        let texts = [
            "- [ ] buy milk @home", "123456789012. a: b", "* **Zoe z** is", "+ 1234 b c d: e",
            "(A) call Al +x", "x 2026-01-02 at b:c", "- `a`  b 2026-1-2 #t", "a http://b c:d",
            "- [a](b) c", "7) a b", "- __a__ b 10:00T",
        ]
        let pinned = Self.pinned(texts) { Self.add(NamedLine(point: $0[...]), to: &$1) }
        #expect(pinned == "f3910bca3b6a76e4")
    }

    @Test func `what objects, elements and rows are called`() {
        let objects = [
            "{\"id\": 7, \"a\": 1}", "{\"a\":{\"id\":1},\"name\":\"b\"},",
            "{\"q\": \"w\\\"\", \"Id\":x}",
            "{\"title\":\"a\",\"name\":\"b\"}", "{\"n\":[1,\"b\"],\"c\":\"dd\"}",
        ]
        let elements = [
            "<a name=\"b\" title='c'>d</a>", "<td>ab</td><td>c d</td>", "<p>a <b>bc</b></p>",
            "<a x=1 id='7'/>", "<tr><td>aa</td><td>b</td></tr>",
        ]
        #expect(
            Self.pinned(objects) { Self.add(NamedLine(object: $0[...]), to: &$1) }
                == "3e8406d776f0461c"
        )
        #expect(
            Self.pinned(elements) { Self.add(NamedLine(element: $0[...]), to: &$1) }
                == "d6376924ba2f20c0"
        )
        for (name, pinned) in [
            ("md", "cd09dce0888ed840"), ("csv", "b6e71d741c23069e"), ("tsv", "2e732d475cd565cd"),
        ] {
            let form = TableForm(fileExtension: name, base: Array("a,b".utf8))
            let rows = Self.pinned(["| a | b c |", "a,\"b,c\",1", "|--|:-:|", "1\tab\t\\|`c|`"]) {
                Self.add(NamedLine(row: $0[...], form: form, column: nil), to: &$1)
                Self.add(NamedLine(row: $0[...], form: form, column: (1, true)), to: &$1)
                for row in DrawnRow.all(in: $0[...], form: form) ?? [] {
                    $1.add(row.fields)
                    $1.add(row.said)
                    $1.add(row.isRule)
                }
            }
            #expect(rows == pinned)
        }
    }

    @Test func `what records are, and what they are called`() {
        let texts = [
            "- a\n  id: 7\n- b\n", "* [x] a b\n", "# A\nt\n## B\n", "[s]\nuid = \"1\"\n",
            "<a id='1'>\n",
            "@b{c,\n d\n}\n", "- id: 1\n   x\n", "```\n- a\n```\n- b\n  c\n", ":ID: 7\n",
            "~~~\n* b\n~~~\n",
            "** A\n:ID: 7\nb\n",
        ]
        let pinned = Self.pinned(texts) { bytes, pin in
            var table = PieceTable(of: bytes)
            let lines = table.lines(of: bytes.indices)
            for isOrg in [false, true] {
                for record in TextRecords(of: lines, in: bytes, isOrg: isOrg).all {
                    pin.add(record.lines)
                    pin.add(record.id ?? -1)
                    pin.add(record.name(of: lines, in: bytes))
                }
            }
            pin.add(Array(bytes[...].recordName))
        }
        #expect(pinned == "f6cefb3ffdb435bc")
    }

    @Test func `what JSON says`() {
        let texts = [
            "{\"id\":\"\",\"a\":[1]}", "[{\"UID\":7,\"b\":{}},[ ]]", "{\"\\u0041\\n\": true}",
            "[1,\"\\ud83d\\ude00\"]", "[{\"key\":\"z\",\"_id\":1},]", "{\"a\": -1.5e+3} // x",
            "[/* * */ null ]",
        ]
        let pinned = Self.pinned(texts) { bytes, pin in
            for withComments in [false, true] {
                pin.add(JSONCheck.repeatedKeys(in: bytes, withComments: withComments))
            }
            for isLines in [false, true] {
                guard let tree = JSONTree(bytes, isLines: isLines) else {
                    pin.add(-1)
                    continue
                }
                for node in tree.nodes {
                    pin.add(tree.name(of: node).map(Array.init) ?? [])
                    pin.add(Array(tree.value(of: node)))
                }
            }
        }
        #expect(pinned == "13a7beaa80679780")
    }

    @Test func `what XML and HTML say`() {
        let texts = [
            "<a b:c='&d;'><!-- - --></a>", "<a id=\"1\"/>\n<b id='1'/>",
            "<?x ?><a><![CDATA[]]]></a>",
            "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;&#x1F;</a>", "<a xmlns:b=''><b:c/></a>",
            "<script>'<a id=1>'</script><p id=1>", "<P ID = 1 ><textarea><a id=1>",
        ]
        let pinned = Self.pinned(texts) { bytes, pin in
            let faults = XMLCheck.faults(in: bytes)?.map { "\($0.key) \($0.value)" }
            pin.add((faults ?? ["none"]).sorted().joined())
            pin.add(HTMLScan.repeatedIDs(in: bytes))
        }
        #expect(pinned == "4aed17d7958fc838")
    }

    @Test func `what calendars and contacts say`() {
        let event = "BEGIN:VEVENT\nUID:1\n a\nSUMMARY:b\nEND:VEVENT\n"
        let texts = [
            event, "BEGIN:VCARD\nN;ALTID=1:a\nn:b\nBDAY:1\nEND:VCARD\n",
            "BEGIN:VTODO\nUID:1\nBEGIN:VALARM\nA:1\nEND:VALARM\nZ:2\nZ:3\nEND:VTODO\n",
        ]
        let pinned = Self.pinned(texts) { bytes, pin in
            pin.add(ComponentCheck.repeatedProperties(in: bytes))
            pin.add(ComponentCheck.repeatedProperties(in: Array(event.utf8) + bytes))
            let text = Array(event.utf8)
            let (one, other) = (ComponentFields(bytes[...]), ComponentFields(text[...]))
            pin.add([
                one.isMade(of: other, by: other, and: other),
                other.isMade(of: one, by: other, and: one),
                other.isMade(of: other, by: one, and: one),
            ])
            pin.add(ComponentCheck.keepsRecords(text, of: bytes, from: bytes, and: text))
            pin.add(ComponentCheck.keepsRecords(bytes, of: text, from: text, and: text))
        }
        #expect(pinned == "48c7a080318105d0")
    }

    @Test(arguments: [
        (
            KeyedFormat.toml,
            ["a = 1\na=2\n", "[a.b]\nc={d=1,d=[2]}\n[a.b]", "\"a\"='''b'''\na=\"\\\"\"#"],
            "54b8a6f2f41e57cc"
        ),
        (
            .yaml,
            ["a: 1\nb:\n  - c: 'd'\na: \"e\"\n", "a: {b: [1], b: 2} # c\n", "a: |\n  a\na: >-"],
            "497f99387789dc7b"
        ),
        (.ini, ["[a]\nb = 1\nb=2\n; c\n[a]", "a[] = 1\na[] = \\\n"], "b8a21b107e716e44"),
        (
            .bib, ["@b{c,\n a={d},\n A=\"e\"\n}\n@x{c, }", "@string{a = 1}\n@b{c}"],
            "bf43766e8a4bf5f6"
        ),
        (.frontMatter, ["---\na: 1\na: 2\n---\n", "+++\na=1\na=2\n+++\n"], "d8cfe1e591487eda"),
    ])
    func `which keys are there again`(format: KeyedFormat, texts: [String], pinned: String) {
        let found = Self.pinned(texts) { bytes, pin in
            let keys = format.repeatedKeys(in: bytes)
            pin.add(keys?.count ?? -1)
            for key in keys ?? [] {
                pin.add(key.name)
                pin.add(key.first)
                pin.add(key.again)
            }
        }
        #expect(found == pinned)
    }

    @Test func `words, markers, dates and marks`() {
        let texts = [
            "a-b 3.5 c@d 1,2,3,4\n", "<<<<<<< a\nb\n=======\n>>>>>>> c",
            "- 2026-01-02 10:00 a\n  b\n",
            "- 10:00 \n- 11:00 b", "船é x_y/z 12:30\r\n", "“a” **b** (c", "</i>a[[b]]",
        ]
        let pinned = Self.pinned(texts) { bytes, pin in
            var table = PieceTable(of: bytes)
            let words = table.words(of: bytes.indices)
            pin.add(words.starts)
            for piece in 0..<words.count {
                pin.add([
                    words.isWord(piece, in: bytes), words.isMark(piece, in: bytes),
                    words.isNumber(piece, in: bytes), words.isSign(piece, in: bytes),
                    words.isPointOfDate(piece, in: bytes), words.isUnit(piece, in: bytes),
                ])
                if piece > 1 { pin.add(words.isOneValue(0..<1, piece..<piece + 1, in: bytes)) }
            }
            let blocks = ConflictBlocks(in: bytes)
            pin.add(blocks.versions)
            pin.add(blocks.markers)
            pin.add([blocks.isWhole, blocks.namesWriters, ConflictBlocks.mayBe(in: bytes[...])])
            let entries = DatedEntries(bytes.indices, of: bytes)
            pin.add(entries.map { $0.merged(with: $0) } ?? [])
            pin.add(Int(MarkedWords.opened(by: bytes.prefix(4)) ?? 0))
            pin.add(Int(MarkedWords.closed(by: bytes.suffix(4)) ?? 0))
            pin.add(TextMerge.isText(bytes))
        }
        #expect(pinned == "6ac8408dc5805b44")
    }
}
