/// A record of one line: what it is called by, as against what else is said of it.
struct NamedLine {
    /// The parts of the line that its name is made of.
    var name: [Range<Int>]
    /// All that is said in it: without indentation, the mark of a point, and the line's end.
    var said: Range<Int>
    /// Whether the name tells it from all others, so that one other letter makes another record.
    var isID = false
    /// Whether a text follows the name, so that it takes another text, too, to make another record.
    var isProse = false

    /// What members, columns and attributes are called that say a record's name, the best one first.
    private static let names = [
        "name", "title", "task", "text", "label", "summary", "subject", "item", "what",
    ].map { Array($0.utf8) }

    /// How good a key is for what a record is called by, 0 the best; nil where it says something else.
    static func rank(ofKey key: ArraySlice<UInt8>) -> Int? {
        let lower = key.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
        return JSONTree.isID(lower) ? 0 : names.firstIndex(of: lower).map { $0 + 1 }
    }
}

extension NamedLine {
    /// What a row of a table is called by: its first field that has a letter, or that of a column.
    ///
    /// - Parameter column: the one whose heading says so.
    init?(row: ArraySlice<UInt8>, form: TableForm, column: (index: Int, isID: Bool)?) {
        guard let fields = form.row(in: row), !form.isRule(fields) else { return nil }
        let cells = form.ranges(of: fields).map { row[$0].withoutIndentation.withoutTrail }
        guard cells.count > 1 else { return nil }
        let cell = column.map { cells.dropFirst($0.index).first } ?? cells.first(where: \.hasLetter)
        guard let cell, cell.contains(where: TextPieces.isOfWord) else { return nil }
        let said = row.withoutIndentation.withoutTrail.indices
        self.init(name: [cell.indices], said: said, isID: column?.isID == true)
    }

    /// What an object of JSON in one line is called by: its id, its name, or its first text.
    init?(object line: ArraySlice<UInt8>) {
        let end = line.last == 0x2C ? line.dropLast() : line
        guard line.first == 0x7B, end.last == 0x7D else { return nil }
        var (depth, at, best) = (0, line.startIndex, Int.max)
        var key: ArraySlice<UInt8>?
        var found: Range<Int>?
        while at < end.endIndex {
            switch line[at] {
            case 0x7B, 0x5B: depth += 1
            case 0x7D, 0x5D: depth -= 1
            case 0x2C: key = nil
            case 0x3A where depth == 1:
                guard let rank = key.flatMap(Self.rank), rank < best else { break }
                let rest = line[(at + 1)...].withoutIndentation
                guard rank == 0, let first = rest.first, ![0x22, 0x7B, 0x5B].contains(first) else {
                    break
                }
                // An id that is a number.
                let close = rest.firstIndex { $0 == 0x2C || $0 == 0x7D } ?? rest.endIndex
                (best, found) = (rank, rest[..<close].withoutTrail.indices)
            case 0x22:
                let start = at + 1
                at = start
                while at < end.endIndex, line[at] != 0x22 { at += line[at] == 0x5C ? 2 : 1 }
                guard at < end.endIndex else { return nil }
                let text = line[start..<at]
                guard depth == 1 else { break }
                guard let name = key else {
                    key = text
                    break
                }
                let rank = Self.rank(ofKey: name) ?? Int.max - 1
                if rank < best, rank == 0 || text.hasLetter { (best, found) = (rank, text.indices) }
            default: break
            }
            at += 1
        }
        guard let found else { return nil }
        self.init(name: [found], said: line.indices, isID: best == 0)
    }
}
