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
        let isClean = !parts.contains(where: \.isConflict)
        return (isClean ? [true] : [true, false]).contains { isLocal in
            let merged = document(of: parts, choosingLocal: isLocal)[...]
            return rows(merged)?.isEven == false
                || slidesFields(
                    from: bytes[base],
                    bytes[local],
                    bytes[remote],
                    to: merged,
                    isClean: isClean
                )
        }
    }

    /// Whether a field has what neither side has in its place, or what one side alone wanted.
    ///
    /// Where a side took a value out and put the same in further on, as in "7,1,1,2" to "1,1,7,2", to
    /// words those between moved: what the other side changed in one would come into another column.
    /// Looked at where all versions have as many rows, of as many fields.
    private func slidesFields(
        from base: ArraySlice<UInt8>,
        _ local: ArraySlice<UInt8>,
        _ remote: ArraySlice<UInt8>,
        to merged: ArraySlice<UInt8>,
        isClean: Bool
    ) -> Bool {
        guard !tables.isDrawn else { return false }
        var texts = [base, local, remote, merged].map(LineCursor.init)
        var isSlid = false
        while true {
            let lines = texts.indices.compactMap { texts[$0].line() }
            guard lines.count == texts.count else { return lines.isEmpty && isSlid }
            let rows = lines.map(tables.fields)
            guard rows.allSatisfy({ $0.count == rows[0].count }) else { return false }
            for field in rows[0].indices where !isSlid {
                let (old, mine) = (rows[0][field], rows[1][field])
                let (theirs, new) = (rows[2][field], rows[3][field])
                let wanted = mine == old ? theirs : mine
                let isOpen = mine != theirs && mine != old && theirs != old
                isSlid = isClean ? isOpen || new != wanted : new != mine && new != theirs
            }
        }
    }
}
