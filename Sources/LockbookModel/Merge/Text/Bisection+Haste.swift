extension Bisection {
    /// A cut in the middle of a long run of equal pieces far along a path, if there is one.
    ///
    /// Only the half that the path was followed through is known to be short.
    func goodCut(_ box: Box, _ front: Front, _ back: Front, cost: Int) -> Cut? {
        var best = 4 * cost
        var cut: Cut?
        for diagonal in front.diagonals {
            let one = Int(forward[diagonal])
            let other = one - diagonal + offset
            let gain =
                one - box.old.lowerBound + other - box.new.lowerBound
                - abs(diagonal - front.middle)
            if gain > best, box.old.lowerBound + Self.longRun <= one, one < box.old.upperBound,
                box.new.lowerBound + Self.longRun <= other, other < box.new.upperBound,
                old[one - Self.longRun..<one] == new[other - Self.longRun..<other]
            {
                best = gain
                cut = Cut(old: one, new: other, isExactBefore: true, isExactAfter: false)
            }
        }
        if cut != nil { return cut }
        for diagonal in back.diagonals {
            let one = Int(backward[diagonal])
            let other = one - diagonal + offset
            let gain =
                box.old.upperBound - one + box.new.upperBound - other
                - abs(diagonal - back.middle)
            if gain > best, box.old.lowerBound < one, one <= box.old.upperBound - Self.longRun,
                box.new.lowerBound < other, other <= box.new.upperBound - Self.longRun,
                old[one..<one + Self.longRun] == new[other..<other + Self.longRun]
            {
                best = gain
                cut = Cut(old: one, new: other, isExactBefore: false, isExactAfter: true)
            }
        }
        return cut
    }

    /// The point where the search from one of the ends got furthest.
    func furthestCut(_ box: Box, _ front: Front, _ back: Front) -> Cut {
        var (ahead, aheadOld) = (-1, -1)
        for diagonal in front.diagonals {
            let shift = diagonal - offset
            let one = min(Int(forward[diagonal]), box.old.upperBound, box.new.upperBound + shift)
            if ahead < one + one - shift { (ahead, aheadOld) = (one + one - shift, one) }
        }
        var (behind, behindOld) = (Int.max, Int.max)
        for diagonal in back.diagonals {
            let shift = diagonal - offset
            let one = max(Int(backward[diagonal]), box.old.lowerBound, box.new.lowerBound + shift)
            if one + one - shift < behind { (behind, behindOld) = (one + one - shift, one) }
        }
        let toGo = box.old.upperBound + box.new.upperBound - behind
        if toGo < ahead - box.old.lowerBound - box.new.lowerBound {
            return Cut(
                old: aheadOld,
                new: ahead - aheadOld,
                isExactBefore: true,
                isExactAfter: false
            )
        }
        return Cut(
            old: behindOld,
            new: behind - behindOld,
            isExactBefore: false,
            isExactAfter: true
        )
    }
}
