import Testing

@testable import LockbookModel

/// In which line a piece is, and which stretches of lines are one.
struct PieceLinesTests {
    @Test func `each piece is in a line, and what is behind the last one in the last line`() {
        let text = CutText("a b\n\nc")
        let lines = PieceLines(text.words, in: text.bytes)
        #expect(lines.count == 3)
        #expect((0..<8).map { lines[$0] } == [0, 0, 0, 0, 1, 2, 2, 2])
        #expect(lines.pieces(of: 0..<1) == 0..<4)
        #expect(lines.pieces(of: 1..<2) == 4..<5)
        #expect(lines.pieces(of: 1..<3) == 4..<6)
        #expect(lines.pieces(of: 3..<3) == 6..<6)
    }

    @Test func `the last line may have an end, and a text no line or one`() {
        let ended = CutText("a\nb\n")
        let two = PieceLines(ended.words, in: ended.bytes)
        #expect(two.count == 2 && two[3] == 1 && two[4] == 1)
        let single = CutText("a b")
        let one = PieceLines(single.words, in: single.bytes)
        #expect(one.count == 1 && one[2] == 0 && one[3] == 0)
        let empty = CutText("")
        let none = PieceLines(empty.words, in: empty.bytes)
        #expect(none.count == 0 && none[0] == 0)
    }

    @Test(
        arguments: [
            ([], []), ([0..<2], [0..<2]), ([0..<2, 2..<3], [0..<3]),
            ([0..<2, 3..<4], [0..<2, 3..<4]),
            ([0..<5, 1..<2], [0..<5]), ([0..<3, 2..<4], [0..<4]), ([2..<4, 0..<3], [0..<4]),
            ([4..<6, 0..<1, 1..<2], [0..<2, 4..<6]), ([0..<5, 1..<2, 3..<7], [0..<7]),
            ([0..<1, 1..<1, 3..<3], [0..<1, 3..<3]),
        ] as [([Range<Int>], [Range<Int>])]
    )
    func `stretches that overlap or touch are one`(stretches: [Range<Int>], wanted: [Range<Int>]) {
        let joined: [Range<Int>] = stretches.joined()
        #expect(joined == wanted)
    }

    @Test func `between changes the pieces of both texts go in step`() {
        let hunks = [
            DiffHunk(base: 1..<2, side: 1..<3), DiffHunk(base: 4..<4, side: 5..<6),
            DiffHunk(base: 5..<6, side: 7..<7),
        ]
        var steps: [[Int]] = []
        var changes: [DiffHunk] = []
        hunks.forEachUnchanged(upTo: 8) { base, side in
            steps.append([base, side, changes.count])
        } changed: { hunk in
            changes.append(hunk)
        }
        let wanted = [[0, 0, 0], [2, 3, 1], [3, 4, 1], [4, 6, 2], [6, 7, 3], [7, 8, 3]]
        #expect(steps == wanted)
        #expect(changes == hunks)
    }

    @Test func `a piece that went or was replaced has its change`() {
        let hunks = [
            DiffHunk(base: 1..<2, side: 1..<3), DiffHunk(base: 4..<4, side: 5..<6),
            DiffHunk(base: 5..<8, side: 7..<7),
        ]
        let changes: [DiffHunk?] = (0..<9).map { hunks.change(of: $0) }
        let (one, last) = (hunks[0], hunks[2])
        let wanted: [DiffHunk?] = [nil, one, nil, nil, nil, last, last, last, nil]
        #expect(changes == wanted)
    }

    @Test func `a word has a place where it is there once, and the mark of a point has none`() {
        let text = CutText("1. a b b\n")
        let places = PiecePlaces(ofWordsIn: text.words, kinds: text.kinds, of: text.bytes)
        let found: [Int?] = text.words.ids.map { places[$0] }
        let wanted: [Int?] = [nil, nil, nil, 3, nil, nil, nil, nil, nil]
        #expect(found == wanted)
    }

    @Test func `of all pieces those that are there once have a place`() {
        let text = CutText("a b\nb c\n")
        let places = PiecePlaces(ofAllIn: text.words, kinds: text.kinds + 1)
        let found: [Int?] = text.words.ids.map { places[$0] }
        let wanted: [Int?] = [0, nil, nil, nil, nil, nil, 6, nil]
        #expect(found == wanted)
        #expect(places.hasSeveral(text.words.ids[1]) && !places.hasSeveral(text.words.ids[0]))
        #expect(places[Int32(text.kinds)] == nil && !places.hasSeveral(Int32(text.kinds)))
    }

    @Test func `ranges that touch or overlap become one, whatever their order`() {
        #expect([5..<6, 0..<2, 5..<8, 8..<9].joined() == [0..<2, 5..<9])
        #expect([4..<9, 0..<1, 5..<6].joined() == [0..<1, 4..<9])
        #expect([Range<Int>]().joined() == [])
    }
}
