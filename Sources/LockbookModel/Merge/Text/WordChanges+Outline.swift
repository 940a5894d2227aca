extension WordChanges {
    /// Whether lines were added below one that the other side indented anew, and belong to another one by that.
    func hangs(beneath other: WordChanges, _ base: TextPieces, _ bytes: [UInt8]) -> Bool {
        var above = OutlineAbove()
        for hunk in slides.lazy.map(\.hunk) where hunk.base.isEmpty {
            let place = hunk.base.lowerBound
            above.advance(to: place, in: base, bytes)
            guard place > 0, base.endsLine(place - 1, in: bytes),
                let word = hunk.side.first(where: { !side.isBlank($0, in: bytes) })
            else { continue }
            let first = max(hunk.side.lowerBound, lines.new.start(of: word))
            let depth = side.indentation(of: first, bytes)
            let hangs = above.lines(aboveOneIndentedBy: depth).contains { line in
                other.isRehung(line, aboveOneIndentedBy: depth, base, bytes)
            }
            if hangs { return true }
        }
        return false
    }

    /// Whether a line was indented anew, and one below it that is not belongs to another one by that.
    private func isRehung(
        _ line: OutlineAbove.Line,
        aboveOneIndentedBy depth: Int,
        _ base: TextPieces,
        _ bytes: [UInt8]
    ) -> Bool {
        // What took the line's end as well touches the addition.
        guard let end = place(of: line.end, from: \.base, to: \.side) else { return false }
        let before = base.indentation(of: line.start, bytes)
        let start = lines.new.start(of: end)
        let after = side.indentation(of: start, bytes)
        if (depth > before) != (depth > after) { return true }
        return depth == before && depth < after
            && !hasLine(above: start, indentedBy: depth, base, bytes)
    }

    /// Whether above a line, before one that is indented less, stands one indented by so much that did so
    /// before.
    private func hasLine(
        above start: Int,
        indentedBy depth: Int,
        _ base: TextPieces,
        _ bytes: [UInt8]
    ) -> Bool {
        var start = start
        // Of what is farther up, nobody says that it is beside it.
        for _ in 0..<200 where start > 0 {
            start = lines.new.start(of: start - 1)
            guard let word = side.firstWord(ofLineAt: start, bytes) else { continue }
            let found = side.indentation(of: start, bytes)
            guard found <= depth else { continue }
            guard found == depth, let old = place(of: word, from: \.side, to: \.base)
            else { return false }
            return base.indentation(of: lines.old.start(of: old), bytes) == depth
        }
        return start == 0 && hasLine(above: bytes, indentedBy: depth)
    }

    /// The same above the stretch, where this side has changed nothing that is near.
    private func hasLine(above bytes: [UInt8], indentedBy depth: Int) -> Bool {
        var end = side.starts[0]
        let limit = max(top, end - 10_000)
        while end > limit {
            var start = end - 1
            while start > limit, bytes[start - 1] != 0x0A { start -= 1 }
            let blanks = bytes[start..<end].prefix { $0 <= 0x20 }.count
            if start + blanks < end, blanks <= depth { return blanks == depth }
            end = start
        }
        return false
    }

    /// Where a piece of one version that this side did not change stands in the other one.
    private func place(
        of piece: Int,
        from version: KeyPath<DiffHunk, Range<Int>>,
        to other: KeyPath<DiffHunk, Range<Int>>
    ) -> Int? {
        let next = slides.index(past: { $0.hunk[keyPath: version].upperBound <= piece })
        if next < slides.count, slides[next].hunk[keyPath: version].contains(piece) { return nil }
        guard next > 0 else { return piece }
        let last = slides[next - 1].hunk
        return piece - last[keyPath: version].upperBound + last[keyPath: other].upperBound
    }
}

/// The lines above a place of the base that one there may be beside or below, as places come in order.
private struct OutlineAbove {
    /// Its first piece, and the one that ends it.
    struct Line {
        let start: Int
        let end: Int
        let depth: Int
    }

    private var at = 0
    private var start = 0
    private var isBlank = true
    /// Each indented further than the one before it; the last one is that directly above.
    private var chain: [Line] = []

    mutating func advance(to place: Int, in base: TextPieces, _ bytes: [UInt8]) {
        while at < place {
            if base.startsLine(at, in: bytes) { (start, isBlank) = (at, true) }
            if !base.isBlank(at, in: bytes) { isBlank = false }
            if base.endsLine(at, in: bytes), !isBlank {
                let depth = base.indentation(of: start, bytes)
                while let last = chain.last, last.depth >= depth { chain.removeLast() }
                chain.append(Line(start: start, end: at, depth: depth))
            }
            at += 1
        }
    }

    /// The line directly above, and the nearest one that is indented no further than the one added.
    func lines(aboveOneIndentedBy depth: Int) -> [Line] {
        let deeper = chain.index(past: { $0.depth <= depth })
        return (deeper > 0 && deeper < chain.count ? [chain[deeper - 1]] : []) + chain.suffix(1)
    }
}

extension TextPieces {
    fileprivate func firstWord(ofLineAt start: Int, _ bytes: [UInt8]) -> Int? {
        var piece = start
        while piece < count, isIndentation(piece, in: bytes) { piece += 1 }
        return piece < count && !isBlank(piece, in: bytes) ? piece : nil
    }

    /// How many bytes of blanks a line begins with, by its first piece.
    fileprivate func indentation(of start: Int, _ bytes: [UInt8]) -> Int {
        var end = start
        while end < count, isIndentation(end, in: bytes) { end += 1 }
        return self.bytes(of: start..<end).count
    }
}
