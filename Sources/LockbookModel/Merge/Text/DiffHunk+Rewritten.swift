extension [DiffHunk] {
    /// The changes of words, with a line of which less than half the words stayed changed in whole.
    ///
    /// Words that a line written anew shares with the old one are there by chance. What the other
    /// side changed such a word to would turn up in the middle of a sentence it was not written for.
    /// - Parameter named: the records of one line whose names are gone, by where their lines start: of
    ///   these a line counts in whole with less than half of the name there.
    func wideningRewrittenLines(
        of base: TextPieces,
        to side: TextPieces,
        named: [Int: NamedLine],
        in bytes: [UInt8]
    ) -> [DiffHunk] {
        var kept = [Bool](repeating: true, count: base.count)
        for hunk in self {
            for index in hunk.base { kept[index] = false }
        }
        var rewritten = Self.rewrittenLines(of: base, kept, in: bytes)
        if !named.isEmpty {
            let replaced = ReplacedNames(of: base, kept, named, in: bytes)
                .lines(by: self, to: side)
            if !replaced.isEmpty { rewritten = (rewritten + replaced).joined() }
        }
        guard !rewritten.isEmpty else { return self }

        var widened: [DiffHunk] = []
        var (next, shift) = (0, 0)
        var lines = rewritten[...]
        func widen(upTo end: Int) {
            while let line = lines.first, line.lowerBound < end {
                let part = line.clamped(to: next..<end)
                if !part.isEmpty {
                    widened.join(DiffHunk(base: part, side: part.shifted(by: shift)))
                }
                guard line.upperBound <= end else { break }
                lines.removeFirst()
            }
        }
        for hunk in self {
            widen(upTo: hunk.base.lowerBound)
            widened.join(hunk)
            next = hunk.base.upperBound
            shift = hunk.side.upperBound - hunk.base.upperBound
        }
        widen(upTo: base.count)
        return widened
    }

    /// The pieces of each line, without its ending, of which some words stayed but fewer than half.
    private static func rewrittenLines(
        of base: TextPieces,
        _ kept: [Bool],
        in bytes: [UInt8]
    ) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var (start, words, stayed) = (0, 0, 0)
        for index in 0...base.count {
            let piece = index < base.count ? base.bytes(of: index..<index + 1) : 0..<0
            if piece.isEmpty || bytes[piece.upperBound - 1] == 0x0A {
                if stayed > 0, stayed * 2 < words { lines.append(start..<index) }
                (start, words, stayed) = (index + 1, 0, 0)
            } else if base.isWord(index, in: bytes) {
                words += 1
                if kept[index] { stayed += 1 }
            }
        }
        return lines
    }

    /// Adds a change, to the last one where nothing is between them.
    mutating func join(_ hunk: DiffHunk) {
        // What did not change between two is as long on either side.
        if let before = last, before.base.upperBound == hunk.base.lowerBound {
            self[count - 1] = DiffHunk(
                base: before.base.lowerBound..<hunk.base.upperBound,
                side: before.side.lowerBound..<hunk.side.upperBound
            )
        } else {
            append(hunk)
        }
    }
}

extension Range<Int> {
    fileprivate func shifted(by shift: Int) -> Range<Int> {
        lowerBound + shift..<upperBound + shift
    }
}
