import Foundation
import Testing

@testable import LockbookModel

/// What every single byte means to the readers of texts.
@Suite struct TextMergeByteTests {
    /// Bytes at which the table of well-formed UTF-8 changes, and their neighbours.
    private static let edges: [UInt8] = [
        0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xFF,
    ]

    @Test func `a text is what is valid UTF-8 without NUL and many odd control characters`() {
        for first in UInt8.min ... .max {
            expectText([first])
            for second in Self.edges {
                expectText([first, second])
                for third in Self.edges {
                    expectText([first, second, third])
                    for fourth in Self.edges { expectText([first, second, third, fourth]) }
                }
            }
        }
    }

    private func expectText(_ bytes: [UInt8]) {
        let odd = bytes.count { $0 == 0x7F || $0 < 0x20 && ![9, 10, 12, 13].contains($0) }
        let isText =
            String(validating: bytes, as: UTF8.self) != nil && !bytes.contains(0)
            && 3 * odd <= bytes.count
        if TextMerge.isText(bytes) != isText { Issue.record("\(bytes)") }
    }

    @Test func `words are cut where the kind of character changes`() {
        let texts: [(String, [String])] = [
            ("one two", ["one", " ", "two"]), ("a\t \tb", ["a", "\t \t", "b"]),
            ("a\r\nb\rc\n\nd", ["a", "\r\n", "b", "\r", "c", "\n", "\n", "d"]),
            ("x_1(y)", ["x_1", "(", "y", ")"]), ("3.14", ["3.14"]), ("1,000", ["1,000"]),
            ("a,1 1,a", ["a", ",", "1", " ", "1", ",", "a"]), ("don't", ["don't"]),
            ("'a'", ["'", "a", "'"]), ("a. b", ["a", ".", " ", "b"]), ("a.", ["a", "."]),
            ("a..b", ["a", ".", ".", "b"]), ("a@b.c", ["a@b.c"]), ("a-b/c:d", ["a-b/c:d"]),
            ("a+b;c", ["a", "+", "b", ";", "c"]), ("straße", ["straße"]), ("日本語", ["日", "本", "語"]),
            ("鐵鑰", ["鐵", "鑰"]), ("かな", ["か", "な"]), ("가각", ["가각"]), ("——", ["——"]),
            ("aあb", ["a", "あ", "b"]), ("a.日", ["a", ".", "日"]), ("", []), ("\r", ["\r"]),
            ("\r\r\n", ["\r", "\r\n"]), ("9,9", ["9,9"]), ("0,0", ["0,0"]),
            ("/,0", ["/", ",", "0"]),
            ("1,:", ["1", ",", ":"]), ("1,9", ["1,9"]), ("a,b", ["a", ",", "b"]),
            ("1,2,3,4", ["1", ",", "2", ",", "3", ",", "4"]), ("1,2,3", ["1,2,3"]),
            ("1,2,3,400", ["1,2,3,400"]), ("(1,2,3,4", ["(", "1,2,3,4"]),
            ("1,2,3,4a", ["1,2,3,4a"]), ("1,2,3,4 ", ["1,2,3,4", " "]),
            ("a,1.5,2,3,4,", ["a", ",", "1.5", ",", "2", ",", "3", ",", "4", ","]),
        ]
        for (text, words) in texts {
            #expect(
                Self.words(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) } == words
            )
        }
    }

    @Test func `every byte is a letter, a blank, or a word of its own`() {
        for byte in UInt8.min ... .max {
            // Between letters, so that letters join and other characters do not.
            let count = Self.words([0x61, byte, 0x20]).count
            let isWord = [
                0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F...0x5F, 0x80...0xE2, 0xEA...0xFF,
            ]
            .contains { $0.contains(byte) }
            let isBlank = byte == 0x20 || byte == 0x09
            let isHan = (0xE3...0xE9).contains(byte)
            #expect(count == (isWord || isBlank || isHan ? 2 : 3), "\(byte)")
        }
    }

    @Test func `a cut han at the end of a text ends where the text ends`() {
        #expect(Self.words([0xE6, 0x97]) == [[0xE6, 0x97]])
        #expect(Self.words([0x61, 0x20, 0xE6]) == [[0x61], [0x20], [0xE6]])
    }

    @Test func `letters of ASCII join words across an apostrophe and other characters do not`() {
        for byte in UInt8(0x20)..<0x7F {
            let joined = Self.words([0x61, 0x27, byte]).count == 1
            let scalar = Character(UnicodeScalar(byte))
            #expect(joined == (scalar.isLetter || scalar.isNumber || byte == 0x5F), "\(byte)")
            let joins = Self.words([0x61, byte, 0x61]).count == 1
            #expect(joins == (joined || "'-./:@".contains(scalar)), "\(byte)")
        }
    }

    @Test func `a line counts as rewritten by its letters and digits, not by its signs`() {
        for byte in UInt8(0x21)..<0x7F {
            let bytes = [byte, 0x20, 0x78, 0x20, byte, 0x20, byte, 0x0A]
            var table = PieceTable(of: bytes)
            let pieces = table.words(of: bytes.indices)
            let hunks = [0, 4, 6].map { DiffHunk(base: $0..<$0 + 1, side: $0..<$0 + 1) }
            let scalar = Character(UnicodeScalar(byte))
            let isWord = scalar.isLetter || scalar.isNumber || byte == 0x5F
            let widened = hunks.wideningRewrittenLines(
                of: pieces,
                to: pieces,
                named: [:],
                in: bytes
            )
            #expect(widened == (isWord ? [DiffHunk(base: 0..<7, side: 0..<7)] : hunks), "\(byte)")
        }
    }

    private static func words(_ bytes: [UInt8]) -> [[UInt8]] {
        var table = PieceTable(of: bytes)
        let pieces = table.words(of: bytes.indices)
        return (0..<pieces.count).map { Array(bytes[pieces.bytes(of: $0..<$0 + 1)]) }
    }

    @Test func `equal pieces have equal numbers and others have not, in a large table`() {
        let words = (0..<3_000).map { "w\($0 % 1_000)" }
        let bytes = Array(words.joined(separator: "\n").utf8)
        var table = PieceTable(of: bytes)
        let lines = table.lines(of: bytes.indices)
        #expect(lines.ids.count == 3_000)
        // The last line has no ending, so it is another one.
        #expect(table.count == 1_001)
        for number in 0..<2_999 where lines.ids[number] != Int32(number % 1_000) {
            Issue.record("\(number)")
        }
    }
}
