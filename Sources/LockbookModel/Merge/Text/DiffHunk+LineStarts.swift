extension [DiffHunk] {
    /// The changes of words, with whole lines that came or went beginning where a line begins.
    ///
    /// That "- tea\n" was added after a line and that "\n- tea" was added before its end are one
    /// difference. Both sides have to see it in one way, or the same line of both would come twice.
    /// Where words of one line became several lines, all of that line counts as changed.
    func beginningAtLines(_ base: TextPieces, _ side: TextPieces, in bytes: [UInt8]) -> [DiffHunk] {
        var aligned: [DiffHunk] = []
        for (index, hunk) in enumerated() {
            let end = aligned.last?.base.upperBound
            if let slid = hunk.slidToLineStart(base, side, notBefore: (end ?? -1) + 1, in: bytes) {
                aligned.join(slid)
            } else if let (change, addition) = hunk.splitAtLineEnd(base, side, in: bytes) {
                aligned.join(change)
                aligned.join(addition)
            } else if hunk.addsLines(base, side, in: bytes) {
                let next = index + 1 < count ? self[index + 1].base.lowerBound : base.count
                aligned.join(hunk.widenedToLine(of: base, within: (end ?? 0)..<next, in: bytes))
            } else {
                aligned.join(hunk)
            }
        }
        return aligned
    }
}

extension DiffHunk {
    /// Slides what was only added, or only taken out, up to where a line begins.
    /// - Returns: nil when no line ends in it, or when it cannot slide so far.
    fileprivate func slidToLineStart(
        _ old: TextPieces,
        _ new: TextPieces,
        notBefore least: Int,
        in bytes: [UInt8]
    ) -> DiffHunk? {
        guard base.isEmpty != side.isEmpty else { return nil }
        let (text, run) = base.isEmpty ? (new, side) : (old, base)
        guard run.contains(where: { text.endsLine($0, in: bytes) }) else { return nil }
        var steps = 0
        while !old.startsLine(base.lowerBound - steps, in: bytes) {
            // What it loses at its end has to be what it gains at its start.
            guard base.lowerBound - steps > least,
                old.ids[base.lowerBound - steps - 1] == text.ids[run.upperBound - steps - 1]
            else { return nil }
            steps += 1
        }
        return DiffHunk(
            base: base.lowerBound - steps..<base.upperBound - steps,
            side: side.lowerBound - steps..<side.upperBound - steps
        )
    }

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
