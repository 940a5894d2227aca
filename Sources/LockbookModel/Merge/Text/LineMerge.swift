/// The lines of three texts, and the regions of the base that at least one side changed.
struct LineMerge {
    let text: MergeText
    let base: TextPieces
    let local: TextPieces
    let remote: TextPieces
    let hunks: (local: [DiffHunk], remote: [DiffHunk])
    /// How many different lines there are.
    private let kinds: Int
    private let changes: [MergeRegion]

    /// Compares both sides with the base.
    ///
    /// - Parameter budget: steps for that, and what is left of them; for nil as many as it has lines.
    init(of text: MergeText, budget: inout DiffBudget?) {
        var table = PieceTable(of: text)
        let base = table.lines(of: text.base)
        let local = table.lines(of: text.local)
        let remote = table.lines(of: text.remote)
        var steps = budget ?? DiffBudget(pieces: base.count + max(local.count, remote.count))
        let kinds = table.count
        func hunks(_ side: TextPieces, _ budget: inout Int) -> [DiffHunk] {
            SequenceDiff.hunks(from: base.ids, to: side.ids, kinds: kinds, budget: &budget)
        }
        let mine = hunks(local, &steps.local)
        let theirs = hunks(remote, &steps.remote)
        budget = steps
        self.text = text
        self.kinds = kinds
        self.base = base
        self.local = local
        self.remote = remote
        self.hunks = (mine, theirs)
        changes = MergeRegion.all(
            local,
            remote,
            hunks: (mine, theirs),
            parts: { _, _ in false }
        )
    }

    /// Whether both sides changed one region, and not to the same.
    var hasClash: Bool {
        changes.contains { region in
            region.taking == .both
                && !text.same(local.bytes(of: region.local), remote.bytes(of: region.remote))
        }
    }

    /// The merged document in order: by lines, and by words where lines of both sides overlap.
    func parts(wordBudget: inout DiffBudget) -> [MergedPart] {
        let markers = (
            base: MarkerLines(in: text.base, cutInto: base, of: text.bytes),
            local: MarkerLines(in: text.local, cutInto: local, of: text.bytes),
            remote: MarkerLines(in: text.remote, cutInto: remote, of: text.bytes)
        )
        var regions = reachedRegions
        if regions.contains(where: { $0.taking == .both }) {
            regions = regions.holdingConflicts(
                base: markers.base,
                local: markers.local,
                remote: markers.remote
            )
        }
        let parts = parts(of: regions, wordBudget: &wordBudget)
        // Of two new conflicts that end with the same marker, say, that one would be the end of both.
        guard !markers.local.isEmpty || !markers.remote.isEmpty, text.tears(parts) else {
            return parts
        }
        wordBudget.retries -= text.size
        regions = regions.holdingConflicts(
            base: markers.base,
            local: markers.local,
            remote: markers.remote,
            all: true
        )
        return self.parts(of: regions, wordBudget: &wordBudget)
    }

    /// The regions, those of both sides with the lines around over which a change may be slid.
    var reachedRegions: [MergeRegion] {
        guard changes.contains(where: { $0.taking == .both }) else { return changes }
        return changes.reachingOut(
            over: base,
            [(local, hunks.local), (remote, hunks.remote)],
            in: text.bytes
        )
    }

    /// The document that is made of these regions, and of what is between them.
    func parts(of regions: [MergeRegion], wordBudget: inout DiffBudget) -> [MergedPart] {
        let mine = (pieces: local, hunks: hunks.local)
        let theirs = (pieces: remote, hunks: hunks.remote)
        var parted = regions.partingTwins(
            over: base,
            local: mine,
            remote: theirs,
            in: text.bytes
        )
        parted = parted.partingReplaced(
            over: base,
            local: mine,
            remote: theirs,
            onlyByID: !hasClash,
            in: text
        )
        // What git merges is left as it is there, wherever a record went.
        if hasClash {
            parted = parted.partingFollowers(
                over: base,
                local: mine,
                remote: theirs,
                in: text
            )
            parted = parted.partingMoves(
                over: base,
                local: mine,
                remote: theirs,
                kinds: kinds,
                in: text.bytes
            )
        }
        var text = text
        text.gone = NamedLines(in: parted, base: base, local: local, remote: remote, of: text)
        var merged = parted.map { MergedRegion($0, base, local, remote) }
        var elsewhere = WordsElsewhere.OfSides(in: merged, of: text)
        for index in merged.indices {
            merged[index].merge(text, elsewhere: &elsewhere, budget: &wordBudget)
        }
        merged.partMovedWords(of: text)

        var parts: [MergedPart] = []
        var at = 0
        for (region, part) in zip(regions, merged) {
            parts.keep(local.bytes(of: at..<region.local.lowerBound))
            parts.add(part.parts)
            at = region.local.upperBound
        }
        parts.keep(local.bytes(of: at..<local.count))
        return parts
    }
}
