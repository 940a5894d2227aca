/// A stretch of the base that at least one side changed, and where the three versions of it are.
struct MergeRegion: Equatable {
    enum Taking {
        case local
        case remote
        /// Both sides changed it, and not to the same.
        case both
        /// The same, and markers of older conflicts are in it, which may not be merged in pieces.
        case whole
        /// Lines of one side follow what may be another list by now: both versions stay but of rows.
        case following
        /// Both versions of it stay, whoever changed it.
        case apart
    }

    var base: Range<Int>
    var local: Range<Int>
    var remote: Range<Int>
    var taking: Taking
}

extension MergeRegion {
    /// Lays the changes of both sides over each other.
    ///
    /// Changes that overlap or touch form one region (as in git: two insertions at one place have
    /// no order of their own, and neighbours rarely are independent), except for one and the same
    /// change made by both sides, and changes that touch where `parts` says that what replaces text
    /// there, the change of the given side, is independent of what replaces the text after it.
    static func all(
        local: [DiffHunk],
        remote: [DiffHunk],
        isSame: (DiffHunk, DiffHunk) -> Bool,
        parts: (DiffHunk, Taking) -> Bool
    ) -> [MergeRegion] {
        func isBefore(_ one: DiffHunk, of side: Taking, _ other: DiffHunk?) -> Bool {
            guard let other else { return true }
            let (end, start) = (one.base.upperBound, other.base.lowerBound)
            // An insertion replaces nothing, so it has no order with what it touches.
            return end < start
                || end == start && !one.base.isEmpty && !other.base.isEmpty && parts(one, side)
        }
        var regions: [MergeRegion] = []
        var (mine, theirs) = (Changes(local), Changes(remote))
        while mine.next != nil || theirs.next != nil {
            let (one, other) = (mine.next, theirs.next)
            if let one, isBefore(one, of: .local, other) {
                let opposite = theirs.shifted(one.base)
                regions.append(
                    .init(base: one.base, local: one.side, remote: opposite, taking: .local)
                )
                mine.pass()
            } else if let other, isBefore(other, of: .remote, one) {
                let opposite = mine.shifted(other.base)
                regions.append(
                    .init(base: other.base, local: opposite, remote: other.side, taking: .remote)
                )
                theirs.pass()
            } else if let one, let other {
                if isSame(one, other) {
                    regions.append(
                        .init(base: one.base, local: one.side, remote: other.side, taking: .local)
                    )
                    mine.pass()
                    theirs.pass()
                } else {
                    regions.append(overlap(&mine, &theirs, from: one, and: other))
                }
            }
        }
        return regions
    }

    /// Takes every change that hangs together with the two next ones into one region.
    private static func overlap(
        _ mine: inout Changes,
        _ theirs: inout Changes,
        from one: DiffHunk,
        and other: DiffHunk
    ) -> MergeRegion {
        let start = min(one.base.lowerBound, other.base.lowerBound)
        var end = max(one.base.upperBound, other.base.upperBound)
        let (local, remote) = (mine.shifted(start), theirs.shifted(start))
        mine.pass()
        theirs.pass()
        var grew = true
        while grew {
            grew = false
            while let next = mine.next, next.base.lowerBound <= end {
                end = max(end, next.base.upperBound)
                mine.pass()
                grew = true
            }
            while let next = theirs.next, next.base.lowerBound <= end {
                end = max(end, next.base.upperBound)
                theirs.pass()
                grew = true
            }
        }
        return MergeRegion(
            base: start..<end,
            local: local..<mine.shifted(end),
            remote: remote..<theirs.shifted(end),
            taking: .both
        )
    }
}

/// One side's changes in order, and how far its text is shifted after those already passed.
private struct Changes {
    private let hunks: [DiffHunk]
    private var index = 0
    private var shift = 0

    init(_ hunks: [DiffHunk]) {
        self.hunks = hunks
    }

    var next: DiffHunk? {
        index < hunks.count ? hunks[index] : nil
    }

    mutating func pass() {
        shift = hunks[index].side.upperBound - hunks[index].base.upperBound
        index += 1
    }

    /// Where a stretch of the base that holds no change of this side is on this side.
    func shifted(_ base: Range<Int>) -> Range<Int> {
        shifted(base.lowerBound)..<shifted(base.upperBound)
    }

    func shifted(_ index: Int) -> Int { index + shift }
}
