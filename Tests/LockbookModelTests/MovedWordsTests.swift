import Testing

@testable import LockbookModel

/// Lines of which words went to others, and what the other side did to them.
struct MovedWordsTests {
    private static let base = lines("call Anna", "call Bob", "pay rent", "ask Carl", "ask Dora")
    private static let side = lines("call Bob", "call Cleo", "pay rent", "ask Dora", "ask Emil")

    /// The moves of a text in which words were replaced at some places, one by one.
    private func moved(_ cut: CutVersions, at places: [Int]) -> MovedWords {
        let old = OldWords(cut.base.words, kinds: cut.kinds, in: cut.text.bytes)
        let none = WordsElsewhere.OfSides(in: [], of: cut.text)
        return MovedWords(
            places.map { DiffHunk(base: $0..<$0 + 1, side: $0..<$0 + 1) },
            from: old,
            to: cut.local.words,
            in: PieceLines(cut.local.words, in: cut.text.bytes),
            elsewhere: {
                var words = none
                return words.local
            },
            of: cut.text.bytes
        )
    }

    @Test func `lines between which a word went are in doubt, and all others are not`() {
        let moves = moved(CutVersions(Self.base, Self.side, "\n"), at: [2, 6, 14, 18])
        let doubtful: [Range<Int>] = [
            0..<1, 2..<3, 6..<7, 0..<8, 8..<8, 12..<12, 13..<14, 18..<20, 20..<20,
        ]
        for stretch in doubtful {
            #expect(moves.isDoubtful(stretch), "\(stretch)")
        }
        let others: [Range<Int>] = [9..<9, 8..<9, 7..<9, 10..<11, 11..<12, 11..<13, 0..<20]
        for stretch in others {
            #expect(!moves.isDoubtful(stretch), "\(stretch)")
        }
    }

    @Test func `words that are new leave their lines what they were`() {
        let side = lines("call Hugo", "call Cleo", "pay rent", "ask Ines", "ask Emil")
        let moves = moved(CutVersions(Self.base, side, "\n"), at: [2, 6, 14, 18])
        for piece in 0..<20 { #expect(!moves.isDoubtful(piece..<piece + 1)) }
    }

    @Test func `a change concerns them that is in one of these lines`() {
        expect("call Anna", becomes: "call Uta", DiffHunk(base: 2..<3, side: 2..<3), true)
        expect("pay rent", becomes: "pay tax", DiffHunk(base: 10..<11, side: 10..<11), false)
        expect("ask Dora", becomes: "ask Uta", DiffHunk(base: 18..<19, side: 18..<19), true)
        expect("call Anna", becomes: "call my Anna", DiffHunk(base: 2..<2, side: 2..<4), true)
        expect("pay rent", becomes: "pay my rent", DiffHunk(base: 10..<10, side: 10..<12), false)
    }

    @Test func `a change of lines between them that reaches into the next ones concerns them`() {
        let lines = "pay rent\nask Carl"
        expect(lines, becomes: "get soap\nbeg Carl", DiffHunk(base: 8..<13, side: 8..<13), true)
        expect(lines, becomes: "get soap\nask Carl", DiffHunk(base: 8..<12, side: 8..<12), false)
        expect(lines, becomes: "pay tax!\nbeg Carl", DiffHunk(base: 10..<13, side: 10..<14), true)
    }

    @Test func `blanks alone concern nobody's words`() {
        expect("call Anna", becomes: "call  Anna", DiffHunk(base: 1..<2, side: 1..<2), false)
        expect("call Bob", becomes: "  call Bob", DiffHunk(base: 4..<4, side: 4..<5), false)
    }

    @Test func `lines added between them concern them where they are indented`() {
        expect("call Bob", becomes: "new\ncall Bob", DiffHunk(base: 4..<4, side: 4..<6), false)
        expect("call Bob", becomes: "  new\ncall Bob", DiffHunk(base: 4..<4, side: 4..<7), true)
        expect("pay rent", becomes: "  new\npay rent", DiffHunk(base: 8..<8, side: 8..<11), true)
        expect("call Anna", becomes: "\tnew\ncall Anna", DiffHunk(base: 0..<0, side: 0..<3), true)
    }

    @Test func `what is put in front of one of them concerns it, and not what is behind them`() {
        expect("call Bob", becomes: "- call Bob", DiffHunk(base: 4..<4, side: 4..<6), true)
        expect("pay rent", becomes: "- pay rent", DiffHunk(base: 8..<8, side: 8..<10), false)
        expect("ask Carl", becomes: "- ask Carl", DiffHunk(base: 12..<12, side: 12..<14), true)
    }

    /// Whether a change of the other side concerns the lines between which words went.
    private func expect(
        _ line: String,
        becomes new: String,
        _ change: DiffHunk,
        _ isConcerned: Bool,
        _ place: SourceLocation = #_sourceLocation
    ) {
        let cut = CutVersions(Self.base, Self.side, Self.base.replacing(line, with: new))
        let concerns = moved(cut, at: [2, 6, 14, 18]).concern(
            [change],
            of: cut.base.words,
            to: cut.remote.words,
            in: cut.text.bytes
        )
        #expect(concerns == isConcerned, sourceLocation: place)
    }
}
