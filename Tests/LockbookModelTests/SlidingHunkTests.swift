import Testing

@testable import LockbookModel

/// Where a change is read that is the same change at several places.
struct SlidingHunkTests {
    /// The reading of a change of lines that may be slid over the whole text.
    private func sliding(_ hunk: DiffHunk, _ base: String, _ side: String) -> SlidingHunk? {
        let cut = CutVersions(base, side, "\n")
        return SlidingHunk(
            hunk,
            of: cut.base.lines,
            to: cut.local.lines,
            notBefore: 0,
            notBehind: cut.base.lines.count,
            in: cut.text
        )
    }

    private func readings(
        _ hunk: DiffHunk,
        _ base: String,
        _ side: String,
        _ limits: ClosedRange<Int>
    ) -> ClosedRange<Int> {
        let cut = CutVersions(base, side, "\n")
        return hunk.readings(
            of: cut.base.lines,
            to: cut.local.lines,
            notBefore: limits.lowerBound,
            notBehind: limits.upperBound
        )
    }

    private static let twice = lines("a", "b", "a", "b", "c")
    private static let once = lines("a", "b", "c")

    @Test func `what went may be slid as far as it gains what it loses, within its limits`() {
        let first = DiffHunk(base: 0..<2, side: 0..<0)
        #expect(readings(first, Self.twice, Self.once, 0...5) == 0...2)
        #expect(readings(first, Self.twice, Self.once, 0...3) == 0...1)
        #expect(readings(first, Self.twice, Self.once, 0...2) == 0...0)
        let second = DiffHunk(base: 2..<4, side: 2..<2)
        #expect(readings(second, Self.twice, Self.once, 0...5) == -2...0)
        #expect(readings(second, Self.twice, Self.once, 1...5) == -1...0)
        #expect(readings(second, Self.twice, Self.once, 2...5) == 0...0)
    }

    @Test func `what was added may be slid in the same way`() {
        let first = DiffHunk(base: 0..<0, side: 0..<2)
        let second = DiffHunk(base: 2..<2, side: 2..<4)
        #expect(readings(first, Self.once, Self.twice, 0...3) == 0...2)
        #expect(readings(first, Self.once, Self.twice, 0...1) == 0...1)
        #expect(readings(second, Self.once, Self.twice, 0...3) == -2...0)
        #expect(readings(second, Self.once, Self.twice, 1...3) == -1...0)
    }

    @Test func `what was replaced is read in one way`() {
        let replaced = sliding(DiffHunk(base: 0..<1, side: 0..<1), Self.twice, Self.once)
        let none = sliding(DiffHunk(base: 0..<0, side: 0..<0), Self.twice, Self.once)
        #expect(replaced?.hunk == nil && none?.hunk == nil)
        let alone = SlidingHunk(DiffHunk(base: 1..<2, side: 1..<3))
        #expect(alone.hunk == DiffHunk(base: 1..<2, side: 1..<3))
        #expect(alone.reach == 1..<2 && !alone.slides)
    }

    @Test func `of the same lines in a row those stay in doubt that begin as the likeliest`() throws
    {
        let gone = DiffHunk(base: 0..<2, side: 0..<0)
        let deletion = try #require(sliding(gone, Self.twice, Self.once))
        #expect(deletion.hunk == gone)
        #expect(deletion.reach == 0..<4 && deletion.slides)
        let new = DiffHunk(base: 2..<2, side: 2..<4)
        let addition = try #require(sliding(new, Self.once, Self.twice))
        #expect(addition.hunk == new)
        #expect(addition.reach == 0..<2 && addition.slides)
    }

