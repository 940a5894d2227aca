/// Which line of one side has what of which line of the base.
struct LinePairs {
    private struct Pair: Hashable {
        let old: Int
        let new: Int
    }

    /// What two lines share that did not change.
    private struct Kept {
        let pair: Pair
        /// Pieces that are no blanks.
        var signs = 0
        /// Words that the base has once.
        var words = 0
    }

    /// Words that the base has once, and that are in another line of the side.
    private struct Moved {
        var there = 0
        /// Those that are nowhere else in it.
        var alone = 0
    }

    /// The lines with which a line shares most words that moved, and how many these are.
    private struct Best {
        var count = 0
        var lines: ClosedRange<Int>?

        mutating func add(_ count: Int, _ line: Int) {
            guard count > 0, count >= self.count else { return }
            let others = count == self.count ? lines : nil
            let from = Swift.min(others?.lowerBound ?? line, line)
            lines = from...Swift.max(others?.upperBound ?? line, line)
            self.count = count
        }
    }

    private let old: PieceLines
    private let new: PieceLines
    /// In order.
    private var kept: [Kept] = []
    /// How many words of a line of either version changed.
    private var changed: (old: [Int], new: [Int])
    private var moved: [Pair: Moved] = [:]
    /// How many words of a line of either version are in another stretch of the text in the other one.
    private var elsewhere: (old: [Int: Int], new: [Int: Int]) = ([:], [:])
    /// Where in the base each line of the side begins.
    private var landings: [Int] = []

    init(_ old: PieceLines, _ new: PieceLines) {
        (self.old, self.new) = (old, new)
        changed = (Array(repeating: 0, count: old.count), Array(repeating: 0, count: new.count))
        kept.reserveCapacity(old.count + 1)
        landings.reserveCapacity(new.count)
    }

    /// Says where in the base the next line of the side begins.
    mutating func land(at piece: Int) { landings.append(old[piece]) }

    /// Says that a piece is the same in both.
    mutating func keep(_ piece: Int, _ counterpart: Int, isBlank: Bool, isTelling: Bool) {
        let pair = Pair(old: old[piece], new: new[counterpart])
        if kept.last?.pair != pair { kept.append(Kept(pair: pair)) }
        if !isBlank { kept[kept.count - 1].signs += 1 }
        if isTelling { kept[kept.count - 1].words += 1 }
    }

    /// Says that a word of the base is not there any more.
    mutating func take(_ piece: Int) { changed.old[old[piece]] += 1 }

    /// Says that a word of the side is new.
    mutating func add(_ counterpart: Int) { changed.new[new[counterpart]] += 1 }

    /// Says that the side put a word that the base has once into a line.
    mutating func move(_ piece: Int, to counterpart: Int, isGone: Bool) {
        let pair = Pair(old: old[piece], new: new[counterpart])
        moved[pair, default: Moved()].there += 1
        if isGone { moved[pair, default: Moved()].alone += 1 }
    }

    /// Says that a word of the base is in another stretch of the side.
    mutating func leave(_ piece: Int) { elsewhere.old[old[piece], default: 0] += 1 }

    /// Says that a word of the side comes from another stretch of the base.
    mutating func arrive(_ counterpart: Int) { elsewhere.new[new[counterpart], default: 0] += 1 }

    /// Whether a line may have become another one; not one of which four of five words stayed.
    var isAnyOpen: Bool { kept.contains(where: isOpen) }

    private func isOpen(_ kept: Kept) -> Bool {
        let words = Swift.max(changed.old[kept.pair.old], changed.new[kept.pair.new])
        return kept.signs > 0 && words > 0 && words * 4 >= kept.words
    }

    /// Stretches of lines of the base that may have become others.
    ///
    /// A line that stayed where it is by fewer of its words than went to, or came from, one other line,
    /// with all between the two, and as much around, since records may have more lines than that.
    func doubtful() -> [Range<Int>] {
        let same = moved.isEmpty ? [] : Set(kept.lazy.filter { $0.signs > 0 }.map(\.pair))
        var (targets, sources) = ([Int: Best](), [Int: Best]())
        for (pair, words) in moved where !same.contains(pair) {
            targets[pair.old, default: Best()].add(words.there, landings[pair.new])
            sources[pair.new, default: Best()].add(words.alone, pair.old)
        }
        var stretches: [Range<Int>] = []
        for kept in kept where isOpen(kept) {
            let least = Swift.max(1, kept.words)
            let pair = kept.pair
            if Swift.max(elsewhere.old[pair.old] ?? 0, elsewhere.new[pair.new] ?? 0) >= least {
                // How long its record is, nobody knows.
                return [0..<old.count]
            }
            for best in [targets[pair.old], sources[pair.new]] {
                guard let best, let lines = best.lines, best.count >= least else { continue }
                let from = Swift.min(lines.lowerBound, pair.old)
                let to = Swift.max(lines.upperBound, pair.old)
                let around = Swift.max(0, to - from - 1)
                stretches.append(
                    Swift.max(0, from - around)..<Swift.min(old.count, to + around + 1)
                )
            }
        }
        return stretches
    }
}
