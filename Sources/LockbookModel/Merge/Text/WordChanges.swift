/// What one side changed in the words of a stretch of lines.
struct WordChanges {
    /// As they are laid over those of the other side.
    let hunks: [DiffHunk]
    /// The same before lines that were rewritten counted as changed in whole.
    private let slides: [SlidingHunk]

    init(
        from base: TextPieces,
        to side: TextPieces,
        kinds: Int,
        budget: inout Int,
        in text: MergeText
    ) {
        slides = SequenceDiff.hunks(from: base.ids, to: side.ids, kinds: kinds, budget: &budget)
            .beginningAtLines(base, side, in: text)
        hunks = slides.map(\.hunk).wideningRewrittenLines(of: base, in: text.bytes)
    }

    /// Whether in one reading a change of one side is about what the other one changed, and not in another.
    func isUnsure(beside other: WordChanges, in base: TextPieces, _ bytes: [UInt8]) -> Bool {
        isUnsure(other.slides, base, bytes) || other.isUnsure(slides, base, bytes)
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
