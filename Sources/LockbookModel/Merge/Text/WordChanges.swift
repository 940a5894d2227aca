/// What one side changed in the words of a stretch of lines.
struct WordChanges {
    /// As they are laid over those of the other side.
    let hunks: [DiffHunk]
    /// The same before lines that were rewritten counted as changed in whole.
    let slides: [SlidingHunk]
    let side: TextPieces
    let lines: (old: PieceLines, new: PieceLines)
    /// Where the whole text of this side starts.
    let top: Int
    private let moves: MovedWords
    private let marks: MarkedWords

    init(
        from old: OldWords,
        to side: TextPieces,
        kinds: Int,
        budget: inout Int,
        elsewhere: () -> WordsElsewhere,
        in text: MergeText
    ) {
        let base = old.pieces
        slides = SequenceDiff.hunks(from: base.ids, to: side.ids, kinds: kinds, budget: &budget)
            .beginningAtLines(base, side, in: text)
        let changes = slides.map(\.hunk)
        let isLocal = text.local.contains(side.starts[0])
        hunks = changes.wideningRewrittenLines(
            of: base,
            to: side,
            named: isLocal ? text.gone.local : text.gone.remote,
            in: text.bytes
        )
        lines = (old.lines, PieceLines(side, in: text.bytes))
        moves = MovedWords(
            changes,
            from: old,
            to: side,
            in: lines.new,
            elsewhere: elsewhere,
            of: text.bytes
        )
        marks = MarkedWords(changes, from: old, to: side, in: text.bytes)
        self.side = side
        let texts = [text.local, text.remote]
        top = texts.first { $0.contains(side.starts[0]) }?.lowerBound ?? side.starts[0]
    }

    /// Whether in one reading a change of one side is about what the other one changed, and not in another.
    func isUnsure(beside other: WordChanges, in base: TextPieces, _ bytes: [UInt8]) -> Bool {
        isUnsure(other.slides, base, bytes) || other.isUnsure(slides, base, bytes)
            || isRepeated(by: other, base, bytes) || other.isRepeated(by: self, base, bytes)
            || moved(beneath: other, base, bytes) || other.moved(beneath: self, base, bytes)
            || hangs(beneath: other, base, bytes) || other.hangs(beneath: self, base, bytes)
            || marks.cross(other.marks)
    }

    /// Whether the other side changed, and not to the same, a line that may have become another one.
    private func moved(beneath other: WordChanges, _ base: TextPieces, _ bytes: [UInt8]) -> Bool {
        var own = slides.map(\.hunk)[...]
        let changes = other.slides.map(\.hunk).filter { change in
            own = own.drop { $0.base.lowerBound < change.base.lowerBound }
            guard let same = own.first, same.base == change.base else { return true }
            return side.ids[same.side] != other.side.ids[change.side]
                || !other.moves.isDoubtful(change.base)
        }
        return moves.concern(changes, of: base, to: other.side, in: bytes)
    }

    /// Whether lines that were added above a line begin with what the other side made of that line.
    ///
    /// Then both may have made the same of it, and the new lines stand below it.
    private func isRepeated(by other: WordChanges, _ base: TextPieces, _ bytes: [UInt8]) -> Bool {
        var rest = other.slides.map(\.hunk)[...]
        var shift = 0
        for (index, slide) in slides.enumerated() where slide.hunk.base.isEmpty {
            let hunk = slide.hunk
            let place = hunk.base.lowerBound
            while let next = rest.first, next.base.upperBound <= place {
                shift = next.side.upperBound - next.base.upperBound
                rest = rest.dropFirst()
            }
            guard let change = rest.first, place < base.count, base.startsLine(place, in: bytes),
                let end = hunk.side.first(where: { side.endsLine($0, in: bytes) })
            else { continue }
            let line = side.ids[hunk.side.lowerBound..<end + 1]
            let theirs = other.side.ids.dropFirst(place + shift).prefix(line.count)
            let old = base.ids.dropFirst(place).prefix(line.count)
            let isKept =
                index + 1 == slides.count
                || slides[index + 1].hunk.base.lowerBound >= place + line.count
            if isKept, change.base.lowerBound < place + line.count, line == theirs, line != old {
                return true
            }
        }
        return false
    }

    private func isUnsure(_ others: [SlidingHunk], _ base: TextPieces, _ bytes: [UInt8]) -> Bool {
        var rest = others[...]
        for slide in slides where slide.slides {
            rest = rest.drop { $0.hunk.base.upperBound < slide.reach.lowerBound }
            for other in rest {
                if other.hunk.base.lowerBound > slide.reach.upperBound { break }
                if slide.isUnsure(beside: other, in: base, bytes) { return true }
            }
        }
        return false
    }
}
