/// Lines of which nobody can tell what one side made of them, as words of them are in another line there.
///
/// `call Anna` over `call Bob` that became `call Bob` over `call Cleo` is, to a comparison, two names
/// that changed. What the other side wrote into the second line was meant for Bob, who stands in the
/// first one now.
struct MovedWords {
    /// Stretches of pieces of the base, in order and apart.
    private let doubtful: [Range<Int>]

    /// - Parameters:
    ///   - hunks: all that the side changed, in order.
    ///   - lines: of the side.
    ///   - elsewhere: of the whole text.
    init(
        _ hunks: [DiffHunk],
        from old: OldWords,
        to side: TextPieces,
        in lines: PieceLines,
        elsewhere: () -> WordsElsewhere,
        of bytes: [UInt8]
    ) {
        let lines = (old: old.lines, new: lines)
        func pairs(isRare: (Int) -> Bool) -> LinePairs {
            LinePairs(hunks, from: old, to: side, lines.new, in: bytes, isRare: isRare)
        }
        let within = hunks.movesWithinLines(old.places, lines, of: side)
        // Most lines are plainly the same, whatever words of the whole text are common.
        guard pairs(isRare: { _ in true }).isAnyOpen else {
            doubtful = within.joined()
            return
        }
        let elsewhere = elsewhere()
        var pairs = pairs { elsewhere.isRare(old.pieces.bytes(of: $0..<$0 + 1)) }
        pairs.follow(hunks, from: old, to: side, elsewhere)
        doubtful = (pairs.doubtful().map(lines.old.pieces) + within).joined()
    }

    /// Whether a stretch of the base lies in one of the lines.
    func isDoubtful(_ pieces: Range<Int>) -> Bool {
        let next = doubtful.index(past: { $0.upperBound < pieces.upperBound })
        return next < doubtful.count && doubtful[next].lowerBound <= pieces.lowerBound
    }

    /// Whether one of the other side's changes, in order and of more than blanks, is in one of the lines.
    func concern(
        _ hunks: [DiffHunk],
        of base: TextPieces,
        to side: TextPieces,
        in bytes: [UInt8]
    ) -> Bool {
        var rest = doubtful[...]
        return hunks.contains { hunk in
            let place = hunk.base.lowerBound
            rest = rest.drop { $0.upperBound < place }
            let isOfBlanks =
                hunk.base.allSatisfy { base.isBlank($0, in: bytes) }
                && hunk.side.allSatisfy { side.isBlank($0, in: bytes) }
            if isOfBlanks { return false }
            guard hunk.base.isEmpty, let first = hunk.side.first, let last = hunk.side.last else {
                return rest.prefix(2).contains(where: hunk.base.overlaps)
            }
            guard let stretch = rest.first, stretch.lowerBound <= place else { return false }
            if !base.startsLine(place, in: bytes) { return true }
            // Lines that are indented belong to the record above, others are one of their own.
            let isIndented = side.isIndentation(first, in: bytes)
            if side.endsLine(last, in: bytes) { return isIndented }
            return place < stretch.upperBound
        }
    }
}

extension [DiffHunk] {
    /// The one that takes or replaces a piece of the base; nil where that stays.
    func change(of piece: Int) -> DiffHunk? {
        let next = index(past: { $0.base.upperBound <= piece })
        return next < count && self[next].base.contains(piece) ? self[next] : nil
    }

    /// Stretches of the base, each within a line, in which a word went and came in the place of others.
    ///
    /// With all between, and as much around: that may be as long as what the word was of.
    fileprivate func movesWithinLines(
        _ places: PiecePlaces,
        _ lines: (old: PieceLines, new: PieceLines),
        of side: TextPieces
    ) -> [Range<Int>] {
        var stretches: [Range<Int>] = []
        for hunk in self {
            for piece in hunk.side {
                guard let place = places[side.ids[piece]], let other = change(of: place),
                    !other.side.isEmpty || !hunk.base.isEmpty
                else { continue }
                let landing = Swift.min(
                    hunk.base.lowerBound + piece - hunk.side.lowerBound,
                    Swift.max(hunk.base.lowerBound, hunk.base.upperBound - 1)
                )
                let line = lines.old.pieces(of: lines.old[place]..<lines.old[place] + 1)
                guard line.contains(landing), !hunk.base.contains(place) else { continue }
                let (from, to) = (Swift.min(place, landing), Swift.max(place, landing))
                let around = Swift.max(0, to - from - 1)
                stretches.append((from - around..<to + around + 1).clamped(to: line))
            }
        }
        return stretches
    }
}
