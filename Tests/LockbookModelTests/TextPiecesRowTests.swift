import Testing

@testable import LockbookModel

/// Rows of tables, whose numbers are each for itself.
struct TextPiecesRowTests {
    private func isRow(_ text: String, _ word: Range<Int>) -> Bool {
        PieceTable(of: Array(text.utf8)).isOfRow(word)
    }

    @Test(
        arguments: [
            ("1,2,3,4", 0..<7), ("a,1,2,3,4", 2..<9), ("1,2,3,4,", 0..<7), (",1,2,3,4", 1..<8),
            ("a\n1,2,3,4\nb", 2..<9), ("1,2,3,4\r\n", 0..<7), ("100,2,3,4", 0..<9),
            ("1,2,3,40", 0..<8), ("1,2,3,4000", 0..<10), ("2026-11-27,10:30,1/2,3.4", 0..<24),
            ("1,,2,3,4,5", 3..<10),
        ] as [(String, Range<Int>)]
    )
    func `four numbers between commas are a row`(text: String, word: Range<Int>) {
        #expect(isRow(text, word))
    }

    @Test(
        arguments: [
            ("1,2,3", 0..<5), ("1,2,3,400", 0..<9), ("1,2,3,4 a", 0..<7), ("a1,2,3,4", 1..<8),
            ("1,2,3,4a", 0..<8), ("1,2.,3,4", 0..<3), ("1.2.3.4", 0..<7), ("(1,2,3,4", 1..<8),
        ] as [(String, Range<Int>)]
    )
    func `what may be a number with commas is none`(text: String, word: Range<Int>) {
        #expect(!isRow(text, word))
    }

    @Test func `a part of a row is of it, wherever in a text it stands`() {
        let text = String(repeating: "x", count: 4_999) + "\n1,10,20,30\n"
        for word in [5_000..<5_010, 5_000..<5_004, 5_002..<5_007, 5_005..<5_010] {
            #expect(isRow(text, word), "\(word)")
        }
        let bytes = Array(text.utf8)
        var table = PieceTable(of: bytes)
        let words = table.words(of: bytes.indices)
        // The long word and the line's end, and the row with its own.
        #expect(words.count == 2 + 8)
    }

    @Test func `a row of some thousand numbers is one, and a longer one is not`() {
        let numbers = String(repeating: ",1", count: 2_047)
        let row: String = "10" + numbers
        #expect(row.utf8.count == 4_096)
        for word in [0..<4_096, 0..<4, 4_093..<4_096] { #expect(isRow(row + "\n", word)) }
        let odd: String = "1" + numbers + ",1"
        let long: String = row + ",1"
        let longer: String = odd + "0"
        for text in [odd, long, longer] {
            let count = text.utf8.count
            for word in [0..<count, 0..<4, count - 4..<count] {
                #expect(!isRow(text + "\n", word), "\(count) \(word)")
            }
        }
    }

    @Test func `a row ends with its text, though another text follows`() {
        let bytes = Array("1,2,3,4".utf8)
        let (one, other) = (0..<4, 4..<7)
        #expect(PieceTable(of: bytes).isOfRow(0..<3))
        #expect(!PieceTable(of: bytes, texts: [one, other]).isOfRow(0..<3))
        #expect(!PieceTable(of: bytes, texts: [one, other]).isOfRow(4..<7))
    }

    @Test func `a place is in quotes when as many as are odd stand before it in its line`() {
        func isQuoted(_ text: String) -> Bool {
            PieceTable(of: Array(text.utf8)).isQuoted(text.utf8.count)
        }
        for before in 0..<4 {
            for behind in 0..<4 {
                let text =
                    String(repeating: "x", count: before) + "\""
                    + String(repeating: "y", count: behind)
                #expect(isQuoted(text), "\(text)")
                #expect(isQuoted("\"\n" + text), "\(text)")
                #expect(!isQuoted(text + "\""), "\(text)")
                #expect(!isQuoted(text + "\n" + String(repeating: "z", count: behind)), "\(text)")
            }
        }
    }

    @Test func `a row that is too long to tell its quotes has them up to its end`() {
        let row = String(repeating: "1,", count: 2_100) + "1"
        let text = Array((row + "\n1,20,30\n").utf8)
        var merge = MergeText(base: Array("a,b\n".utf8), local: text, remote: [])
        merge.tables = TableForm(fileExtension: "csv", base: Array("a,b\n".utf8))
            .partingNumbers(of: [Array("a,b\n".utf8)])
        var table = PieceTable(of: merge)
        let start = merge.local.lowerBound + 4_198
        let words = table.words(of: start..<merge.local.upperBound)
        let texts = (0..<words.count).map { piece in
            String(decoding: merge.bytes[words.bytes(of: piece..<piece + 1)], as: UTF8.self)
        }
        #expect(texts == ["1,1", "\n", "1", ",", "20", ",", "30", "\n"])
    }
}
