extension SequenceDiff {
    /// Slides the runs of changed pieces of one side to where a reader expects them.
    ///
    /// A run may move by one where the piece it gains equals the piece it loses. Runs that meet
    /// become one. A run ends opposite a run of the other side if it can, else as low as it can.
    ///
    /// - Parameter limit: steps after which no further run is slid, if not as many as usual.
    static func settle(_ side: inout Side, along other: Side, steps limit: Int? = nil) {
        var run = Run(at: 0, of: side)
        var opposite = Run(at: 0, of: other)
        // Sliding is linear in practice; this keeps it so for text made to be slid.
        var steps = limit ?? 64 * (side.ids.count + 64)
        repeat {
            if !run.isEmpty, steps > 0 {
                slide(&run, &side, &opposite, other, &steps)
            }
            opposite = opposite.next(in: other)
            if run.end == side.ids.count { return }
            run = run.next(in: side)
        } while true
    }

    private static func slide(
        _ run: inout Run,
        _ side: inout Side,
        _ opposite: inout Run,
        _ other: Side,
        _ steps: inout Int
    ) {
        var size: Int
        var highestEnd: Int
        var endOpposite: Int?
        repeat {
            size = run.count
            while run.slideUp(in: &side) {
                opposite = opposite.previous(in: other)
                steps -= 1
            }
            highestEnd = run.end
            endOpposite = opposite.isEmpty ? nil : run.end
            while run.slideDown(in: &side) {
                opposite = opposite.next(in: other)
                if !opposite.isEmpty { endOpposite = run.end }
                steps -= 1
            }
        } while size != run.count && steps > 0

        guard run.end != highestEnd, endOpposite != nil else { return }
        while opposite.isEmpty, run.slideUp(in: &side) {
            opposite = opposite.previous(in: other)
            steps -= 1
        }
    }

    /// Neighbouring changed pieces, perhaps none, between two unchanged ones.
    ///
    /// The n-th run of one side stands opposite the n-th run of the other.
    private struct Run {
        var start: Int
        var end: Int

        init(at start: Int, of side: Side) {
            self.start = start
            end = start
            while side.isChanged(end) { end += 1 }
        }

        private init(before end: Int, of side: Side) {
            self.end = end
            start = end
            while side.isChanged(start - 1) { start -= 1 }
        }

        var isEmpty: Bool { start == end }
        var count: Int { end - start }

        func next(in side: Side) -> Run {
            end < side.ids.count ? Run(at: end + 1, of: side) : self
        }

        func previous(in side: Side) -> Run {
            start > 0 ? Run(before: start - 1, of: side) : self
        }

        mutating func slideDown(in side: inout Side) -> Bool {
            guard end < side.ids.count, side.ids[start] == side.ids[end] else { return false }
            side.changed[start] = false
            side.changed[end] = true
            start += 1
            end += 1
            while side.isChanged(end) { end += 1 }
            return true
        }

        mutating func slideUp(in side: inout Side) -> Bool {
            guard start > 0, side.ids[start - 1] == side.ids[end - 1] else { return false }
            start -= 1
            end -= 1
            side.changed[start] = true
            side.changed[end] = false
            while side.isChanged(start - 1) { start -= 1 }
            return true
        }
    }
}
