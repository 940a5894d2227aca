extension MergeText {
    /// Rows of a drawn table in which one side at most changed a field, but for their layout.
    ///
    /// Editors lay a table out anew with every change of it, and words exclude each other then. A row
    /// to which one side did nothing else is as the other side made it, its fields as wide as they
    /// are in the wider layout.
    ///
    /// - Returns: nil where both sides changed what a row says, and where rows or columns may have
    ///   come, gone or moved: a row has more than one other field, or is as another one was.
    func laidOutRows(
        base: Range<Int>,
        local: Range<Int>,
        remote: Range<Int>
    ) -> [MergedPart]? {
        guard tables.isDrawn, base.count + local.count + remote.count <= Self.rowSizeLimit,
            let old = DrawnRow.all(in: bytes[base], form: tables),
            let mine = DrawnRow.all(in: bytes[local], form: tables), mine.count == old.count,
            let theirs = DrawnRow.all(in: bytes[remote], form: tables), theirs.count == old.count
        else { return nil }
        let known = Set(old.map(\.said))
        var parts: [MergedPart] = []
        for (old, (mine, theirs)) in zip(old, zip(mine, theirs)) {
            guard let (row, other) = chosen(of: mine, theirs, over: old) else { return nil }
            if row.said != old.said {
                guard row.hasOneOtherField(than: old), !known.contains(row.said) else { return nil }
            }
            if same(other.line, old.line) {
                parts.keep(row.line)
            } else {
                // Which list a row hangs in is more than its layout, and so is a separator behind it.
                guard bytes[row.indentation] == bytes[other.indentation],
                    bytes[row.end] == bytes[other.end]
                else { return nil }
                add(row, asWideAs: other, to: &parts)
            }
        }
        return parts
    }

    /// Bytes of three versions of a table above which it is not cut into fields, each of which takes
    /// some sixty.
    private static let rowSizeLimit = 2 << 20

    /// The version of a row that stays, and the other one; nil where both say something new.
    ///
    /// Of two layouts of what both say it is the first by their bytes, as on the other device.
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
            let isFirst = bytes[mine.line].lexicographicallyPrecedes(bytes[theirs.line])
            return isFirst ? (mine, theirs) : (theirs, mine)
        }
    }

    private func add(_ row: DrawnRow, asWideAs other: DrawnRow, to parts: inout [MergedPart]) {
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

    /// What stands before its first field.
    var indentation: Range<Int> {
        line.lowerBound..<(fields.first?.lowerBound ?? line.upperBound)
    }

    /// What stands behind its last field.
    var end: Range<Int> { (fields.last?.upperBound ?? line.lowerBound)..<line.upperBound }

    /// Whether one of its fields says something else, and only one.
    func hasOneOtherField(than other: DrawnRow) -> Bool {
        said.count == other.said.count && zip(said, other.said).count { $0 != $1 } == 1
    }

    /// - Returns: nil where a line is no row.
    static func all(in lines: ArraySlice<UInt8>, form: TableForm) -> [DrawnRow]? {
        var rows: [DrawnRow] = []
        var cursor = LineCursor(lines)
        var start = cursor.next
        while let line = cursor.line() {
            guard let row = form.row(in: line) else { return nil }
            let fields = form.isRule(row) ? [row.indices] : form.ranges(of: row)
            let texts = fields.map { lines[$0].withoutIndentation.withoutTrail }
            let isRule = texts.allSatisfy(Self.isDashes)
            rows.append(
                DrawnRow(
                    line: start..<cursor.next,
                    fields: fields,
                    said: texts.map { isRule ? Self.withoutLength($0) : Array($0) }
                )
            )
            start = cursor.next
        }
        return rows
    }

    /// Whether a field is a part of the line below the headings, or all of that in org.
    ///
    /// A dash or two may as well be what a field says.
    private static func isDashes(_ text: ArraySlice<UInt8>) -> Bool {
        text.count { $0 == dash } > 2 && text.allSatisfy { $0 == dash || ":+|".utf8.contains($0) }
    }

    private static func withoutLength(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var said: [UInt8] = []
        for byte in text where byte != dash || said.last != dash { said.append(byte) }
        return said
    }

    private static let dash = UInt8(ascii: "-")
}

extension ArraySlice<UInt8> {
    /// How many letters of UTF-8 begin in it.
    fileprivate var letters: Int { count { $0 & 0xC0 != 0x80 } }

    /// With how many spaces it begins and ends.
    fileprivate var margins: (lead: Int, trail: Int) {
        (prefix { $0 == 0x20 }.count, reversed().prefix { $0 == 0x20 }.count)
    }
}
