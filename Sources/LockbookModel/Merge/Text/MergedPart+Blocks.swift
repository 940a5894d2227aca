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
        let stretch = BlockStretch(base: base, text: text)
        if let version = stretch.version(for: local, in: remote),
            let merged = stretch.merged(local, version, endingAs: version, &budget)
        {
            keep(remote.lowerBound..<version.lowerBound)
            add(merged)
            keep(version.upperBound..<remote.upperBound)
        } else if let version = stretch.version(for: remote, in: local),
            let merged = stretch.merged(version, remote, endingAs: version, &budget)
        {
            keep(local.lowerBound..<version.lowerBound)
            add(merged)
            keep(version.upperBound..<local.upperBound)
        } else {
            append(.conflict(local: local, remote: remote))
        }
    }
}
