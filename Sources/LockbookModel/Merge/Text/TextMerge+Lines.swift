extension TextMerge {
    /// The merged document in order: by lines, and by words where lines of both sides overlap.
    static func mergedParts(of text: MergeText) -> [MergedPart] {
        var wordBudget = DiffBudget(pieces: text.base.count)
        return mergedParts(of: text, wordBudget: &wordBudget)
    }

    /// What stands in a document as a version of an older conflict, with the steps that the document has.
    static func mergedParts(ofVersions text: MergeText, _ budget: inout DiffBudget) -> [MergedPart]
    {
        var lineBudget: DiffBudget? = budget
        let parts = mergedParts(of: text, lineBudget: &lineBudget, wordBudget: &budget)
        if let lineBudget {
            budget.local = min(budget.local, lineBudget.local)
            budget.remote = min(budget.remote, lineBudget.remote)
        }
        return parts
    }

    /// The same, with steps for all words of the document together.
    static func mergedParts(of text: MergeText, wordBudget: inout DiffBudget) -> [MergedPart] {
        var lineBudget: DiffBudget?
        return mergedParts(of: text, lineBudget: &lineBudget, wordBudget: &wordBudget)
    }

    /// The same; where no steps are given for its lines, as many as it has of them.
    private static func mergedParts(
        of text: MergeText,
        lineBudget: inout DiffBudget?,
        wordBudget: inout DiffBudget
    ) -> [MergedPart] {
        var table = PieceTable(of: text)
        let base = table.lines(of: text.base)
        let local = table.lines(of: text.local)
        let remote = table.lines(of: text.remote)
        var budget =
            lineBudget ?? DiffBudget(pieces: base.count + max(local.count, remote.count))
        let kinds = table.count
        func hunks(_ side: TextPieces, _ budget: inout Int) -> [DiffHunk] {
            SequenceDiff.hunks(from: base.ids, to: side.ids, kinds: kinds, budget: &budget)
        }
        let mine = hunks(local, &budget.local)
        let theirs = hunks(remote, &budget.remote)
        lineBudget = budget
        var regions = MergeRegion.all(
            local,
            remote,
            hunks: (mine, theirs),
            parts: { _, _ in false }
        )
        // Without its end a last line is no other one. Only what is clean in git is left as it is there.
        if let ended = text.ended,
            regions.contains(where: { $0.isClash(in: text, local, remote) })
        {
            var parts = mergedParts(of: ended, wordBudget: &wordBudget)
            parts.dropEnd(text.ending, in: text.bytes)
            return parts
        }
        let lines = (base: base, local: local, remote: remote)
        let markers = (
            base: MarkerLines(in: text.base, cutInto: base, of: text.bytes),
            local: MarkerLines(in: text.local, cutInto: local, of: text.bytes),
            remote: MarkerLines(in: text.remote, cutInto: remote, of: text.bytes)
        )
        if regions.contains(where: { $0.taking == .both }) {
            regions = regions.reachingOut(
                over: base,
                [(local, mine), (remote, theirs)],
                in: text.bytes
            ).holdingConflicts(base: markers.base, local: markers.local, remote: markers.remote)
        }
        let parts = mergedParts(regions, of: lines, text, &wordBudget)
        // Of two new conflicts that end with the same marker, say, that one would be the end of both.
        guard !markers.local.isEmpty || !markers.remote.isEmpty, text.tears(parts) else {
            return parts
        }
        regions = regions.holdingConflicts(
            base: markers.base,
            local: markers.local,
            remote: markers.remote,
            all: true
        )
        return mergedParts(regions, of: lines, text, &wordBudget)
    }

    private static func mergedParts(
        _ regions: [MergeRegion],
        of lines: (base: TextPieces, local: TextPieces, remote: TextPieces),
        _ text: MergeText,
        _ wordBudget: inout DiffBudget
    ) -> [MergedPart] {
        var merged = regions.map { MergedRegion($0, lines.base, lines.local, lines.remote) }
        var elsewhere = WordsElsewhere.OfSides(in: merged, of: text)
        for index in merged.indices {
            merged[index].merge(text, elsewhere: &elsewhere, budget: &wordBudget)
        }
        merged.partMovedWords(of: text)

        var parts: [MergedPart] = []
        var at = 0
        for (region, part) in zip(regions, merged) {
            parts.keep(lines.local.bytes(of: at..<region.local.lowerBound))
            parts.add(part.parts)
            at = region.local.upperBound
        }
        parts.keep(lines.local.bytes(of: at..<lines.local.count))
        return parts
    }
}

extension MergeRegion {
    /// Whether both sides changed it, and not to the same.
    fileprivate func isClash(
        in text: MergeText,
        _ local: TextPieces,
        _ remote: TextPieces
    ) -> Bool {
        taking == .both && !text.same(local.bytes(of: self.local), remote.bytes(of: self.remote))
    }

    /// The regions that two sides changed in a base, all cut into pieces by one table.
    static func all(
        _ local: TextPieces,
        _ remote: TextPieces,
        hunks: (local: [DiffHunk], remote: [DiffHunk]),
        parts: (_ hunk: DiffHunk, _ side: TextPieces) -> Bool
    ) -> [MergeRegion] {
        all(
            local: hunks.local,
            remote: hunks.remote,
            isSame: { one, other in
                one.base == other.base && local.ids[one.side] == remote.ids[other.side]
            },
            parts: { hunk, side in parts(hunk, side == .local ? local : remote) }
        )
    }
}

/// Steps that comparing may take before it gets coarser, so that hostile text takes linear time.
///
/// One number for each side, so that swapped sides still give the swapped result. Text that people
/// write needs a small part of either.
struct DiffBudget {
    var local: Int
    var remote: Int

    /// A fixed number of steps a piece, and enough for any short text.
    init(pieces: Int) {
        local = (1 << 22) + 16 * pieces
        remote = local
    }

    var isUsedUp: Bool { local <= 0 || remote <= 0 }
}
