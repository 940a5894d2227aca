extension Bisection {
    /// What one more edit on every diagonal of a front came to.
    struct Walk {
        /// Equal pieces passed on any one diagonal, and on all together.
        var longest = 0
        var equal = 0
        /// Where the two searches met.
        var meeting: Cut?

        mutating func pass(_ count: Int) {
            longest = max(longest, count)
            equal += count
        }
    }

    /// Takes one more edit from the start on every diagonal, then all equal pieces that follow.
    mutating func advance(_ front: Front, _ box: Box, until back: Front?) -> Walk {
        let walk = Self.advance(front, box, until: back, pair, &forward, backward)
        budget -= walk.equal
        return walk
    }

    /// The same from the end.
    mutating func retreat(_ back: Front, _ box: Box, until front: Front?) -> Walk {
        let walk = Self.retreat(back, box, until: front, pair, &backward, forward)
        budget -= walk.equal
        return walk
    }

    // Spans, since an array would be asked at every write whether it is shared.

    private static func advance(
        _ front: Front,
        _ box: Box,
        until back: Front?,
        _ pair: Pair,
        _ forward: inout [Int32],
        _ backward: [Int32]
    ) -> Walk {
        let (old, new, met) = (pair.old.span, pair.new.span, backward.span)
        var reach = forward.mutableSpan
        var walk = Walk()
        var diagonal = front.high
        while diagonal >= front.low {
            let (below, above) = (reach[diagonal - 1], reach[diagonal + 1])
            let start = Int(below >= above ? below + 1 : above)
            var (one, other) = (start, start - diagonal + pair.offset)
            while one < box.old.upperBound, other < box.new.upperBound, old[one] == new[other] {
                one += 1
                other += 1
            }
            walk.pass(one - start)
            reach[diagonal] = Int32(one)
            if let back, back.low <= diagonal, diagonal <= back.high, met[diagonal] <= one {
                walk.meeting = Cut(at: one, other)
                break
            }
            diagonal -= 2
        }
        return walk
    }

    private static func retreat(
        _ back: Front,
        _ box: Box,
        until front: Front?,
        _ pair: Pair,
        _ backward: inout [Int32],
        _ forward: [Int32]
    ) -> Walk {
        let (old, new, met) = (pair.old.span, pair.new.span, forward.span)
        var reach = backward.mutableSpan
        var walk = Walk()
        var diagonal = back.high
        while diagonal >= back.low {
            let (below, above) = (reach[diagonal - 1], reach[diagonal + 1])
            let start = Int(below < above ? below : above - 1)
            var (one, other) = (start, start - diagonal + pair.offset)
            while one > box.old.lowerBound, other > box.new.lowerBound,
                old[one - 1] == new[other - 1]
            {
                one -= 1
                other -= 1
            }
            walk.pass(start - one)
            reach[diagonal] = Int32(one)
            if let front, front.low <= diagonal, diagonal <= front.high, one <= met[diagonal] {
                walk.meeting = Cut(at: one, other)
                break
            }
            diagonal -= 2
        }
        return walk
    }
}

extension Bisection.Cut {
    /// A point where the searches from both ends met.
    fileprivate init(at old: Int, _ new: Int) {
        self.init(old: old, new: new, isExactBefore: true, isExactAfter: true)
    }
}
