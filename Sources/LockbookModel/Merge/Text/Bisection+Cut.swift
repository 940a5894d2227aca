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
    /// Edits after which a path is cut when the budget is used up.
    private static var leastPatience: Int { 16 }

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
            let ahead = advance(front, box, until: isOdd ? back : nil)
            if let meeting = ahead.meeting { return meeting }
            back.widen(within: bounds, &backward, by: .max)
            let behind = retreat(back, box, until: isOdd ? nil : front)
            if let meeting = behind.meeting { return meeting }
            let longest = max(ahead.longest, behind.longest)
            budget -= front.high - front.low + back.high - back.low

            if box.isExact { continue }
            if longest > Self.longRun, cost > Self.costOfHaste {
                budget -= 4 * (front.high - front.low)
                if let cut = goodCut(box, front, back, cost: cost) { return cut }
            }
            if cost >= (budget > 0 ? patience : Self.leastPatience) {
                return furthestCut(box, front, back)
            }
        }
    }
}
