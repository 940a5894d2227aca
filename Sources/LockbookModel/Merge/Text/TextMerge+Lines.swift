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
        let merge = LineMerge(of: text, budget: &lineBudget)
        // Without its end a last line is no other one. Only what is clean in git is left as it is there.
        if let ended = text.ended, merge.hasClash {
            var parts = mergedParts(of: ended, wordBudget: &wordBudget)
            parts.dropEnd(of: text)
            return parts
        }
        return merge.parts(wordBudget: &wordBudget)
    }
}

extension MergeRegion {
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
    /// Bytes of older conflicts in markers that may be merged in vain.
    ///
    /// What does not fit into one of their versions is tried again, at each conflict around that: of one
    /// in another one in another the work would double with each.
    var retries: Int

    /// A fixed number of steps a piece, and enough for any short text.
    init(pieces: Int) {
        local = (1 << 22) + 16 * pieces
        remote = local
        retries = (1 << 18) + 4 * pieces
    }

    var isUsedUp: Bool { local <= 0 || remote <= 0 }
}
