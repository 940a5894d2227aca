extension [MergeRegion] {
    /// Leaves regions in both versions in which lines were added below one that is not there now.
    ///
    /// A point below the last one of a list, which the other side took out to put another list
    /// there: behind what came to the place of that line it would be in the other list.
    func partingFollowers(
        over base: TextPieces,
        local: (pieces: TextPieces, hunks: [DiffHunk]),
        remote: (pieces: TextPieces, hunks: [DiffHunk]),
        in text: MergeText
    ) -> [MergeRegion] {
        guard contains(where: { $0.taking == .both }) else { return self }
        var parted = self
        for (side, other) in [(local, remote), (remote, local)] {
            var changes = other.hunks[...]
            for hunk in side.hunks where hunk.base.isEmpty {
                let place = hunk.base.lowerBound
                changes = changes.drop { $0.base.upperBound < place }
                guard let change = changes.first, change.base.upperBound == place,
                    !change.base.isEmpty, side.pieces.hasWord(hunk.side.prefix(1), in: text.bytes)
                else { continue }
                let index = index(past: { $0.base.upperBound < place })
                guard index < count, self[index].taking == .both else { continue }
                // What both added is no version of a line that was there.
                let first = side.pieces.ids[hunk.side.lowerBound]
                let end = change.side.first { other.pieces.ids[$0] == first }
                var line = LineAbove(
                    DiffHunk(
                        base: change.base,
                        side: change.side.lowerBound..<(end ?? change.side.upperBound)
                    ),
                    of: base,
                    by: other.pieces,
                    in: text
                )
                if !line.staysLast() { parted[index].taking = .following }
            }
        }
        return parted
    }
}

/// The last of lines that one side changed, below which the other one added some.
private struct LineAbove {
    private let change: DiffHunk
    private let base: TextPieces
    private let side: TextPieces
    private var table: PieceTable

    init(_ change: DiffHunk, of base: TextPieces, by side: TextPieces, in text: MergeText) {
        self.change = change
        self.base = base
        self.side = side
        table = PieceTable(of: text)
    }

    /// Whether the last of the lines it became is a version of it; of no more lines it is.
    ///
    /// At least half of its words stayed in it, and more than in any line before, or its words were
    /// all there before, as when a paragraph was wrapped anew. Behind a new blank line begins
    /// something else. Of a line without words nobody can tell.
    mutating func staysLast() -> Bool {
        guard change.side.count > change.base.count else { return true }
        let old = words(of: base, change.base.suffix(1))
        guard !old.isEmpty else { return true }
        let last = words(of: side, change.side.suffix(1))
        let shared = last.intersection(old).count
        if shared > 0, last.isSubset(of: words(of: base, change.base)) { return true }
        guard shared * 2 >= old.count,
            blanks(of: side, change.side) <= blanks(of: base, change.base)
        else { return false }
        for line in change.side.dropLast()
        where words(of: side, line..<line + 1).intersection(old).count >= shared {
            return false
        }
        return true
    }

    private func blanks(of pieces: TextPieces, _ lines: Range<Int>) -> Int {
        lines.count { line in
            !table.bytes[pieces.bytes(of: line..<line + 1)].contains { $0 > 0x20 }
        }
    }

    private mutating func words(of pieces: TextPieces, _ lines: Range<Int>) -> Set<Int32> {
        let words = table.words(of: pieces.bytes(of: lines))
        return Set(
            words.ids.indices.filter { words.isWord($0, in: table.bytes) }.map { words.ids[$0] }
        )
    }
}
