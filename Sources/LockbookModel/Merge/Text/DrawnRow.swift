/// A row of a drawn table.
struct DrawnRow {
    /// With its end.
    let line: Range<Int>
    /// What stands between two separators, with the blanks around it.
    let fields: [Range<Int>]
    /// The fields without these blanks, and of a line of dashes one for all.
    let said: [[UInt8]]
    /// Whether it is the line below the headings.
    let isRule: Bool

    /// What stands before its first field.
    var indentation: Range<Int> {
        line.lowerBound..<(fields.first?.lowerBound ?? line.upperBound)
    }

    /// What stands behind its last field.
    var end: Range<Int> { (fields.last?.upperBound ?? line.lowerBound)..<line.upperBound }

    /// The field that says something else; nil where none does, or more than one.
    func otherField(than other: DrawnRow) -> Int? {
        guard said.count == other.said.count else { return nil }
        let others = said.indices.filter { said[$0] != other.said[$0] }
        return others.count == 1 ? others[0] : nil
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
                    said: texts.map { isRule ? Self.withoutLength($0) : Array($0) },
                    isRule: isRule
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
