import Testing

@testable import lockbook

@Suite struct KeyDecoderTests {
    private static let sequences: [(String, [Key])] = [
        ("\u{1b}[A", [.up]), ("\u{1b}OA", [.up]), ("\u{10}", [.up]), ("\u{1b}[1;5A", [.up]),
        ("\u{1b}[B", [.down]), ("\u{1b}OB", [.down]), ("\u{e}", [.down]),
        ("\u{1b}[5~", [.pageUp]), ("\u{1b}[6~", [.pageDown]), ("\u{1b}[6;2~", [.pageDown]),
        ("\u{1b}[H", [.home]), ("\u{1b}OH", [.home]), ("\u{1b}[1~", [.home]),
        ("\u{1b}[7~", [.home]),
        ("\u{1b}[F", [.end]), ("\u{1b}OF", [.end]), ("\u{1b}[4~", [.end]), ("\u{1b}[8~", [.end]),
        ("\r", [.enter]), ("\u{7f}", [.erase]), ("\u{15}", [.eraseAll]), ("\u{3}", [.escape]),
        ("ä", [.character("ä")]), ("🚢", [.character("🚢")]),
        // Of no use here: F1 in three spellings, F5, Delete, Alt and a letter, Tab.
        ("\u{1b}OP", []), ("\u{1b}[[A", []), ("\u{1b}[11~", []), ("\u{1b}[3~", []),
        ("\u{1b}x", []), ("\t", []),
    ]

    @Test func `keys that come together are taken one by one`() {
        var decoder = KeyDecoder()
        let all = Self.sequences.map(\.0).joined()
        #expect(decoder.take(Array(all.utf8)) == Self.sequences.flatMap(\.1))
        #expect(decoder.take(Array("ap\u{1b}[B\u{1b}[B\r".utf8)).count == 5)
    }

    @Test func `a key that comes in pieces is one key`() {
        for (text, keys) in Self.sequences {
            var decoder = KeyDecoder()
            #expect(text.utf8.flatMap { decoder.take([$0]) } == keys, "\(text.debugDescription)")
            #expect(decoder.end().isEmpty)
        }
    }

    @Test func `escape alone is known when nothing follows`() {
        var decoder = KeyDecoder()
        #expect(decoder.take([0x1b]).isEmpty)
        #expect(decoder.awaitsMore)
        #expect(decoder.end() == [.escape])
        #expect(!decoder.awaitsMore)
        #expect(decoder.take([0x1b, 0x1b]) == [.escape])
    }

    @Test func `what is no text takes no key with it`() {
        var decoder = KeyDecoder()
        #expect(decoder.take([0xc3, 0x0d]) == [.character("\u{fffd}"), .enter])
        #expect(decoder.take([0xff, 0x80, 0x61]).last == .character("a"))
    }
}
