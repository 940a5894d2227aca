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
            guard count >= self.count else { return }
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

    /// - Parameters:
    ///   - hunks: all that the side changed, in order.
    ///   - new: the lines of the side.
    ///   - isRare: whether a piece of the base is there once in all that either side changed.
    init(
        _ hunks: [DiffHunk],
        from words: OldWords,
        to side: TextPieces,
        _ new: PieceLines,
        in bytes: [UInt8],
        isRare: (_ piece: Int) -> Bool
    ) {
        let (base, places) = (words.pieces, words.places)
        (old, self.new) = (words.lines, new)
        changed = (Array(repeating: 0, count: old.count), Array(repeating: 0, count: new.count))
        kept.reserveCapacity(old.count)
        landings.reserveCapacity(new.count)
        hunks.forEachUnchanged(upTo: base.count) { piece, counterpart in
            if side.startsLine(counterpart, in: bytes) { landings.append(old[piece]) }
            let pair = Pair(old: old[piece], new: new[counterpart])
            if kept.last?.pair != pair { kept.append(Kept(pair: pair)) }
            if !base.isBlank(piece, in: bytes) { kept[kept.count - 1].signs += 1 }
            if places[base.ids[piece]] == piece, isRare(piece) { kept[kept.count - 1].words += 1 }
        } changed: { hunk in
            for piece in hunk.base where base.isWord(piece, in: bytes) {
                changed.old[old[piece]] += 1
            }
            for piece in hunk.side {
                if side.startsLine(piece, in: bytes) { landings.append(old[hunk.base.lowerBound]) }
                if side.isWord(piece, in: bytes) { changed.new[new[piece]] += 1 }
            }
        }
    }

    /// Counts the words that went to other lines, or to another stretch of the text.
    mutating func follow(
        _ hunks: [DiffHunk],
        from words: OldWords,
        to side: TextPieces,
        _ others: WordsElsewhere
    ) {
        for hunk in hunks {
            for piece in hunk.side {
                if let place = words.places[side.ids[piece]] {
                    let pair = Pair(old: old[place], new: new[piece])
                    moved[pair, default: Moved()].there += 1
                    if hunks.change(of: place) != nil { moved[pair, default: Moved()].alone += 1 }
                } else if others.contain(side.bytes(of: piece..<piece + 1)) {
                    elsewhere.new[new[piece], default: 0] += 1
                }
            }
            for piece in hunk.base
            where others.contain(words.pieces.bytes(of: piece..<piece + 1)) {
                elsewhere.old[old[piece], default: 0] += 1
            }
        }
    }

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
