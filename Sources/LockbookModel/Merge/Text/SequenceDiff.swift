/// A stretch of one sequence that another one has something else for.
struct DiffHunk: Equatable {
    var base: Range<Int>
    var side: Range<Int>
}

/// The difference of two sequences of piece numbers.
///
/// Myers' algorithm in linear space ("An O(ND) Difference Algorithm and Its Variations", 1986) with
/// the heuristics of GNU diff. Where several differences are equally short, what is chosen and how
/// far it is slid decides which changes of two sides touch. Those choices are made as git makes
/// them, because a merge that is clean in git has to be the same here.
struct SequenceDiff {
    /// One of the two sequences, and which of its pieces are not in the other.
    struct Side {
        let ids: [Int32]
        var changed: [Bool]

        init(_ ids: [Int32]) {
            self.ids = ids
            changed = Array(repeating: false, count: ids.count)
        }

        func isChanged(_ index: Int) -> Bool {
            index >= 0 && index < changed.count && changed[index]
        }
    }

    var base: Side
    var side: Side

    /// The changes from one sequence to another, in order, with at least one piece between them.
    ///
    /// The ids are below `kinds`. The steps that comparing took are taken off the budget; when it is
    /// used up, the answer is still a difference, but a longer one than there need be.
    static func hunks(
        from base: [Int32],
        to side: [Int32],
        kinds: Int,
        budget: inout Int
    ) -> [DiffHunk] {
        if base == side { return [] }
        var diff = SequenceDiff(base: Side(base), side: Side(side))
        diff.mark(kinds: kinds, budget: &budget)
        settle(&diff.base, along: diff.side)
        settle(&diff.side, along: diff.base)
        return diff.hunks()
    }

    private mutating func mark(kinds: Int, budget: inout Int) {
        let shorter = min(base.ids.count, side.ids.count)
        var head = 0
        while head < shorter, base.ids[head] == side.ids[head] { head += 1 }
        var tail = 0
        while tail < shorter - head,
            base.ids[base.ids.count - 1 - tail] == side.ids[side.ids.count - 1 - tail]
        {
            tail += 1
        }

        let (inBase, inSide) = (Self.counts(base.ids, kinds), Self.counts(side.ids, kinds))
        let old = base.comparable(head..<base.ids.count - tail, occurrences: inSide)
        let new = side.comparable(head..<side.ids.count - tail, occurrences: inBase)
        var bisection = Bisection(
            old: old.map { base.ids[$0] },
            new: new.map { side.ids[$0] },
            budget: budget
        )
        bisection.run()
        budget = bisection.budget
        for (index, isChanged) in zip(old, bisection.oldChanged) where isChanged {
            base.changed[index] = true
        }
        for (index, isChanged) in zip(new, bisection.newChanged) where isChanged {
            side.changed[index] = true
        }
    }

    /// How often each id is there.
    static func counts(_ ids: [Int32], _ kinds: Int) -> [Int32] {
        var counts = [Int32](repeating: 0, count: kinds)
        for id in ids { counts[Int(id)] += 1 }
        return counts
    }

    private func hunks() -> [DiffHunk] {
        var hunks: [DiffHunk] = []
        var (old, new) = (0, 0)
        while old < base.ids.count || new < side.ids.count {
            let start = (old, new)
            while base.isChanged(old) { old += 1 }
            while side.isChanged(new) { new += 1 }
            if start != (old, new) {
                hunks.append(DiffHunk(base: start.0..<old, side: start.1..<new))
            }
            old += 1
            new += 1
        }
        return hunks
    }
}