    @Test func `words within a line are slid no further than they have to be`() throws {
        let cut = CutVersions("x a b a c\n", "x a c\n", "\n")
        let hunk = DiffHunk(base: 2..<6, side: 2..<2)
        let slid = try #require(
            SlidingHunk(
                hunk,
                of: cut.base.words,
                to: cut.local.words,
                notBefore: 0,
                notBehind: cut.base.words.count,
                in: cut.text
            )
        )
        #expect(slid.hunk == hunk)
        #expect(slid.reach == 1..<8)
    }

    @Test func `lines begin where they are indented least`() throws {
        // Both a record that begins with "- a" and one that ends with it went by this.
        let base = lines("- a", "  x", "- a", "  y", "end")
        let side = lines("- a", "  y", "end")
        let gone = DiffHunk(base: 1..<3, side: 1..<1)
        let slid = try #require(sliding(gone, base, side))
        #expect(slid.hunk == DiffHunk(base: 0..<2, side: 0..<0))
        #expect(!slid.slides)
    }

    @Test(arguments: [(1, 1), (2, 1), (30, 1), (31, 1), (32, 0), (33, 0)])
    func `blank lines above are passed for the text over them, though not very many`(
        blanks: Int,
        steps: Int
    ) throws {
        let above: String = "  deep\n" + String(repeating: "\n", count: blanks)
        let place = 1 + blanks
        let gone = DiffHunk(base: place..<place + 2, side: place..<place)
        let slid = try #require(
            sliding(gone, above + lines("a", "b", "a", "c"), above + lines("a", "c"))
        )
        // A record does not begin where lines come back from deeper ones.
        let (start, end) = (place + steps, place + steps + 2)
        #expect(slid.hunk.base == start..<end)
        #expect(!slid.slides)
    }

    @Test func `at the end of a text the blank line before a record comes with it`() throws {
        let new = DiffHunk(base: 3..<3, side: 3..<5)
        let slid = try #require(sliding(new, lines("a", "", "b"), lines("a", "", "b", "", "b")))
        #expect(slid.hunk == new)
        #expect(slid.reach == 1..<3)
    }

    @Test func `a blank line is passed once, wherever a change may begin`() {
        let text: String = "a\n" + String(repeating: "\n", count: 4) + "  b\n\n\n"
        var texts = FirstText(in: Array(text.utf8))
        #expect(texts.indentationBehindBlankLines(0..<4) == nil)
        #expect(texts.at == 0)
        // Blank lines alone, and then some before a text.
        #expect(texts.indentationBehindBlankLines(2..<6) == nil)
        #expect(texts.at == 6)
        for start in 3..<6 {
            #expect(texts.indentationBehindBlankLines(start..<start + 7) == 2)
            #expect(texts.at == 8)
        }
        // The text is in the first line, and then above it.
        #expect(texts.indentationBehindBlankLines(6..<11) == nil)
        #expect(texts.indentationBehindBlankLines(10..<12) == nil)
        #expect(texts.at == 12)
    }

    @Test func `lines that begin within a line in every reading are no such change`() {
        let cut = CutVersions("a b\nc\n", "a c\n", "\n")
        let slid = SlidingHunk(
            DiffHunk(base: 2..<4, side: 2..<2),
            of: cut.base.words,
            to: cut.local.words,
            notBefore: 0,
            notBehind: cut.base.words.count,
            in: cut.text
        )
        #expect(slid?.hunk == nil)
    }

    @Test func `what another change took is in doubt where one reading of this takes it, too`()
        throws
    {
        let cut = CutVersions(lines("a", "", "a", "", "c"), lines("a", "", "c"), "\n")
        let gone = DiffHunk(base: 0..<2, side: 0..<0)
        let slid = try #require(
            SlidingHunk(
                gone,
                of: cut.base.lines,
                to: cut.local.lines,
                notBefore: 0,
                notBehind: 5,
                in: cut.text
            )
        )
        #expect(slid.reach == 0..<4)
        func isUnsure(_ base: Range<Int>) -> Bool {
            let other = SlidingHunk(DiffHunk(base: base, side: base))
            return slid.isUnsure(beside: other, in: cut.base.lines, cut.text.bytes)
        }
        #expect(isUnsure(2..<3))
        #expect(isUnsure(2..<5))
        // Of blank lines nobody can tell, and what is taken in any case is a conflict.
        #expect(!isUnsure(3..<4))
        #expect(!isUnsure(0..<1) && !isUnsure(1..<3))
        #expect(!isUnsure(4..<5))
        #expect(isUnsure(1..<1) && isUnsure(3..<3))
        #expect(!isUnsure(0..<0) && !isUnsure(2..<2) && !isUnsure(4..<4) && !isUnsure(5..<5))
    }
}
