/// Puts the rows of a drawn table together that two sides changed, in the wider layout.
struct RowMerge {
    private let text: MergeText
    private let old: [DrawnRow]
    private let local: RowChanges
    private let remote: RowChanges
    private var parts: [MergedPart] = []
    /// Rows in both versions directly before those read last, which further ones may join.
    private var pending: (local: Range<Int>, remote: Range<Int>)?
    /// Up to where the rows of both sides are read.
    private var at = (local: 0, remote: 0)
    /// Bytes that new rows got so far to be as wide as others.
    private var filled = 0
    /// Above so many a small text would make a large document.
    private let mostFilled: Int
    private lazy var blanks = longestBlanks()

    /// - Parameter start: where the rows of both sides begin.
    init(
        of old: [DrawnRow],
        local: RowChanges,
        remote: RowChanges,
        from start: (local: Int, remote: Int),
        in text: MergeText
    ) {
        self.text = text
        self.old = old
        self.local = local
        self.remote = remote
        at = start
        let size = [old, local.rows, remote.rows].joined().reduce(0) { $0 + $1.line.count }
        mostFilled = 4_096 + 8 * size
    }

    /// Whether no row came or went on either side.
    var hasAllRows: Bool {
        [local, remote].allSatisfy { $0.came.isEmpty && $0.gone.isEmpty }
    }

    /// Whether a side has a row that says what it said in another layout.
    var isLaidOut: Bool {
        [local, remote].contains { side in
            old.indices.contains { index in
                guard let row = side.version(of: index), row.said == old[index].said else {
                    return false
                }
                return !text.same(row.line, old[index].line) && hangsAlike(row, old[index])
            }
        }
    }

    /// The rows of both; nil where one of them may be another list's by now.
    mutating func merged() -> [MergedPart]? {
        for index in 0...old.count {
            guard mergeAdded(above: index) else { return nil }
            if index < old.count, !mergeRow(index) { return nil }
        }
        flush()
        return parts
    }

    private mutating func mergeRow(_ index: Int) -> Bool {
        let (here, there) = (local.version(of: index), remote.version(of: index))
        defer { pass(here, there) }
        guard let mine = here, let theirs = there else {
            // What one side took out, and the other one changed, is in one version.
            if let left = here ?? there, left.said != old[index].said {
                clash(
                    here?.line ?? at.local..<at.local,
                    there?.line ?? at.remote..<at.remote
                )
            }
            return true
        }
        guard let (row, other) = chosen(of: mine, theirs, over: old[index]) else {
            clash(mine.line, theirs.line)
            return true
        }
        guard text.same(other.line, old[index].line) else { return keep(row, asWideAs: other) }
        keep(row.line)
        return true
    }

    /// Merges the rows that came above a row of the base, or below the last one.
    private mutating func mergeAdded(above index: Int) -> Bool {
        let mine = local.rows[local.added[index]]
        let theirs = remote.rows[remote.added[index]]
        defer { pass(mine.last, theirs.last) }
        if theirs.isEmpty { return keep(mine, of: local, beside: remote, above: index) }
        if mine.isEmpty { return keep(theirs, of: remote, beside: local, above: index) }
        guard mine.elementsEqual(theirs, by: { $0.said == $1.said }) else {
            clash(lines(of: mine), lines(of: theirs))
            return true
        }
        return zip(mine, theirs).allSatisfy { mine, theirs in
            let (row, other) = inOrder(mine, theirs)
            return keep(row, asWideAs: other)
        }
    }

    /// Adds rows that one side added, in the other one's layout where that is another one by now.
    ///
    /// - Returns: whether the rows beside them are still there, and one of them shows the layout.
    private mutating func keep(
        _ new: ArraySlice<DrawnRow>,
        of side: RowChanges,
        beside other: RowChanges,
        above index: Int
    ) -> Bool {
        if new.isEmpty { return true }
        for beside in [index - 1, index] where old.indices.contains(beside) {
            if other.version(of: beside) == nil { return false }
        }
        return new.allSatisfy { row in
            for near in [index - 1, index, index - 2]
            where old.indices.contains(near) && !old[near].isRule {
                guard let twin = side.version(of: near), let wide = other.version(of: near),
                    twin.said.count == row.said.count
                else { continue }
                if text.same(wide.line, old[near].line) {
                    keep(row.line)
                    return true
                }
                return keep(row, asWideAs: wide, standingAs: twin)
            }
            return false
        }
    }

    /// The version of a row that stays, and the other one; nil where both say something new.
    private func chosen(
        of mine: DrawnRow,
        _ theirs: DrawnRow,
        over old: DrawnRow
    ) -> (row: DrawnRow, other: DrawnRow)? {
        switch (mine.said != old.said, theirs.said != old.said) {
        case (true, false): return (mine, theirs)
        case (false, true): return (theirs, mine)
        case (true, true) where mine.said != theirs.said: return nil
        case (false, false) where text.same(mine.line, old.line): return (theirs, mine)
        case (false, false) where text.same(theirs.line, old.line): return (mine, theirs)
        default: return inOrder(mine, theirs)
        }
    }

