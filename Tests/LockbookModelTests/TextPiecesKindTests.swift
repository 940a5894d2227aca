import Testing

@testable import LockbookModel

/// What a word, or a sign between two, is taken for.
struct TextPiecesKindTests {
    @Test func `numbers are the digits and fractions of the scripts that are known`() {
        let ranges: [ClosedRange<UInt32>] = [
            0x30...0x39, 0xBC...0xBE, 0x660...0x669, 0x6F0...0x6F9, 0x966...0x96F, 0x9E6...0x9EF,
            0xE50...0xE59, 0x2150...0x215E, 0xFF10...0xFF19,
        ]
        for range in ranges {
            let (first, last) = (range.lowerBound, range.upperBound)
            for value in [first, first + 1, last - 1, last] {
                #expect(isNumber(value), "\(value)")
            }
            for value in [first - 1, last + 1] {
                #expect(!isNumber(value), "\(value)")
            }
        }
        for value: UInt32 in [0x20, 0x61, 0xE9, 0x65E5, 0x1D7CE, 0x1F600] {
            #expect(!isNumber(value), "\(value)")
        }
    }

    private func isNumber(_ value: UInt32) -> Bool {
        guard let scalar = Unicode.Scalar(value) else { return false }
        let text = CutText(String(Character(scalar)))
        return text.words.isNumber(0, in: text.bytes)
    }

    @Test func `a word is a number where it begins as one`() {
        for word in ["7th", "¼kg", "۱۲x", "３月"] {
            let text = CutText(word)
            #expect(text.words.isNumber(0, in: text.bytes), "\(word)")
        }
        for word in ["a7", "é٣", "😀1"] {
            let text = CutText(word)
            #expect(!text.words.isNumber(0, in: text.bytes), "\(word)")
        }
    }

    @Test func `brackets, colons and dashes stand between two numbers of one value`() {
        for byte in UInt8(0x20)..<0x7F {
            let sign = String(Character(UnicodeScalar(byte)))
            let text = CutText(sign)
            let isSign = text.words.isSign(0, in: text.bytes)
            #expect(isSign == Array("():-".utf8).contains(byte), "\(sign)")
        }
        for (sign, isSign) in [("–", true), ("—", false), ("é", false)] {
            let text = CutText(sign)
            #expect(text.words.isSign(0, in: text.bytes) == isSign, "\(sign)")
        }
    }

    @Test(arguments: [
        ("[x]", 1, true), ("[1] a", 1, true), ("x]", 0, false), ("[xy]", 1, false),
        ("(x]", 1, false), ("[x", 1, false), ("[x)", 1, false),
        ("12. a", 0, true), ("12) a", 0, true), ("09. a", 0, true), ("  12. a", 1, true),
        ("a\n12. b", 2, true), ("a\n 12) b", 3, true), ("a 12. b", 2, false),
        ("- 12. a", 2, false), ("1/2. a", 0, false), ("1:2. a", 0, false), ("1a. b", 0, false),
        ("a. b", 0, false), ("12: a", 0, false), ("12", 0, false),
    ])
    func `the number of a point and what ticks one are marks`(
        line: String,
        piece: Int,
        isMark: Bool
    ) {
        let text = CutText(line)
        #expect(text.words.isMark(piece, in: text.bytes) == isMark)
    }

    @Test(arguments: [
        ("on 1. x", 3, true), ("on 12. x", 3, true), ("on 1. ", 3, true), ("on 123. x", 3, false),
        ("on a. x", 3, false), ("on 1, x", 3, false), (".", 0, false), ("on 1", 2, false),
        ("on ½. x", 3, true), ("on ٣. x", 3, true),
        // A point of a list, unless a month follows.
        ("1. x", 1, false), ("1. 2. x", 1, true), ("1. a. x", 1, false), ("1. 2 x", 1, false),
        ("1. ", 1, false), ("1.", 1, false), (" 1. x", 2, false), (" 1. 2. x", 2, true),
        ("- 1. x", 3, false), ("a\n1. x", 3, false), ("a\n1. 2. x", 3, true),
        ("a\n  - 1. x", 6, false),
    ])
    func `a point behind a day or a month belongs to a date`(
        line: String,
        piece: Int,
        isPoint: Bool
    ) {
        let text = CutText(line)
        #expect(text.words.isPointOfDate(piece, in: text.bytes) == isPoint)
    }

    @Test(arguments: [
        ("2 h", 2, true), ("2 min", 2, true), ("2 az", 2, true), ("2 AZ", 2, true),
        ("2  h", 2, true), ("x 2 h", 4, true), ("2 hour", 2, false), ("2 é", 2, false),
        ("2 a1", 2, false), ("2 3", 2, false), ("a h", 2, false), ("2\th", 2, false),
        ("2(h", 2, false), (" h", 1, false), ("h", 0, false),
    ])
    func `a short word behind a number is a unit`(line: String, piece: Int, isUnit: Bool) {
        let text = CutText(line)
        #expect(text.words.isUnit(piece, in: text.bytes) == isUnit)
    }

    @Test(
        arguments: [
            ("(a)(b)(", 3, [0, 3]), ("[a]{b}", 3, [0, 3]), ("<b>x</b><i>", 8, [0]),
            ("<br/><br/>", 4, [0, 4]), ("a < b < c", 4, [0, 1, 2, 3, 4, 5]), ("a)b)", 2, []),
        ] as [(String, Int, [Int])]
    )
    func `whole elements close what they open, and nothing else`(
        text: String,
        count: Int,
        whole: [Int]
    ) {
        let cut = CutText(text)
        let readings = 0...cut.words.count - count
        #expect(cut.words.whole(readings, of: 0..<count, in: cut.bytes) == whole)
    }

    @Test func `of one reading, and of very many, no whole elements are looked for`() {
        let cut = CutText(String(repeating: "a ", count: 200))
        let all = cut.words.whole(0...127, of: 0..<128, in: cut.bytes)
        #expect(all == Array(0...127))
        // One more than 16,384 pieces in all readings.
        #expect(cut.words.whole(0...112, of: 0..<145, in: cut.bytes).isEmpty)
        #expect(cut.words.whole(0...0, of: 0..<1, in: cut.bytes).isEmpty)
    }

    @Test func `what begins and what ends a line, blanks and words`() {
        let text = CutText("a\n  b, 1\n")
        let pieces = text.words
        func those(_ isSo: (Int) -> Bool) -> [Int] { (0..<pieces.count).filter(isSo) }
        #expect(those { pieces.startsLine($0, in: text.bytes) } == [0, 2])
        #expect(those { pieces.endsLine($0, in: text.bytes) } == [1, 7])
        #expect(those { pieces.isWord($0, in: text.bytes) } == [0, 3, 6])
        #expect(those { pieces.isBlank($0, in: text.bytes) } == [1, 2, 5, 7])
        #expect(those { pieces.isIndentation($0, in: text.bytes) } == [2, 5])
        #expect(pieces.hasWord(0..<1, in: text.bytes) && pieces.hasWord(2..<4, in: text.bytes))
        #expect(!pieces.hasWord(1..<3, in: text.bytes) && !pieces.hasWord(0..<0, in: text.bytes))
    }
}
