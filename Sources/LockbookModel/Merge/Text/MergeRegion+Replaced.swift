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
        let records = TextRecords(of: base, in: text.bytes, isOrg: text.isOrg).all
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

    private struct Found {
        /// The one that is not there any more.
        let line: Int
        let record: Replaced
        /// Whether the other side changed something in that line, and left the name.
        let isNamed: Bool

        init(_ line: Int, _ record: Replaced, isNamed: Bool = false) {
            (self.line, self.record, self.isNamed) = (line, record, isNamed)
        }
    }

    let base: TextPieces
    let side: TextPieces
    let other: TextPieces
    let hunks: (side: [DiffHunk], other: [DiffHunk])
    let text: MergeText

    func among(_ records: [TextRecords.Record], onlyByID: Bool) -> [Replaced] {
        var found: [Found] = []
        var words = ReplacingWords(table: PieceTable(of: text), text: text)
        let isOnly = onlyByID ? [] : linesOnce()
        for record in records where isChanged(record.lines) {
            if let id = record.id, hunks.side.change(of: id) != nil {
                // What git merges in an outline is left as it is there.
                found.append(Found(id, Replaced(lines: record.lines, isSure: !text.isOrg)))
            } else if !onlyByID, record.id == nil {
                let head = record.name(of: base, in: text.bytes)
                guard let change = hunks.side.change(of: head), !change.side.isEmpty else {
                    continue
                }
                let name = words.name(of: text.bytes[base.bytes(of: head..<head + 1)])
                guard words.count(of: name, in: change.side, of: side) * 2 < name.count,
                    isRewritten(record.lines, head, isOnly)
                        || isOtherEntry(head, insteadOf: change, &words)
                else { continue }
                var isNamed = false
                if let edit = hunks.other.change(of: head) {
                    isNamed = words.count(of: name, in: edit.side, of: other) * 2 >= name.count
                }
                let replaced = Replaced(lines: record.lines, isSure: false)
                found.append(Found(head, replaced, isNamed: isNamed))
            }
        }
        guard !found.isEmpty else { return [] }
        var counts: [ArraySlice<UInt8>: [Int]] = [:]
        for found in found { counts[name(found.line, of: base)] = [0, 0, 0] }
        for (version, pieces) in [base, side, other].enumerated() {
            for line in 0..<pieces.count { counts[name(line, of: pieces)]?[version] += 1 }
        }
        return found.filter { found in
            let count = counts[name(found.line, of: base)]
            return count == [1, 0, 1] || found.isNamed && count == [1, 0, 0]
        }.map(\.record)
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

    /// Of each line of the base whether it is there once: `done: no` of many records is of none.
    private func linesOnce() -> [Bool] {
        var counts: [Int32: Int] = [:]
        for id in base.ids { counts[id, default: 0] += 1 }
        return base.ids.map { counts[$0] == 1 }
    }

    /// Whether most of what stands with a name has become something else.
    ///
    /// Who gives a record another name leaves most of what it says. What the other side changed, and
    /// what others have as well, says nothing of that where it stayed.
    private func isRewritten(_ lines: Range<Int>, _ head: Int, _ isOnly: [Bool]) -> Bool {
        var (kept, gone) = (0, 0)
        for line in lines where line != head && base.hasWord(line..<line + 1, in: text.bytes) {
            if hunks.side.change(of: line) != nil {
                gone += 1
            } else if isOnly[line], hunks.other.change(of: line) == nil {
                kept += 1
            }
        }
        return gone > 0 && kept <= gone
    }

    /// Whether an entry of a journal has another date by now, besides another name.
    private func isOtherEntry(
        _ head: Int,
        insteadOf change: DiffHunk,
        _ words: inout ReplacingWords
    ) -> Bool {
        let bytes = base.bytes(of: head..<head + 1)
        let date = text.bytes[bytes].prefix { (0x2D...0x39).contains($0) }
        guard date.count >= 8 else { return false }
        return words.count(of: words.all(of: date.indices), in: change.side, of: side) == 0
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

    /// Those of a name in a line, if it is plain: without its key, dates, and what is to do with it.
    mutating func name(of line: ArraySlice<UInt8>) -> Set<Int32> {
        let name = line.recordName
        let key = name.prefix { $0 != 0x3A && $0 != 0x3D }
        let word = key.filter { $0 != 0x22 && $0 > 0x20 }[...]
        let value = name[key.endIndex...]
        let isKey = !value.isEmpty && (NamedLine.rank(ofKey: word) ?? 0) > 0
        let all = all(of: (isKey ? value : name).indices)
        let plain = words(in: (isKey ? value : name).indices) { word in
            word.hasLetter && !Self.states.contains { word.elementsEqual($0.utf8) }
        }
        return plain.isEmpty ? all : plain
    }

    mutating func all(of range: Range<Int>) -> Set<Int32> { words(in: range) { _ in true } }

    /// What headings of Org begin with.
    private static let states = ["TODO", "DONE", "NEXT", "WAITING", "CANCELLED"]

    private mutating func words(
        in range: Range<Int>,
        where isWanted: (ArraySlice<UInt8>) -> Bool
    ) -> Set<Int32> {
        let words = table.words(of: range)
        var ids: Set<Int32> = []
        for piece in 0..<words.count where words.isWord(piece, in: text.bytes) {
            let word = text.bytes[words.bytes(of: piece..<piece + 1)]
            if isWanted(word) { ids.insert(words.ids[piece]) }
        }
        return ids
    }

    /// How many of some words stand in these lines.
    mutating func count(of words: Set<Int32>, in lines: Range<Int>, of side: TextPieces) -> Int {
        let there = known[side.bytes(of: lines)] ?? all(of: side.bytes(of: lines))
        known[side.bytes(of: lines)] = there
        return words.count { there.contains($0) }
    }
}
