extension MergeText {
    /// Rows of a drawn table of which each was changed by one side at most, but for its layout.
    ///
    /// Editors lay a table out anew with every change of it. A row to which one side did nothing
    /// else is as the other side made it, its fields as wide as they are in the wider layout.
    ///
    /// - Returns: nil where both sides changed what a row says, and where no row that one side
    ///   changed was laid out anew by the other one.
    func laidOutRows(
        base: Range<Int>,
        local: Range<Int>,
        remote: Range<Int>
    ) -> [MergedPart]? {
        guard tables.isDrawn, let old = DrawnRow.all(in: bytes[base], form: tables),
            let mine = DrawnRow.all(in: bytes[local], form: tables), mine.count == old.count,
            let theirs = DrawnRow.all(in: bytes[remote], form: tables), theirs.count == old.count
        else { return nil }
        var parts: [MergedPart] = []
        var isLaidOut = false
        for (old, (mine, theirs)) in zip(old, zip(mine, theirs)) {
            guard let (row, other) = chosen(of: mine, theirs, over: old) else { return nil }
            let isChanged = (mine.said != old.said, theirs.said != old.said)
            if isChanged.0 != isChanged.1, !same(row.line, old.line), !same(other.line, old.line) {
                isLaidOut = true
            }
            if same(other.line, old.line) {
                parts.keep(row.line)
            } else {
                // Which list a row hangs in is more than its layout.
                guard bytes[row.indentation] == bytes[other.indentation] else { return nil }
                add(row, asWideAs: other, to: &parts)
            }
        }
        return isLaidOut ? parts : nil
    }

    /// The version of a row that stays, and the other one; nil where they say different new things.
    private func chosen(
        of mine: DrawnRow,
        _ theirs: DrawnRow,
        over old: DrawnRow
    ) -> (row: DrawnRow, other: DrawnRow)? {
        switch (mine.said != old.said, theirs.said != old.said) {
        case (true, false): return (mine, theirs)
        case (false, true): return (theirs, mine)
        case (true, true) where mine.said != theirs.said: return nil
        case (false, false) where same(mine.line, old.line): return (theirs, mine)
        case (false, false) where same(theirs.line, old.line): return (mine, theirs)
        default:
            // One order on both devices.
            let isFirst = bytes[mine.line].lexicographicallyPrecedes(bytes[theirs.line])
            return isFirst ? (mine, theirs) : (theirs, mine)
        }
    }

    private func add(_ row: DrawnRow, asWideAs other: DrawnRow, to parts: inout [MergedPart]) {
        guard row.fields.count == other.fields.count else { return parts.keep(row.line) }
        var at = row.line.lowerBound
        for index in row.fields.indices {
            let (field, wide) = (row.fields[index], other.fields[index])
            parts.keep(at..<field.lowerBound)
            at = field.upperBound
            let missing = bytes[wide].letters - bytes[field].letters
            if missing > 0, row.said[index] == other.said[index] {
                parts.keep(wide)
            } else if missing > 0, bytes[field].margins.lead == bytes[wide].margins.lead {
                parts.keep(field)
                parts.keep(wide.suffix(Swift.min(missing, bytes[wide].margins.trail)))
            } else {
                parts.keep(wide.prefix(Swift.min(max(0, missing), bytes[wide].margins.lead)))
                parts.keep(field)
            }
        }
        parts.keep(at..<row.line.upperBound)
    }
}

/// A row of a drawn table.
private struct DrawnRow {
    /// With its end.
    let line: Range<Int>
    /// What stands between two separators, with the blanks around it.
    let fields: [Range<Int>]
    /// The fields without these blanks, and of a line of dashes one for all.
    let said: [[UInt8]]

    /// What stands before its first separator.
    var indentation: Range<Int> {
        line.lowerBound..<(fields.first?.lowerBound ?? line.upperBound)
    }

    /// - Returns: nil where a line is no row.
    static func all(in lines: ArraySlice<UInt8>, form: TableForm) -> [DrawnRow]? {
        var rows: [DrawnRow] = []
        var cursor = LineCursor(lines)
        var start = cursor.next
        while let line = cursor.line() {
            guard let row = form.row(in: line) else { return nil }
            let fields = form.isRule(row) ? [row.indices] : form.ranges(of: row)
            rows.append(
                DrawnRow(
                    line: start..<cursor.next,
                    fields: fields,
                    said: fields.map { said(in: lines[$0]) }
                )
            )
            start = cursor.next
        }
        return rows
    }

    private static func said(in field: ArraySlice<UInt8>) -> [UInt8] {
        let text = field.withoutIndentation.withoutTrail
        let dash = UInt8(ascii: "-")
        guard text.allSatisfy({ $0 == dash || ":+|".utf8.contains($0) }) else { return Array(text) }
        var said: [UInt8] = []
        for byte in text where byte != dash || said.last != dash { said.append(byte) }
        return said
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
