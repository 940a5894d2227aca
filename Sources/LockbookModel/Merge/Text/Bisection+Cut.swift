extension Bisection {
    /// A point that a path through a box leads through.
    struct Cut {
        var old: Int
        var new: Int
        var isExactBefore: Bool
        var isExactAfter: Bool
    }

    /// The diagonals of one parity that one number of edits reaches.
    struct Front {
        let middle: Int
        var low: Int
        var high: Int

        init(at diagonal: Int) {
            (middle, low, high) = (diagonal, diagonal, diagonal)
        }

        /// Widens by a diagonal on both sides, or narrows where the box ends.
        mutating func widen(within bounds: ClosedRange<Int>, _ reach: inout [Int32], by none: Int32)
        {
            if low > bounds.lowerBound {
                low -= 1
                reach[low - 1] = none
            } else {
                low += 1
            }
            if high < bounds.upperBound {
                high += 1
                reach[high + 1] = none
            } else {
                high -= 1
            }
        }

        var diagonals: StrideThrough<Int> {
            stride(from: high, through: low, by: -2)
        }
    }

    /// Edits from which on a long run of equal pieces is taken as a sign of a good path.
    static var costOfHaste: Int { 256 }
    /// Equal pieces in a row that make such a run.
    static var longRun: Int { 20 }

    /// Searches from both ends of a box until the two searches meet, or until it takes too long.
    mutating func cut(_ box: Box) -> Cut {
        let bounds =
            box.old.lowerBound - box.new.upperBound + offset...box.old.upperBound
            - box.new.lowerBound + offset
        var front = Front(at: box.old.lowerBound - box.new.lowerBound + offset)
        var back = Front(at: box.old.upperBound - box.new.upperBound + offset)
        let isOdd = (front.middle - back.middle) & 1 != 0
        forward[front.middle] = Int32(box.old.lowerBound)
        backward[back.middle] = Int32(box.old.upperBound)

        var cost = 0
        while true {
            cost += 1
            front.widen(within: bounds, &forward, by: -1)
            var (longest, meeting) = advance(front, box, until: isOdd ? back : nil)
            if let meeting { return meeting }
            back.widen(within: bounds, &backward, by: .max)
            let behind: Int
            (behind, meeting) = retreat(back, box, until: isOdd ? nil : front)
            if let meeting { return meeting }
            longest = max(longest, behind)
            budget -= front.high - front.low + back.high - back.low

            if box.isExact { continue }
            if longest > Self.longRun, cost > Self.costOfHaste {
                budget -= 4 * (front.high - front.low)
                if let cut = goodCut(box, front, back, cost: cost) { return cut }
            }
            if cost >= (budget > 0 ? patience : 32) { return furthestCut(box, front, back) }
        }
    }

    /// Takes one more edit from the start on every diagonal, then all equal pieces that follow.
    private mutating func advance(
        _ front: Front,
        _ box: Box,
        until back: Front?
    ) -> (longest: Int, Cut?) {
        var longest = 0
        for diagonal in front.diagonals {
            let (below, above) = (forward[diagonal - 1], forward[diagonal + 1])
            let start = Int(below >= above ? below + 1 : above)
            var (one, other) = (start, start - diagonal + offset)
            while one < box.old.upperBound, other < box.new.upperBound, old[one] == new[other] {
                one += 1
                other += 1
            }
            longest = max(longest, one - start)
            budget -= one - start
            forward[diagonal] = Int32(one)
            if let back, back.low <= diagonal, diagonal <= back.high, backward[diagonal] <= one {
                return (0, Cut(old: one, new: other, isExactBefore: true, isExactAfter: true))
            }
        }
        return (longest, nil)
    }

    /// The same from the end.
    private mutating func retreat(
        _ back: Front,
        _ box: Box,
        until front: Front?
    ) -> (longest: Int, Cut?) {
        var longest = 0
        for diagonal in back.diagonals {
            let (below, above) = (backward[diagonal - 1], backward[diagonal + 1])
            let start = Int(below < above ? below : above - 1)
            var (one, other) = (start, start - diagonal + offset)
            while one > box.old.lowerBound, other > box.new.lowerBound,
                old[one - 1] == new[other - 1]
            {
                one -= 1
                other -= 1
            }
            longest = max(longest, start - one)
            budget -= start - one
            backward[diagonal] = Int32(one)
            if let front, front.low <= diagonal, diagonal <= front.high, one <= forward[diagonal] {
                return (0, Cut(old: one, new: other, isExactBefore: true, isExactAfter: true))
            }
        }
        return (longest, nil)
    }
}
