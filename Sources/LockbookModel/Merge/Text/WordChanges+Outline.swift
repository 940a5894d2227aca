extension WordChanges {
    /// Whether lines were added below one that the other side indented anew, and belong to another one by that.
    func hangs(beneath other: WordChanges, _ base: TextPieces, _ bytes: [UInt8]) -> Bool {
        var above = OutlineAbove()
        var replaced = ReplacedLines(by: other, of: base, in: bytes)
        for hunk in slides.lazy.map(\.hunk) where hunk.base.isEmpty {
            let place = hunk.base.lowerBound
            above.advance(to: place, in: base, bytes)
            guard base.startsLine(place, in: bytes),
                let word = hunk.side.first(where: { !side.isBlank($0, in: bytes) })
            else { continue }
            let depth = side.depth(of: lines.new.start(of: word), bytes)
            let hangs = above.lines(aboveOneOf: depth).contains { line in
                other.isRehung(line, aboveOneOf: depth, base, bytes)
                    || replaced.contain(line.start..<line.end + 1)
            }
            if hangs { return true }
        }
        return false
    }

    /// Whether a line was indented anew, and one below it that is not belongs to another one by that.
    private func isRehung(
        _ line: OutlineAbove.Line,
        aboveOneOf depth: OutlineDepth,
        _ base: TextPieces,
        _ bytes: [UInt8]
    ) -> Bool {
        // What took the line's end as well touches the addition.
        guard let end = place(of: line.end, from: \.base, to: \.side) else { return false }
        let before = line.depth.steps(beside: depth)
        let start = lines.new.start(of: end)
        let after = side.depth(of: start, bytes).steps(beside: depth)
        let steps = depth.steps(beside: depth)
        if (steps > before) != (steps > after) { return true }
        return steps == before && steps < after && !hasLine(above: start, of: depth, base, bytes)
    }

    /// Whether above a line, before one that is less deep, stands one of a depth that it had before.
    private func hasLine(
        above start: Int,
        of depth: OutlineDepth,
        _ base: TextPieces,
        _ bytes: [UInt8]
    ) -> Bool {
        let steps = depth.steps(beside: depth)
        var start = start
        // Of what is farther up, nobody says that it is beside it.
        for _ in 0..<200 where start > 0 {
            start = lines.new.start(of: start - 1)
            guard let word = side.firstWord(ofLineAt: start, bytes) else { continue }
            let found = side.depth(of: start, bytes).steps(beside: depth)
            guard found <= steps else { continue }
            guard found == steps, let old = place(of: word, from: \.side, to: \.base)
            else { return false }
            let before = base.depth(of: lines.old.start(of: old), bytes)
            return before.steps(beside: depth) == steps
        }
        return start == 0 && hasLine(above: bytes, of: depth)
    }

    /// The same above the stretch, where this side has changed nothing that is near.
    private func hasLine(above bytes: [UInt8], of depth: OutlineDepth) -> Bool {
        let steps = depth.steps(beside: depth)
        var end = side.starts[0]
        let limit = max(top, end - 10_000)
        while end > limit {
            var start = end - 1
            while start > limit, bytes[start - 1] != 0x0A { start -= 1 }
            // How deep a line is that begins farther up, nobody sees.
            guard bytes[start - 1] == 0x0A else { return false }
            let blanks = bytes[start..<end].prefix { $0 <= 0x20 }.count
            if start + blanks < end {
                let line = OutlineDepth(of: bytes, blanks: start..<start + blanks, before: end)
                let found = line.steps(beside: depth)
                if found <= steps { return found == steps }
            }
            end = start
        }
        return false
    }

    /// Where a piece of one version that this side did not change stands in the other one.
    func place(
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

/// How deep a line stands in an outline, by the blanks that it begins with, or by what marks a heading.
private struct OutlineDepth {
    private let blanks: Int
    /// With what the line begins where it may be a heading, as in Org and in Markdown.
    private let mark: UInt8?
    /// How many of them.
    private let marks: Int

    /// - Parameters:
    ///   - blanks: what the line begins with.
    ///   - end: where the line ends, or behind that.
    init(of bytes: [UInt8], blanks: Range<Int>, before end: Int) {
        self.blanks = blanks.count
        let rest = bytes[blanks.upperBound..<end]
        let sign = rest.first
        // Lines of nothing but stars may be long.
        let run = rest.prefix(16).prefix { $0 == sign }
        let isHeading =
            (sign == 0x2A || sign == 0x23) && run.endIndex < end
            && (bytes[run.endIndex] == 0x20 || bytes[run.endIndex] == 0x09)
        mark = isHeading ? sign : nil
        marks = isHeading ? run.count : 0
    }

    /// All that the line begins with; a heading with one mark is as deep as a text.
    var steps: Int { blanks + max(0, marks - 1) }

    /// The same beside another line: how deep headings are says nothing of what is no such heading.
    func steps(beside other: OutlineDepth) -> Int {
        mark == other.mark ? steps : blanks
    }
}

/// The lines above a place of the base that one there may be beside or below, as places come in order.
private struct OutlineAbove {
    /// Its first piece, and the one that ends it.
    struct Line {
        let start: Int
        let end: Int
        let depth: OutlineDepth
    }

    private var at = 0
    private var start = 0
    private var isBlank = true
    /// Each deeper than the one before it; the last one is that directly above.
    private var chain: [Line] = []

    mutating func advance(to place: Int, in base: TextPieces, _ bytes: [UInt8]) {
        while at < place {
            if base.startsLine(at, in: bytes) { (start, isBlank) = (at, true) }
            if !base.isBlank(at, in: bytes) { isBlank = false }
            if base.endsLine(at, in: bytes), !isBlank {
                let depth = base.depth(of: start, bytes)
                while let last = chain.last, last.depth.steps >= depth.steps { chain.removeLast() }
                chain.append(Line(start: start, end: at, depth: depth))
            }
            at += 1
        }
    }

    /// The line directly above, and the nearest one that is no deeper than the one added.
    func lines(aboveOneOf depth: OutlineDepth) -> [Line] {
        let deeper = chain.index(past: { $0.depth.steps <= depth.steps })
        return (deeper > 0 && deeper < chain.count ? [chain[deeper - 1]] : []) + chain.suffix(1)
    }
}

extension TextPieces {
    fileprivate func firstWord(ofLineAt start: Int, _ bytes: [UInt8]) -> Int? {
        var piece = start
        while piece < count, isIndentation(piece, in: bytes) { piece += 1 }
        return piece < count && !isBlank(piece, in: bytes) ? piece : nil
    }

    /// How deep a line is, by its first piece.
    fileprivate func depth(of start: Int, _ bytes: [UInt8]) -> OutlineDepth {
        var end = start
        while end < count, isIndentation(end, in: bytes) { end += 1 }
        return OutlineDepth(
            of: bytes,
            blanks: self.bytes(of: start..<end),
            before: starts[count]
        )
    }
}
