/// The words of lines that at least one side changed, and what became of them.
struct MergedStretch {
    let base: TextPieces
    let local: TextPieces
    let remote: TextPieces
    let parts: [MergedPart]
}

/// A region of lines, by the bytes of its three versions, with what it became.
struct MergedRegion {
    let base: Range<Int>
    let local: Range<Int>
    let remote: Range<Int>
    let taking: MergeRegion.Taking
    private(set) var parts: [MergedPart] = []

    init(_ region: MergeRegion, _ base: TextPieces, _ local: TextPieces, _ remote: TextPieces) {
        self.base = base.bytes(of: region.base)
        self.local = local.bytes(of: region.local)
        self.remote = remote.bytes(of: region.remote)
        taking = region.taking
    }

    mutating func merge(
        _ text: MergeText,
        elsewhere: inout WordsElsewhere.OfSides,
        budget: inout DiffBudget
    ) {
        switch taking {
        case .local: parts.keep(local)
        case .remote: parts.keep(remote)
        case .both:
            parts.mergeWords(
                base: base,
                local: local,
                remote: remote,
                of: text,
                elsewhere: &elsewhere,
                budget: &budget
            )
            mergeRows(text, &budget)
        case .whole:
            parts.mergeBlocks(
                base: base,
                local: local,
                remote: remote,
                of: text,
                budget: &budget
            )
        case .following:
            parts.add(local: local, remote: remote, of: text)
            mergeRows(text, &budget)
        case .apart: parts.add(local: local, remote: remote, of: text)
        }
    }

    /// Takes rows of a table one by one, where less of it stays in both versions by that.
    private mutating func mergeRows(_ text: MergeText, _ budget: inout DiffBudget) {
        guard hasConflict,
            let rows = text.laidOutRows(
                base: base,
                local: local,
                remote: remote,
                budget: &budget
            ), rows.sizeInBoth < parts.sizeInBoth
        else { return }
        parts = rows
    }

    var hasConflict: Bool { parts.contains(where: \.isConflict) }

    /// Whether words of both sides were put together in it.
    fileprivate var isMixed: Bool {
        (taking == .both || taking == .following) && !base.isEmpty
            && (parts.isEmpty || !parts.allSatisfy(\.isConflict))
    }

    /// Leaves all of it in both versions.
    fileprivate mutating func part(_ text: MergeText) {
        parts = []
        parts.add(local: local, remote: remote, of: text)
    }
}

extension [MergedPart] {
    /// Bytes of all that stands in two versions.
    fileprivate var sizeInBoth: Int {
        reduce(0) { size, part in
            guard case .conflict(let local, let remote) = part else { return size }
            return size + local.count + remote.count
        }
    }
}

extension [MergedRegion] {
    /// Bytes of all three versions.
    var size: Int { reduce(0) { $0 + $1.base.count + $1.local.count + $1.remote.count } }

    /// Leaves regions in both versions of which a word moved into a conflict elsewhere in the text.
    ///
    /// A point of a list that each side takes to another list, say: both lines that went could be
    /// merged, and who chose one version of what was added would have lost the other side's line,
    /// which he had. With both versions at either place his own choice has it.
    mutating func partMovedWords(of text: MergeText) {
        guard contains(where: \.hasConflict), contains(where: \.isMixed),
            size <= MergeText.wordSizeLimit
        else { return }
        var table = PieceTable(of: text)
        let stretches = map {
            MergedStretch(
                base: table.words(of: $0.base),
                local: table.words(of: $0.local),
                remote: table.words(of: $0.remote),
                parts: $0.parts
            )
        }
        let moved = WordBalance(of: stretches, in: &table).moved
        guard !moved.isEmpty else { return }
        for (index, stretch) in zip(indices, stretches) where self[index].isMixed {
            let isMoved = [stretch.base, stretch.local, stretch.remote].contains { words in
                words.ids.contains(where: moved.contains)
            }
            if isMoved { self[index].part(text) }
        }
    }
}
