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
        let surroundings = Surroundings(of: promises)
        var kept: [Int] = []
        kept.reserveCapacity(range.count)
        for (offset, promise) in promises.enumerated() {
            if promise == .some || promise == .vague && !surroundings.lose(offset) {
                kept.append(range.lowerBound + offset)
            } else {
                changed[range.lowerBound + offset] = true
            }
        }
        return kept
    }

    /// Says of a vague piece whether it stands in a run in which pieces without a match prevail.
    private struct Surroundings {
        /// How many pieces without a match stand before each offset.
        private var none: [Int32] = [0]
        /// Where the run of pieces that are not promising starts and ends, for each offset.
        private var start: [Int32] = []
        private var end: [Int32]
        private static let window = 100

        init(of promises: [Promise]) {
            none.reserveCapacity(promises.count + 1)
            start.reserveCapacity(promises.count)
            end = Array(repeating: 0, count: promises.count)
            var first: Int32 = 0
            for (offset, promise) in promises.enumerated() {
                none.append(none[offset] + (promise == .none ? 1 : 0))
                start.append(first)
                if promise == .some { first = Int32(offset) + 1 }
            }
            var last = Int32(promises.count)
            for offset in promises.indices.reversed() {
                end[offset] = last
                if promises[offset] == .some { last = Int32(offset) }
            }
        }

        func lose(_ offset: Int) -> Bool {
            let first = max(Int(start[offset]), offset - Self.window)
            let last = min(Int(end[offset]), offset + Self.window + 1)
            let before = Int(none[offset] - none[first])
            let after = Int(none[last] - none[offset + 1])
            if before == 0 || after == 0 { return false }
            // The piece itself counts as two, one for each direction.
            let vague = last - first - 1 - before - after + 2
            return vague * 4 < vague + before + after
        }
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
