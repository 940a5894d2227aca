/// The tables in a stretch of lines: rows without another line between them.
struct TableRows {
    /// Headings of more columns are not looked at one by one.
    private static let mostColumns = 1_000

    private struct Table {
        /// What has the fields of its first row in the stretch.
        let top: ArraySlice<UInt8>
        let columns: Int
        var rows = 1
        /// Whether all rows have as many fields as the first one.
        var isEven = true
    }

    private let form: TableForm
    private var tables: [Table] = []

    /// - Returns: nil where a field is of several lines, so that nobody can tell what a row is.
    init?(in lines: ArraySlice<UInt8>, form: TableForm) {
        self.form = form
        var cursor = LineCursor(lines)
        var isInTable = false
        while let line = cursor.line() {
            guard let row = form.row(in: line) else {
                isInTable = false
                continue
            }
            guard !form.isRule(row) else { continue }
            guard let columns = form.fieldCount(of: row) else { return nil }
            if isInTable {
                tables[tables.count - 1].rows += 1
                if tables[tables.count - 1].columns != columns {
                    tables[tables.count - 1].isEven = false
                }
            } else {
                tables.append(Table(top: row, columns: columns))
                isInTable = true
            }
        }
    }

    var isEmpty: Bool { tables.isEmpty }

    /// Whether all rows of each table have as many fields.
    var isEven: Bool { tables.allSatisfy(\.isEven) }

    /// Whether columns moved to other places in a table that the other side added rows to.
    func hasMovedColumns(from old: TableRows, beside other: TableRows) -> Bool {
        zip(old.tables, zip(tables, other.tables)).contains { old, sides in
            let (mine, theirs) = sides
            guard theirs.rows > old.rows, mine.columns == old.columns,
                mine.columns <= Self.mostColumns
            else { return false }
            let order = form.fields(of: mine.top)
            let before = form.fields(of: old.top)
            return order != before && order != form.fields(of: theirs.top)
                && Self.sorted(order) == Self.sorted(before)
        }
    }

    private static func sorted(_ fields: [[UInt8]]) -> [[UInt8]] {
        fields.sorted { $0.lexicographicallyPrecedes($1) }
    }
}

extension MergeText {
    /// Whether rows would not have as many fields as their table, or stand under other headings.
    ///
    /// So it is where columns came, went or moved on one side, and rows came on the other one.
    func tearsTables(
        _ parts: [MergedPart],
        base: Range<Int>,
        local: Range<Int>,
        remote: Range<Int>
    ) -> Bool {
        func rows(_ lines: ArraySlice<UInt8>) -> TableRows? { TableRows(in: lines, form: tables) }
        guard let mine = rows(bytes[local]), let theirs = rows(bytes[remote]),
            !mine.isEmpty || !theirs.isEmpty, mine.isEven, theirs.isEven
        else { return false }
        if let old = rows(bytes[base]),
            mine.hasMovedColumns(from: old, beside: theirs)
                || theirs.hasMovedColumns(from: old, beside: mine)
        {
            return true
        }
        let choices = parts.contains(where: \.isConflict) ? [true, false] : [true]
        return choices.contains { isLocal in
            rows(document(of: parts, choosingLocal: isLocal)[...])?.isEven == false
        }
    }
}
