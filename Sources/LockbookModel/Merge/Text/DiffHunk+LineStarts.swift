extension [DiffHunk] {
    /// The changes of words, with whole lines that came or went beginning where a line begins.
    ///
    /// That "- tea\n" was added after a line and that "\n- tea" was added before its end are one
    /// difference. Both sides have to see it in one way, or the same line of both would come twice.
    /// Where words of one line became several lines, all of that line counts as changed.
    func beginningAtLines(_ base: TextPieces, _ side: TextPieces, in text: MergeText)
        -> [SlidingHunk]
    {
        let bytes = text.bytes
        var aligned: [SlidingHunk] = []
        for (index, hunk) in enumerated() {
            let end = aligned.last?.hunk.base.upperBound
            let next = index + 1 < count ? self[index + 1].base.lowerBound : base.count
            // A piece that did not change stays between it and its neighbours.
            let slid = SlidingHunk(
                hunk,
                of: base,
                to: side,
                notBefore: end.map { $0 + 1 } ?? 0,
                notBehind: index + 1 < count ? next - 1 : next,
                in: text
            )
            if let slid, end != slid.hunk.base.lowerBound {
                aligned.append(slid)
            } else if let (change, addition) = hunk.splitAtLineEnd(base, side, in: bytes) {
                aligned.join(change)
                aligned.join(addition)
            } else if hunk.addsLines(base, side, in: bytes) {
                aligned.join(hunk.widenedToLine(of: base, within: (end ?? 0)..<next, in: bytes))
            } else {
                aligned.join(hunk)
            }
        }
        return aligned
    }
}

extension [SlidingHunk] {
    /// Adds a change that is read in one way, to the last one where nothing is between them.
    fileprivate mutating func join(_ hunk: DiffHunk) {
        var joined = suffix(1).map(\.hunk)
        joined.join(hunk)
        if joined.count == 1 { _ = popLast() }
        append(SlidingHunk(joined[joined.count - 1]))
    }
}

extension DiffHunk {
    /// Splits what was added to a line's end and goes on with further lines.
    ///
    /// Up to its first line end it belongs to that line, and what follows was added after it.
    /// - Returns: nil when it is no such addition.
    fileprivate func splitAtLineEnd(_ old: TextPieces, _ new: TextPieces, in bytes: [UInt8])
        -> (change: DiffHunk, addition: DiffHunk)?
    {
        let end = base.upperBound
        guard base.isEmpty, end < old.count, old.endsLine(end, in: bytes),
            let first = side.first(where: { new.ids[$0] == old.ids[end] })
        else { return nil }
        return (
            DiffHunk(base: base, side: side.lowerBound..<first),
            DiffHunk(base: end + 1..<end + 1, side: first + 1..<side.upperBound + 1)
        )
    }

    /// Whether it makes several lines of words of one line.
    fileprivate func addsLines(_ old: TextPieces, _ new: TextPieces, in bytes: [UInt8]) -> Bool {
        guard let last = side.last, !new.endsLine(last, in: bytes) else { return false }
        return side.contains { new.endsLine($0, in: bytes) }
            && !base.contains { old.endsLine($0, in: bytes) }
    }

    /// Widens it to the whole line, with its end, as far as nothing else in it changed.
    fileprivate func widenedToLine(of old: TextPieces, within limits: Range<Int>, in bytes: [UInt8])
        -> DiffHunk
    {
        var (start, end) = (base.lowerBound, base.upperBound)
        while start > limits.lowerBound, !old.startsLine(start, in: bytes) { start -= 1 }
        while end < limits.upperBound {
            end += 1
            if old.endsLine(end - 1, in: bytes) { break }
        }
        let (before, after) = (base.lowerBound - start, end - base.upperBound)
        return DiffHunk(
            base: start..<end,
            side: side.lowerBound - before..<side.upperBound + after
        )
    }
}
