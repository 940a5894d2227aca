import Testing

@testable import LockbookModel

/// How far the lines reach that a region of both sides is merged with.
struct MergeRegionSlideTests {
    private func reaching(
        _ regions: [MergeRegion],
        over base: String,
        local: (text: String, hunks: [DiffHunk]),
        remote: (text: String, hunks: [DiffHunk])
    ) -> [MergeRegion] {
        let cut = CutVersions(base, local.text, remote.text)
        return regions.reachingOut(
            over: cut.base.lines,
            [(cut.local.lines, local.hunks), (cut.remote.lines, remote.hunks)],
            in: cut.text.bytes
        )
    }

    private static let base = lines("a", "b", "a", "b", "c")
    private let gone = DiffHunk(base: 0..<2, side: 0..<0)
    private let first = MergeRegion(base: 0..<2, local: 0..<0, remote: 0..<2, taking: .both)

    @Test func `a region takes the lines over which a change may be slid`() {
        let reached = reaching(
            [first],
            over: Self.base,
            local: (lines("a", "b", "c"), [gone]),
            remote: (Self.base, [])
        )
        #expect(reached == [MergeRegion(base: 0..<4, local: 0..<2, remote: 0..<4, taking: .both)])
    }

    @Test func `of either side`() {
        let region = MergeRegion(base: 2..<4, local: 2..<4, remote: 2..<2, taking: .both)
        let reached = reaching(
            [region],
            over: Self.base,
            local: (Self.base, []),
            remote: (lines("a", "b", "c"), [DiffHunk(base: 2..<4, side: 2..<2)])
        )
        #expect(reached == [MergeRegion(base: 0..<4, local: 0..<4, remote: 0..<2, taking: .both)])
    }

    @Test func `it ends where the next region begins, and begins where the one before ends`() {
        let next = MergeRegion(base: 3..<4, local: 1..<2, remote: 3..<4, taking: .remote)
        let down = reaching(
            [first, next],
            over: Self.base,
            local: (lines("a", "b", "c"), [gone]),
            remote: (lines("a", "b", "a", "x", "c"), [DiffHunk(base: 3..<4, side: 3..<4)])
        )
        #expect(
            down == [MergeRegion(base: 0..<3, local: 0..<1, remote: 0..<3, taking: .both), next]
        )
        let before = MergeRegion(base: 0..<1, local: 0..<1, remote: 0..<1, taking: .remote)
        let last = MergeRegion(base: 2..<4, local: 2..<2, remote: 2..<4, taking: .both)
        let up = reaching(
            [before, last],
            over: Self.base,
            local: (lines("a", "b", "c"), [DiffHunk(base: 2..<4, side: 2..<2)]),
            remote: (lines("x", "b", "a", "b", "c"), [DiffHunk(base: 0..<1, side: 0..<1)])
        )
        #expect(
            up == [before, MergeRegion(base: 1..<4, local: 1..<2, remote: 1..<4, taking: .both)]
        )
    }

    @Test func `each region has the changes that are in it`() {
        let base = lines("a", "b", "a", "b", "c", "d", "e", "d", "e", "f")
        let last = MergeRegion(base: 7..<9, local: 5..<5, remote: 7..<9, taking: .both)
        let reached = reaching(
            [first, last],
            over: base,
            local: (
                lines("a", "b", "c", "d", "e", "f"),
                [gone, DiffHunk(base: 7..<9, side: 5..<5)]
            ),
            remote: (base, [])
        )
        let wanted: [MergeRegion] = [
            MergeRegion(base: 0..<4, local: 0..<2, remote: 0..<4, taking: .both),
            MergeRegion(base: 5..<9, local: 3..<5, remote: 5..<9, taking: .both),
        ]
        #expect(reached == wanted)
    }

    @Test func `blank lines and brackets alone are slid over by chance`() {
        let base = lines("", "}", "", "}", "c")
        let reached = reaching(
            [first],
            over: base,
            local: (lines("", "}", "c"), [gone]),
            remote: (base, [])
        )
        #expect(reached == [first])
    }

    @Test func `what one side alone changed, and what was only added, stays as it is`() {
        let alone = MergeRegion(base: 0..<2, local: 0..<0, remote: 0..<2, taking: .local)
        let new = MergeRegion(base: 0..<0, local: 0..<2, remote: 0..<2, taking: .both)
        let short = lines("a", "b", "c")
        let alike = reaching(
            [alone],
            over: Self.base,
            local: (short, [gone]),
            remote: (Self.base, [])
        )
        #expect(alike == [alone])
        let added = reaching(
            [new],
            over: short,
            local: (Self.base, [DiffHunk(base: 0..<0, side: 0..<2)]),
            remote: (Self.base, [DiffHunk(base: 0..<0, side: 0..<2)])
        )
        #expect(added == [new])
    }
}
