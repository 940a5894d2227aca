extension [MergeRegion] {
    /// Leaves regions in both versions in which a record changed that the other side replaced.
    ///
    /// Of two records in one place some lines may be alike, `done: no`, and stay, to a comparison,
    /// as if they were of one. What the one side wrote in its record would be in the other one.
    /// - Parameter onlyByID: whether a record is only known by what tells it from all others.
    func partingReplaced(
        over base: TextPieces,
        local: (pieces: TextPieces, hunks: [DiffHunk]),
        remote: (pieces: TextPieces, hunks: [DiffHunk]),
        onlyByID: Bool,
        in text: MergeText
    ) -> [MergeRegion] {
        guard text.hasRecords, !local.hunks.isEmpty, !remote.hunks.isEmpty else { return self }
        let records = TextRecords(of: base, in: text.bytes).all
        var parted = self
        for (side, other) in [(local, remote), (remote, local)] {
            let replaced = ReplacedRecords(
                base: base,
                side: side.pieces,
                other: other.pieces,
                hunks: (side.hunks, other.hunks),
                text: text
            )
            for record in replaced.among(records, onlyByID: onlyByID) {
                let inside = indices(in: record.lines)
                // What git merges is left as it is there, if only a name says otherwise.
                if record.isSure || inside.contains(where: { self[$0].taking == .both }) {
                    for index in inside { parted[index].taking = .apart }
                }
            }
        }
        return parted
    }

    /// Those that change lines of the base, or add some beside them.
    private func indices(in lines: Range<Int>) -> [Int] {
        let first = index(past: { $0.base.upperBound < lines.lowerBound })
        let end = index(past: { $0.base.lowerBound <= lines.upperBound })
        return (first..<Swift.max(first, end)).filter { index in
            let region = self[index]
            return region.taking != .whole && (region.base.isEmpty || region.base.overlaps(lines))
        }
    }
}

/// The records of the base that one side put others in the place of, while the other side changed
/// them.
private struct ReplacedRecords {
    struct Replaced {
        let lines: Range<Int>
        /// Whether it was known by what tells it from all others.
        let isSure: Bool
    }

    let base: TextPieces
    let side: TextPieces
    let other: TextPieces
    let hunks: (side: [DiffHunk], other: [DiffHunk])
    let text: MergeText

    func among(_ records: [TextRecords.Record], onlyByID: Bool) -> [Replaced] {
        // By the line that is not there any more.
        var found: [(line: Int, record: Replaced)] = []
        var words = ReplacingWords(table: PieceTable(of: text), text: text)
        for record in records where isChanged(record.lines) {
            if let id = record.id, hunks.side.change(of: id) != nil {
                found.append((id, Replaced(lines: record.lines, isSure: true)))
            } else if !onlyByID, record.id == nil, isRewritten(record.lines, &words) {
                let head = record.lines.lowerBound
                found.append((head, Replaced(lines: record.lines, isSure: false)))
            }
        }
        guard !found.isEmpty else { return [] }
        var counts: [ArraySlice<UInt8>: [Int]] = [:]
        for (line, _) in found { counts[name(line, of: base)] = [0, 0, 0] }
        for (version, pieces) in [base, side, other].enumerated() {
            for line in 0..<pieces.count { counts[name(line, of: pieces)]?[version] += 1 }
        }
        return found.filter { counts[name($0.line, of: base)] == [1, 0, 1] }.map(\.record)
    }

    private func name(_ line: Int, of pieces: TextPieces) -> ArraySlice<UInt8> {
        text.bytes[pieces.bytes(of: line..<line + 1)].recordName
    }

    /// Whether the other side changed something in these lines, or added some that hang in them.
    private func isChanged(_ lines: Range<Int>) -> Bool {
        let first = hunks.other.index(past: { $0.base.upperBound <= lines.lowerBound })
        for hunk in hunks.other[first...] {
            if hunk.base.lowerBound < lines.upperBound { return true }
            return hunk.base.isEmpty && hunk.base.lowerBound == lines.upperBound
                && isBelow(hunk.side.lowerBound, lines.lowerBound)
        }
        return false
    }

    private func isBelow(_ line: Int, _ head: Int) -> Bool {
        guard let depth = other.depth(ofLine: line, in: text.bytes) else { return false }
        return depth > base.depth(ofLine: head, in: text.bytes) ?? depth
    }

    /// Whether the first line has become another one, and most of those below it as well.
    ///
    /// Who gives a record another name leaves most of what it says.
    private func isRewritten(_ lines: Range<Int>, _ words: inout ReplacingWords) -> Bool {
        guard let change = hunks.side.change(of: lines.lowerBound), !change.side.isEmpty else {
            return false
        }
        let rest = lines.dropFirst().filter { base.hasWord($0..<$0 + 1, in: text.bytes) }
        let kept = rest.count { hunks.side.change(of: $0) == nil }
        guard kept * 2 < rest.count else { return false }
        let name = words.all(of: base, lines.lowerBound..<lines.lowerBound + 1)
        return words.count(of: name, in: change.side, of: side) * 2 < name.count
    }
}

/// The words that one side put in the place of others, which many records may stand in.
private struct ReplacingWords {
    var table: PieceTable
    let text: MergeText
    private var known: [Range<Int>: Set<Int32>] = [:]

    init(table: PieceTable, text: MergeText) {
        (self.table, self.text) = (table, text)
    }

    mutating func all(of pieces: TextPieces, _ lines: Range<Int>) -> Set<Int32> {
        let words = table.words(of: pieces.bytes(of: lines))
        return Set(
            words.ids.indices.filter { words.isWord($0, in: text.bytes) }.map { words.ids[$0] }
        )
    }

    /// How many of some words stand in these lines.
    mutating func count(of words: Set<Int32>, in lines: Range<Int>, of side: TextPieces) -> Int {
        let there = known[lines] ?? all(of: side, lines)
        known[lines] = there
        return words.count { there.contains($0) }
    }
}
