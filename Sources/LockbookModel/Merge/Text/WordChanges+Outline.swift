extension WordChanges {
    /// Whether lines were added below one that the other side indented anew, and belong to another one by that.
    func hangs(beneath other: WordChanges, _ base: TextPieces, _ bytes: [UInt8]) -> Bool {
        var above = LineAbove()
        var rest = other.slides.map(\.hunk)[...]
        var shift = 0
        for hunk in slides.lazy.map(\.hunk) where hunk.base.isEmpty {
            let place = hunk.base.lowerBound
            above.advance(to: place, in: base, bytes)
            guard let line = above.line, base.endsLine(place - 1, in: bytes),
                let word = hunk.side.first(where: { !side.isBlank($0, in: bytes) })
            else { continue }
            while let next = rest.first, next.base.upperBound <= line.end {
                shift = next.side.upperBound - next.base.upperBound
                rest = rest.dropFirst()
            }
            // What took the line's end as well touches the addition.
            if let next = rest.first, next.base.contains(line.end) { continue }
            let first = max(hunk.side.lowerBound, lines.new.start(of: word))
            let depth = side.indentation(of: first, bytes)
            let before = base.indentation(of: line.start, bytes)
            let start = other.lines.new.start(of: line.end + shift)
            let after = other.side.indentation(of: start, bytes)
            if (depth > before) != (depth > after) { return true }
            if depth == before, depth < after,
                !other.hasLine(above: start, indentedBy: depth, base, bytes)
            {
                return true
            }
        }
        return false
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
            guard found == depth, let old = basePlace(of: word) else { return false }
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

    /// Where a piece of this side that it did not change stands in the base.
    private func basePlace(of piece: Int) -> Int? {
        var (low, high) = (0, slides.count)
        while low < high {
            let middle = (low + high) / 2
            if slides[middle].hunk.side.upperBound <= piece {
                low = middle + 1
            } else {
                high = middle
            }
        }
        if low < slides.count, slides[low].hunk.side.contains(piece) { return nil }
        guard low > 0 else { return piece }
        let last = slides[low - 1].hunk
        return piece - last.side.upperBound + last.base.upperBound
    }
}

/// The last line above a place of the base that is not blank, as places come in order.
private struct LineAbove {
    private var at = 0
    private var start = 0
    private var isBlank = true
    /// Its first piece, and the one that ends it.
    private(set) var line: (start: Int, end: Int)?

    mutating func advance(to place: Int, in base: TextPieces, _ bytes: [UInt8]) {
        while at < place {
            if base.startsLine(at, in: bytes) { (start, isBlank) = (at, true) }
            if !base.isBlank(at, in: bytes) { isBlank = false }
            if base.endsLine(at, in: bytes), !isBlank { line = (start, at) }
            at += 1
        }
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
