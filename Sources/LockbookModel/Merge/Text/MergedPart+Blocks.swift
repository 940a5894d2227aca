extension [MergedPart] {
    /// Merges a stretch with older conflicts in markers, which stay as they are in either version.
    ///
    /// Where one side has such a conflict of which one version is what became of the base, the other side's
    /// change belongs into that version. What else there is stands in both versions, nothing of it outside.
    mutating func mergeBlocks(
        base: Range<Int>,
        local: Range<Int>,
        remote: Range<Int>,
        of text: MergeText,
        budget: inout DiffBudget
    ) {
        if text.same(local, remote) { return keep(local) }
        // Where both have one, neither side is preferred for being the local one.
        let isLocalFirst = !text.bytes[remote].lexicographicallyPrecedes(text.bytes[local])
        let (first, second) = isLocalFirst ? (local, remote) : (remote, local)
        let stretch = BlockStretch(base: base, text: text)
        func parts(_ side: Range<Int>, into other: Range<Int>) -> [MergedPart]? {
            guard budget.retries > 0, let version = stretch.version(for: side, in: other) else {
                return nil
            }
            let (mine, theirs) = other == remote ? (local, version) : (version, remote)
            guard let merged = stretch.merged(mine, theirs, endingAs: version, &budget) else {
                budget.retries -= base.count + mine.count + theirs.count
                return nil
            }
            var parts: [MergedPart] = []
            parts.keep(other.lowerBound..<version.lowerBound)
            parts.add(merged)
            parts.keep(version.upperBound..<other.upperBound)
            return parts
        }
        if let merged = parts(first, into: second) ?? parts(second, into: first) {
            add(merged)
        } else {
            append(.conflict(local: local, remote: remote))
        }
    }
}
