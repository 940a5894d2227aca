import Testing

@testable import LockbookModel

/// Which pieces are worth comparing, and where runs of changed ones come to stand.
@Suite struct SequenceDiffSideTests {
    private typealias Side = SequenceDiff.Side

    /// The same by its words, piece for piece.
    private func isKept(_ index: Int, in range: Range<Int>, _ counts: [Int], many: Int) -> Bool {
        guard counts[index] > 0 else { return false }
        guard counts[index] >= many else { return true }
        // Pieces on one side of it, up to one that is rarer, and no more than a hundred.
        func stretch(_ step: Int) -> (lost: Int, vague: Int) {
            var (lost, vague, at) = (0, 0, index + step)
            while range.contains(at), abs(at - index) <= 100, counts[at] == 0 || counts[at] >= many
            {
                if counts[at] == 0 { lost += 1 } else { vague += 1 }
                at += step
            }
            return (lost, vague)
        }
        let (before, after) = (stretch(-1), stretch(1))
        if before.lost == 0 || after.lost == 0 { return true }
        let vague = before.vague + after.vague + 2
        return vague * 4 >= vague + before.lost + after.lost
    }

    @Test func `pieces that are everywhere are not compared amid others that have no partner`() {
        var dropped = 0
        for seed in UInt64(0)..<1_500 {
            var random = Seeded(seed)
            let count = Int.random(in: 1...500, using: &random)
            let ids = (0..<count).map { Int32($0) }
            // A few that have a partner part longer or shorter stretches.
            let (rare, common) = (
                [3, 20, 150, 400].randomElement(using: &random) ?? 3,
                [2, 4, 5, 6, 12].randomElement(using: &random) ?? 2
            )
            let many = Side.roundRoot(count)
            let counts = ids.map { _ in
                if Int.random(in: 0..<rare, using: &random) == 0 {
                    return Int.random(in: 1...max(1, many - 1), using: &random)
                }
                return Int.random(in: 0..<common, using: &random) == 0
                    ? many + Int.random(in: 0...1, using: &random) : 0
            }
            let start = Int.random(in: 0...count / 3, using: &random)
            let range = start..<Int.random(in: max(start, count / 2)...count, using: &random)
            var side = Side(ids)
            let kept = side.comparable(range, occurrences: counts.map { Int32($0) })
            let expected = range.filter { isKept($0, in: range, counts, many: many) }
            #expect(kept == expected, "seed \(seed)")
            #expect(
                side.changed.indices.filter { side.changed[$0] }
                    == range.filter { !expected.contains($0) },
                "seed \(seed)"
            )
            dropped +=
                range.count(where: { counts[$0] >= many })
                - kept.count(where: {
                    counts[$0] >= many
                })
        }
        #expect(dropped > 1_000)
    }

    @Test(arguments: [(1, 2), (3, 2), (4, 4), (15, 4), (16, 8), (63, 8), (64, 16)])
    func `how often is often grows with the root of the text`(count: Int, many: Int) {
        #expect(Side.roundRoot(count) == many)
    }

    /// Whether the piece amid two without a partner is compared that comes so often there.
    private func isCompared(_ occurrences: Int32, amid count: Int) -> Bool {
        var ids = [Int32](repeating: 0, count: count)
        ids[50] = 1
        var side = Side(ids)
        return side.comparable(0..<101, occurrences: [0, occurrences]) == [50]
    }

    @Test func `a thousand times is often in every text`() {
        #expect(isCompared(1_023, amid: 1 << 20))
        #expect(!isCompared(1_024, amid: 1 << 20))
        #expect(isCompared(1_023, amid: 1 << 22))
        #expect(!isCompared(1_024, amid: 1 << 22))
        #expect(isCompared(511, amid: 1 << 17))
        #expect(!isCompared(512, amid: 1 << 17))
    }

    /// A text of one line again and again, in which every second one below the first is changed.
    private func slid(_ count: Int, from start: Int, opposite: Int?) -> [Range<Int>] {
        var side = Side(Array(repeating: 0, count: count))
        for index in stride(from: start, to: count - 1, by: 2) { side.changed[index] = true }
        var other = Side(Array(repeating: 0, count: side.changed.count(where: { !$0 })))
        if let opposite {
            other = Side(other.ids + [0])
            other.changed[opposite] = true
        }
        SequenceDiff.settle(&side, along: other)
        var runs: [Range<Int>] = []
        for index in side.changed.indices where side.changed[index] {
            if let last = runs.last, last.upperBound == index {
                runs[runs.count - 1] = last.lowerBound..<index + 1
            } else {
                runs.append(index..<index + 1)
            }
        }
        return runs
    }

    @Test func `runs that meet are one, as low as it can stand, or opposite another one`() {
        #expect(slid(40, from: 10, opposite: nil) == [25..<40])
        #expect(slid(40, from: 10, opposite: 12) == [12..<27])
        #expect(slid(40, from: 0, opposite: 0) == [0..<20])
        #expect(slid(40, from: 1, opposite: 20) == [20..<39])
    }

    /// How many of four changed pieces slide in so many steps, each along three equal ones.
    ///
    /// - Parameters:
    ///   - start: which of the three is changed.
    ///   - hasOthers: whether a piece of the other sequence is changed behind the first of the three.
    private func slides(in steps: Int?, from start: Int, to end: Int, hasOthers: Bool) -> Int {
        let ids = (0..<4).flatMap { _ in [1, 1, 1, 2] as [Int32] }
        var side = Side(ids)
        for group in 0..<4 { side.changed[4 * group + start] = true }
        let kept = ids.indices.filter { !side.changed[$0] }.map { ids[$0] }
        var other = Side(hasOthers ? (0..<4).flatMap { _ in [1, 3, 1, 2] as [Int32] } : kept)
        for index in other.ids.indices where other.ids[index] == 3 { other.changed[index] = true }
        SequenceDiff.settle(&side, along: other, steps: steps)
        return (0..<4).count { side.changed[4 * $0 + end] }
    }

    @Test func `every piece that a run is slid by is a step, and without steps none is slid`() {
        for steps in -1...9 {
            // Down by two.
            let slides = slides(in: steps, from: 0, to: 2, hasOthers: false)
            #expect(slides == min(4, max(0, steps + 1) / 2), "\(steps)")
        }
        for steps in -1...21 {
            // Up by two, down by two, and up again to the piece that stands opposite.
            let slides = slides(in: steps, from: 2, to: 1, hasOthers: true)
            #expect(slides == min(4, max(0, steps + 4) / 5), "\(steps)")
        }
        #expect(slides(in: nil, from: 0, to: 2, hasOthers: false) == 4)
        #expect(slides(in: nil, from: 2, to: 1, hasOthers: true) == 4)
    }
}
