extension SequenceDiff.Side {
    private enum Promise {
        /// The other sequence does not have it.
        case none
        case some
        /// The other sequence has it so often that a match says little.
        case vague
    }

    /// The indices in `range` worth comparing; all others in it are marked as changed.
    ///
    /// Pieces the other sequence lacks cannot match. Very common ones amid such pieces (blank lines
    /// in a paragraph written anew) would only cost time and bring matches that mean nothing.
    mutating func comparable(_ range: Range<Int>, occurrences: [Int32]) -> [Int] {
        let many = min(Self.roundRoot(ids.count), 1024)
        let promises = range.map { index -> Promise in
            let count = Int(occurrences[Int(ids[index])])
            return count == 0 ? .none : count >= many ? .vague : .some
        }
        var kept: [Int] = []
        kept.reserveCapacity(range.count)
        for (offset, promise) in promises.enumerated() {
            if promise == .some || promise == .vague && !Self.isLost(offset, among: promises) {
                kept.append(range.lowerBound + offset)
            } else {
                changed[range.lowerBound + offset] = true
            }
        }
        return kept
    }

    /// Whether a vague piece stands in a run in which pieces without a match prevail.
    private static func isLost(_ offset: Int, among promises: [Promise]) -> Bool {
        let window = 100
        func run(_ offsets: some Sequence<Int>) -> (none: Int, vague: Int) {
            var (none, vague) = (0, 0)
            for other in offsets {
                switch promises[other] {
                case .none: none += 1
                case .vague: vague += 1
                case .some: return (none, vague)
                }
            }
            return (none, vague)
        }
        let before = run((max(0, offset - window)..<offset).reversed())
        if before.none == 0 { return false }
        let after = run(offset + 1..<min(promises.count, offset + window + 1))
        if after.none == 0 { return false }
        let (none, vague) = (before.none + after.none, before.vague + after.vague + 2)
        return vague * 4 < vague + none
    }

    /// A power of two near the square root.
    static func roundRoot(_ number: Int) -> Int {
        var (root, rest) = (1, number)
        while rest > 0 {
            root <<= 1
            rest >>= 2
        }
        return root
    }
}
