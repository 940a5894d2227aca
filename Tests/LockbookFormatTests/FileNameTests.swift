import LockbookModel
import SecondImplementation
import Testing

struct FileNameTests {
    @Test func `names that people use are names`() throws {
        let names = [
            "a", "todo.md", " !~", "\u{a0}", ".hidden", "...", "a b", " ", "-rf", "$(touch x)",
            "CON", "a\\b", "a:b",
            "日本語", "👩‍👩‍👧", "e\u{301}", "\u{202e}gnp.exe", String(repeating: "x", count: 255),
            String(repeating: "é", count: 127),
        ]
        for name in names {
            #expect(try FileName(name).text == name)
            #expect(try FileName(bytes: Bytes(name.utf8)).bytes == Bytes(name.utf8))
        }
    }

    @Test func `names that are none say why`() {
        let failures: [(Bytes, FileNameFailure)] = [
            ([], .empty), (Bytes(".".utf8), .relative), (Bytes("..".utf8), .relative),
            (Bytes("/".utf8), .slash), (Bytes("a/../b".utf8), .slash),
            (Bytes(repeating: 0x61, count: 256), .tooLong(bytes: 256)),
            ([0x61, 0xff], .notUnicode), ([0xc3], .notUnicode), ([0xc0, 0x80], .notUnicode),
            ([0xed, 0xa0, 0x80], .notUnicode), ([0xf4, 0x90, 0x80, 0x80], .notUnicode),
        ]
        for (bytes, failure) in failures {
            #expect(throws: failure) { try FileName(bytes: bytes) }
        }
        for control in Array(0..<0x20) + Array(0x7f..<0xa0) as [UInt32] {
            let name = "a" + String(Character(UnicodeScalar(control) ?? "a"))
            #expect(throws: FileNameFailure.controlCharacter) { try FileName(name) }
        }
    }

    @Test func `two spellings of a name are one name, with two sets of bytes`() throws {
        let (composed, decomposed) = (try FileName("caf\u{e9}"), try FileName("cafe\u{301}"))
        #expect(composed != decomposed)
        #expect(composed.isSame(as: decomposed))
        #expect(composed.normalized == decomposed.normalized)
        #expect(Set([composed, decomposed]).count == 2)
        #expect(try FileName("plain~").normalized == Bytes("plain~".utf8))
        // Hangul, a singleton, and marks in another order.
        let pairs = [
            ("\u{1112}\u{1161}\u{11ab}", "\u{d55c}"), ("\u{212b}", "\u{c5}"),
            ("a\u{323}\u{307}", "a\u{307}\u{323}"),
        ]
        for (one, other) in pairs {
            #expect(try FileName(one).isSame(as: FileName(other)))
        }
        // Case and compatibility make other names.
        #expect(try !FileName("A").isSame(as: FileName("a")))
        #expect(try !FileName("ﬁ").isSame(as: FileName("fi")))
    }

    @Test func `normal forms hold no slash or dots that the name did not`() throws {
        for value in 0xa0...0xffff as ClosedRange<UInt32> {
            guard let scalar = UnicodeScalar(value),
                let name = try? FileName(String(Character(scalar)))
            else { continue }
            let normal = name.normalized
            #expect(!normal.contains(0x2f) && !normal.contains(0) && normal != [0x2e], "\(value)")
        }
    }
}