    /// Of two layouts of what both say the first by their bytes, as on the other device.
    private func inOrder(
        _ mine: DrawnRow,
        _ theirs: DrawnRow
    ) -> (row: DrawnRow, other: DrawnRow) {
        let isFirst = text.bytes[mine.line].lexicographicallyPrecedes(text.bytes[theirs.line])
        return isFirst ? (mine, theirs) : (theirs, mine)
    }
}

extension RowMerge {
    /// Adds a row with its fields as wide as they are in another one.
    ///
    /// - Parameter twin: of a new row, what says whether blanks are before or behind a field: the
    ///   version of the other row in the layout of the new one.
    /// - Returns: whether both hang in one list, and there is not too much to fill.
    private mutating func keep(
        _ row: DrawnRow,
        asWideAs other: DrawnRow,
        standingAs twin: DrawnRow? = nil
    ) -> Bool {
        guard hangsAlike(row, other) else { return false }
        let bytes = text.bytes
        var at = row.line.lowerBound
        for index in row.fields.indices {
            let (field, wide) = (row.fields[index], other.fields[index])
            keep(at..<field.lowerBound)
            at = field.upperBound
            let missing = max(0, bytes[wide].letters - bytes[field].letters)
            let (lead, trail) = bytes[wide].margins
            if missing > 0, row.said[index] == other.said[index] {
                if twin != nil {
                    filled += wide.count - field.count
                    guard filled <= mostFilled else { return false }
                }
                keep(wide)
            } else if missing > 0, bytes[(twin ?? row).fields[index]].margins.lead == lead {
                keep(field)
                fill(missing, with: wide.suffix(trail), isNew: twin != nil)
            } else {
                fill(missing, with: wide.prefix(lead), isNew: twin != nil)
                keep(field)
            }
        }
        keep(at..<row.line.upperBound)
        return filled <= mostFilled
    }

    /// Adds blanks as they are in a field; beside a new one they may be fewer than are needed.
    private mutating func fill(_ count: Int, with margin: Range<Int>, isNew: Bool) {
        guard isNew, !margin.isEmpty else { return keep(margin.prefix(count)) }
        let run = margin.count < count ? blanks : margin
        filled += min(count, run.count)
        if filled <= mostFilled { keep(run.prefix(count)) }
    }

    private func longestBlanks() -> Range<Int> {
        var longest = 0..<0
        for row in local.rows + remote.rows {
            var start = row.line.lowerBound
            for at in row.line where text.bytes[at] != 0x20 {
                if at - start > longest.count { longest = start..<at }
                start = at + 1
            }
        }
        return longest
    }

    /// Which list a row hangs in is more than its layout, and so is a separator behind it.
    private func hangsAlike(_ one: DrawnRow, _ other: DrawnRow) -> Bool {
        text.bytes[one.indentation] == text.bytes[other.indentation]
            && text.bytes[one.end] == text.bytes[other.end]
    }

    private mutating func keep(_ range: Range<Int>) {
        flush()
        parts.keep(range)
    }

    /// Leaves rows in both versions, in one conflict with those directly above that are.
    private mutating func clash(_ mine: Range<Int>, _ theirs: Range<Int>) {
        if let (before, others) = pending, before.upperBound == mine.lowerBound,
            others.upperBound == theirs.lowerBound
        {
            pending = (
                before.lowerBound..<mine.upperBound, others.lowerBound..<theirs.upperBound
            )
        } else {
            flush()
            pending = (mine, theirs)
        }
    }

    private mutating func flush() {
        guard let (mine, theirs) = pending else { return }
        parts.add(local: mine, remote: theirs, of: text)
        pending = nil
    }

    private mutating func pass(_ mine: DrawnRow?, _ theirs: DrawnRow?) {
        at = (mine?.line.upperBound ?? at.local, theirs?.line.upperBound ?? at.remote)
    }

    private func lines(of rows: ArraySlice<DrawnRow>) -> Range<Int> {
        (rows.first?.line.lowerBound ?? 0)..<(rows.last?.line.upperBound ?? 0)
    }
}

extension ArraySlice<UInt8> {
    /// How many letters of UTF-8 begin in it.
    fileprivate var letters: Int { count { $0 & 0xC0 != 0x80 } }

    /// With how many spaces it begins and ends.
    fileprivate var margins: (lead: Int, trail: Int) {
        (prefix { $0 == 0x20 }.count, reversed().prefix { $0 == 0x20 }.count)
    }
}
