extension TextMerge {
    /// The merged document in order: by lines, and by words where lines of both sides overlap.
    static func mergedParts(of text: MergeText) -> [MergedPart] {
        var table = PieceTable(of: text.bytes)
        let base = table.lines(of: text.base)
        let local = table.lines(of: text.local)
        let remote = table.lines(of: text.remote)
        let regions = MergeRegion.all(base, local, remote, kinds: table.count)

        var parts: [MergedPart] = []
        var at = 0
        for region in regions {
            parts.keep(local.bytes(of: at..<region.local.lowerBound))
            switch region.taking {
            case .local: parts.keep(local.bytes(of: region.local))
            case .remote: parts.keep(remote.bytes(of: region.remote))
            case .both:
                parts.mergeWords(
                    base: base.bytes(of: region.base),
                    local: local.bytes(of: region.local),
                    remote: remote.bytes(of: region.remote),
                    of: text
                )
            }
            at = region.local.upperBound
        }
        parts.keep(local.bytes(of: at..<local.count))
        return parts
    }
}

extension MergeRegion {
    /// The regions two sides changed in a base, all cut into pieces by one table.
    static func all(
        _ base: TextPieces,
        _ local: TextPieces,
        _ remote: TextPieces,
        kinds: Int
    ) -> [MergeRegion] {
        all(
            local: SequenceDiff.hunks(from: base.ids, to: local.ids, kinds: kinds),
            remote: SequenceDiff.hunks(from: base.ids, to: remote.ids, kinds: kinds)
        ) { one, other in
            one.base == other.base && local.ids[one.side] == remote.ids[other.side]
        }
    }
}
