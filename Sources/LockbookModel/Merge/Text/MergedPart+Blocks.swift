extension [MergedPart] {
    /// Merges a stretch with older conflicts in markers, which stay as they are in either version.
    ///
    /// Where one side has such a conflict of which one version is the base, the other side's change
    /// belongs into that version. What else there is stands in both versions, nothing of it outside.
    mutating func mergeBlocks(
        base: Range<Int>,
        local: Range<Int>,
        remote: Range<Int>,
        of text: MergeText
    ) {
        if text.same(local, remote) {
            keep(local)
        } else if let inside = text.version(equalTo: base, inBlock: remote), text.fits(local) {
            keep(remote.lowerBound..<inside.lowerBound)
            keep(local)
            keep(inside.upperBound..<remote.upperBound)
        } else if let inside = text.version(equalTo: base, inBlock: local), text.fits(remote) {
            keep(local.lowerBound..<inside.lowerBound)
            keep(remote)
            keep(inside.upperBound..<local.upperBound)
        } else {
            append(.conflict(local: local, remote: remote))
        }
    }
}

extension MergeText {
    /// Whether these are whole lines without markers, which can stand before a marker.
    fileprivate func fits(_ range: Range<Int>) -> Bool {
        (range.isEmpty || bytes[range.upperBound - 1] == 0x0A)
            && ConflictBlocks(in: Array(bytes[range])).count == 0
    }

    /// Where in a stretch with one conflict, and lines that were added around it, a version stands that is
    /// the base.
    fileprivate func version(equalTo base: Range<Int>, inBlock range: Range<Int>) -> Range<Int>? {
        guard !base.isEmpty else { return nil }
        let blocks = ConflictBlocks(in: Array(bytes[range])).parts.compactMap { part in
            if case .block(let opening, _, let middle, _, let closing) = part {
                (opening: opening, middle: middle, closing: closing)
            } else {
                nil
            }
        }
        guard blocks.count == 1, let block = blocks.first else { return nil }
        let versions = [
            block.opening.upperBound..<block.middle.lowerBound,
            block.middle.upperBound..<block.closing.lowerBound,
        ].map { range.lowerBound + $0.lowerBound..<range.lowerBound + $0.upperBound }
        // With one more line end than the base had at its end, at the most.
        return versions.first { version in
            bytes[version] == bytes[base]
                || (bytes[version].dropLast() == bytes[base] && bytes[version].last == 0x0A)
        }
    }
}
