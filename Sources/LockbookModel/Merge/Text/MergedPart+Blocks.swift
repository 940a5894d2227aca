extension [MergedPart] {
    /// Merges a stretch where one side has an older conflict in markers, of which one version is
    /// the base: the other side's change belongs into that version, not into markers around all.
    /// - Returns: false when the stretch is not of this kind; nothing was added then.
    mutating func mergeIntoBlock(
        base: Range<Int>,
        local: Range<Int>,
        remote: Range<Int>,
        of text: MergeText
    ) -> Bool {
        if let inside = text.version(equalTo: base, inBlock: remote), !text.hasMarkers(local) {
            keep(remote.lowerBound..<inside.lowerBound)
            keep(local)
            keep(inside.upperBound..<remote.upperBound)
            return true
        }
        if let inside = text.version(equalTo: base, inBlock: local), !text.hasMarkers(remote) {
            keep(local.lowerBound..<inside.lowerBound)
            keep(remote)
            keep(inside.upperBound..<local.upperBound)
            return true
        }
        return false
    }
}

extension MergeText {
    fileprivate func hasMarkers(_ range: Range<Int>) -> Bool {
        ConflictBlocks(in: Array(bytes[range])).count > 0
    }

    /// Where in a stretch that is one conflict a version stands that is the base.
    fileprivate func version(equalTo base: Range<Int>, inBlock range: Range<Int>) -> Range<Int>? {
        guard !base.isEmpty, bytes[range].first == 0x3C else { return nil }
        let parts = ConflictBlocks(in: Array(bytes[range])).parts
        guard parts.count == 1, case .block(let opening, _, let middle, _, let closing) = parts[0]
        else { return nil }
        let versions = [
            opening.upperBound..<middle.lowerBound, middle.upperBound..<closing.lowerBound,
        ].map { range.lowerBound + $0.lowerBound..<range.lowerBound + $0.upperBound }
        // With one more line end than the base had at its end, at the most.
        return versions.first { version in
            bytes[version] == bytes[base]
                || (bytes[version].dropLast() == bytes[base] && bytes[version].last == 0x0A)
        }
    }
}
