extension [MergedPart] {
    /// Merges a stretch of lines that both sides changed, word by word.
    ///
    /// Lines in which words overlap stay in both versions; the lines around them are merged. They all
    /// stay in both with the budget used up, and where a word would be lost or doubled by that.
    mutating func mergeWords(
        base: Range<Int>,
        local: Range<Int>,
        remote: Range<Int>,
        of text: MergeText,
        elsewhere: inout WordsElsewhere.OfSides,
        budget: inout DiffBudget
    ) {
        if base.isEmpty, let mine = DatedEntries(local, of: text.bytes),
            let theirs = DatedEntries(remote, of: text.bytes), mine.hasOrder(with: theirs)
        {
            for entry in mine.merged(with: theirs) { keep(entry) }
            return
        }
        if base.isEmpty, let joint = text.joint, joint.joins(local, remote, in: text.bytes) {
            return join(local, remote, with: joint, in: text.bytes)
        }
        let parts = text.mergedWords(
            base: base,
            local: local,
            remote: remote,
            elsewhere: &elsewhere,
            budget: &budget
        )
        if let parts { self += parts } else { add(local: local, remote: remote, of: text) }
    }
}

extension MergeText {
    /// Bytes of three versions of a stretch above which it is not worth cutting into words.
    static let wordSizeLimit = 24 << 20

    /// The merged words of a stretch of lines; nil where it stays in both versions.
    fileprivate func mergedWords(
        base: Range<Int>,
        local: Range<Int>,
        remote: Range<Int>,
        elsewhere: inout WordsElsewhere.OfSides,
        budget: inout DiffBudget
    ) -> [MergedPart]? {
        let size = base.count + local.count + remote.count
        if base.isEmpty || size > MergeText.wordSizeLimit || budget.isUsedUp
            || same(local, remote)
        {
            return nil
        }
        var table = PieceTable(of: self)
        let old = table.words(of: base)
        var lines = WordLines(
            text: self,
            local: table.words(of: local),
            remote: table.words(of: remote)
        )
        let found = changedWords(
            of: old,
            lines.local,
            lines.remote,
            kinds: table.count,
            elsewhere: &elsewhere,
            budget: &budget
        )
        guard let regions = found else { return nil }
        for region in regions {
            lines.pass(unchangedTo: region)
            lines.pass(region)
        }
        lines.finish()
        let balance = WordBalance(
            of: lines.parts,
            regions: regions,
            base: old,
            local: lines.local,
            remote: lines.remote,
            in: &table
        )
        let isSound = lines.parts.contains(where: \.isConflict) ? balance.isKept : balance.isMerged
        guard isSound, !tearsTables(lines.parts, base: base, local: local, remote: remote),
            !addsTwice(lines.parts, base: base, local: local, remote: remote)
        else { return nil }
        return lines.parts
    }

    /// The words that one side or both changed; nil where it is not sure which word became which.
    private func changedWords(
        of old: TextPieces,
        _ local: TextPieces,
        _ remote: TextPieces,
        kinds: Int,
        elsewhere: inout WordsElsewhere.OfSides,
        budget: inout DiffBudget
    ) -> [MergeRegion]? {
        let known = OldWords(old, kinds: kinds, in: bytes)
        func changes(
            to side: TextPieces,
            _ budget: inout Int,
            _ elsewhere: () -> WordsElsewhere
        ) -> WordChanges {
            WordChanges(
                from: known,
                to: side,
                kinds: kinds,
                budget: &budget,
                elsewhere: elsewhere,
                in: self
            )
        }
        let mine = changes(to: local, &budget.local) { elsewhere.local }
        let theirs = changes(to: remote, &budget.remote) { elsewhere.remote }
        if mine.isUnsure(beside: theirs, in: old, bytes) { return nil }
        return MergeRegion.all(
            local,
            remote,
            hunks: (mine.hunks, theirs.hunks),
            // Words in neighbouring lines do not change each other's meaning as those of one do.
            // The line before has to end there in what it was changed to, too: where its end was used
            // up, and the other side took out the next one, two lines would become one.
            parts: { hunk, side in
                old.startsLine(hunk.base.upperBound, in: bytes)
                    && side.startsLine(hunk.side.upperBound, in: bytes)
            }
        ).joiningValues(of: old, local, remote, in: bytes)
    }
}

/// Gathers merged words into lines, and lines into parts of the document.
private struct WordLines {
    let text: MergeText
    let local: TextPieces
    let remote: TextPieces
    private(set) var parts: [MergedPart] = []

    /// How far both sides are read, in words, and where the lines being gathered began.
    private var at = (local: 0, remote: 0)
    private var start = (local: 0, remote: 0)
    private var line: [MergedPart] = []
    private var overlaps = false
    /// Lines in both versions directly before `start`, which further ones may join.
    private var pending: (local: Range<Int>, remote: Range<Int>)?

    init(text: MergeText, local: TextPieces, remote: TextPieces) {
        self.text = text
        self.local = local
        self.remote = remote
    }

    /// Reads words that all three versions share; a line ending among them ends a line in all.
    mutating func pass(unchangedTo region: MergeRegion) {
        pass(unchanged: region.local.lowerBound - at.local)
    }

    mutating func pass(_ region: MergeRegion) {
        switch region.taking {
        case .local: line.keep(local.bytes(of: region.local))
        case .remote: line.keep(remote.bytes(of: region.remote))
        case .both, .whole, .following, .apart:
            if !(region.base.isEmpty && join(region)) { overlaps = true }
        }
        at = (region.local.upperBound, region.remote.upperBound)
    }

    /// Joins whole lines that both sides added, where they are records.
    private mutating func join(_ region: MergeRegion) -> Bool {
        let (mine, theirs) = (local.bytes(of: region.local), remote.bytes(of: region.remote))
        guard let joint = text.joint, local.areLines(region.local, in: text.bytes),
            remote.areLines(region.remote, in: text.bytes),
            joint.joins(mine, theirs, in: text.bytes)
        else { return false }
        line.join(mine, theirs, with: joint, in: text.bytes)
        return true
    }

    mutating func finish() {
        pass(unchanged: local.count - at.local)
        endLine()
        flush()
    }

    private mutating func pass(unchanged count: Int) {
        for _ in 0..<count {
            let word = local.bytes(of: at.local..<at.local + 1)
            line.keep(word)
            at = (at.local + 1, at.remote + 1)
            if text.bytes[word.upperBound - 1] == 0x0A { endLine() }
        }
    }

    private mutating func endLine() {
        if overlaps {
            let mine = local.bytes(of: start.local..<at.local)
            let theirs = remote.bytes(of: start.remote..<at.remote)
            pending = (
                (pending?.local.lowerBound ?? mine.lowerBound)..<mine.upperBound,
                (pending?.remote.lowerBound ?? theirs.lowerBound)..<theirs.upperBound
            )
        } else {
            flush()
            for case .kept(let range) in line { parts.keep(range) }
        }
        line.removeAll(keepingCapacity: true)
        overlaps = false
        start = at
    }

    private mutating func flush() {
        guard let (mine, theirs) = pending else { return }
        parts.add(local: mine, remote: theirs, of: text)
        pending = nil
    }
}
