/// What one side made of the rows of a drawn table: which are versions of which, and which are new.
struct RowChanges {
    /// Those of the side.
    let rows: [DrawnRow]
    /// Which of them came above each row of the base, and below the last one.
    let added: [Range<Int>]
    /// Which of them each row of the base is; nil for one that went.
    private let places: [Int?]

    /// - Returns: nil where rows or columns may have moved, or nobody can tell which row is which.
    init?(from old: [DrawnRow], to rows: [DrawnRow], budget: inout Int) {
        var found = Self.inPlace(old, rows)
        if found == nil { found = Self.paired(old, rows, &budget) }
        guard let places = found else { return nil }
        var added: [Range<Int>] = []
        var next = 0
        for place in places {
            added.append(next..<(place ?? next))
            next = place.map { $0 + 1 } ?? next
        }
        added.append(next..<rows.count)
        self.rows = rows
        self.added = added
        self.places = places
    }

    /// What became of a row of the base; nil where it went.
    func version(of row: Int) -> DrawnRow? { places[row].map { rows[$0] } }

    var came: [DrawnRow] { added.flatMap { rows[$0] } }

    /// Rows of the base.
    var gone: [Int] { places.indices.filter { places[$0] == nil } }

    /// As many rows, of which each says what it said, or something else in one field.
    ///
    /// - Returns: nil also where one became what another one was: rows may have moved.
    private static func inPlace(_ old: [DrawnRow], _ new: [DrawnRow]) -> [Int?]? {
        guard old.count == new.count else { return nil }
        let known = Set(old.map(\.said))
        let isKept = zip(old, new).allSatisfy { old, new in
            old.said == new.said || new.otherField(than: old) != nil && !known.contains(new.said)
        }
        return isKept ? new.indices.map(Optional.some) : nil
    }

    /// Rows that a comparison of what they say pairs, where what changed is plain.
    ///
    /// What came, or became something else, says what no row said, and what went, or became something
    /// else, said what no other one did.
    private static func paired(
        _ old: [DrawnRow],
        _ new: [DrawnRow],
        _ budget: inout Int
    ) -> [Int?]? {
        var numbers: [[[UInt8]]: Int32] = [:]
        for row in old + new where numbers[row.said] == nil {
            let next = Int32(numbers.count)
            numbers[row.said] = next
        }
        let before = old.map { numbers[$0.said, default: 0] }
        let after = new.map { numbers[$0.said, default: 0] }
        let kinds = numbers.count
        let hunks = SequenceDiff.hunks(from: before, to: after, kinds: kinds, budget: &budget)
        let counts = SequenceDiff.counts(before, kinds)
        var places: [Int?] = Array(repeating: nil, count: old.count)
        var isPlain = true
        hunks.forEachUnchanged(upTo: old.count) { row, version in
            places[row] = version
        } changed: { hunk in
            guard hunk.base.allSatisfy({ counts[Int(before[$0])] == 1 && !old[$0].isRule }),
                hunk.side.allSatisfy({ counts[Int(after[$0])] == 0 && !new[$0].isRule }),
                let versions = pairs(in: hunk, old, new)
            else {
                isPlain = false
                return
            }
            for (row, version) in versions { places[row] = version }
        }
        return isPlain ? places : nil
    }

    /// Pairs of rows above which those of a change are not compared.
    private static let mostPairs = 1 << 14

    /// Which rows of a change are versions of each other: all of those of which there are fewer.
    ///
    /// - Returns: nil where a row is the version of none, or may be that of several.
    private static func pairs(
        in hunk: DiffHunk,
        _ old: [DrawnRow],
        _ new: [DrawnRow]
    ) -> [(row: Int, version: Int)]? {
        guard hunk.base.count * hunk.side.count <= mostPairs else { return nil }
        let hasMore = hunk.side.count > hunk.base.count
        let (fewer, more) = hasMore ? (hunk.base, hunk.side) : (hunk.side, hunk.base)
        var pairs: [(row: Int, version: Int)] = []
        for one in fewer {
            let found = more.map { hasMore ? (row: one, version: $0) : (row: $0, version: one) }
                .filter { new[$0.version].otherField(than: old[$0.row]) != nil }
            guard let pair = found.first, found.count == 1 else { return nil }
            if let last = pairs.last, last.row >= pair.row || last.version >= pair.version {
                return nil
            }
            pairs.append(pair)
        }
        return pairs
    }
}

extension RowChanges {
    /// Rows above which they are not compared one by one.
    private static let mostComparisons = 1 << 14

    /// Whether rows that came or went on either side may be versions of others.
    ///
    /// Where `| | no |` ends records, and one side changed that of the first one and added a record
    /// below, the row stays, to a comparison, as the end of the new one, and what came differs from it
    /// in the cell that the other side changed. A row that came, and differs from one that went in one
    /// cell behind the first one, may be that one in another place.
    func isUnsure(beside other: RowChanges, from old: [DrawnRow]) -> Bool {
        mayBeOthers(beside: other, from: old) || other.mayBeOthers(beside: self, from: old)
    }

    /// The same of the rows that this side changed or that went, and of those that came beside them.
    private func mayBeOthers(beside other: RowChanges, from old: [DrawnRow]) -> Bool {
        let gone = gone.map { old[$0] }
        let others = other.came + other.gone.map { old[$0] }
        let all = others + came
        let changed = old.indices.compactMap { index in
            version(of: index)?.otherField(than: old[index]).map { (old[index], $0) }
        }
        guard (changed.count + gone.count) * all.count <= Self.mostComparisons else { return true }
        let mayBeChanged = changed.contains { row, cell in
            others.contains { $0.otherField(than: row) == cell }
        }
        return mayBeChanged
            || gone.contains { row in all.contains { ($0.otherField(than: row) ?? 0) > 0 } }
    }
}
