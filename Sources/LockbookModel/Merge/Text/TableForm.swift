/// What parts the fields of a table's rows, and the quotes in which it parts nothing.
struct TableForm {
    /// Tables of Markdown and org, which any text may have.
    static let drawn = TableForm(separator: UInt8(ascii: "|"), quote: UInt8(ascii: "`"))

    private let separator: UInt8
    private let quote: UInt8
    /// Whether a comma between two digits parts fields, and is of no number.
    private(set) var partsNumbers = false

    private init(separator: UInt8, quote: UInt8) {
        self.separator = separator
        self.quote = quote
    }

    /// Decides by the extension, and of commas and semicolons by the first line.
    init(fileExtension: String, base: [UInt8]) {
        let comma = UInt8(ascii: ",")
        let semicolon = UInt8(ascii: ";")
        let quote = UInt8(ascii: "\"")
        switch fileExtension.drop(while: { $0 == "." }).lowercased() {
        case "csv":
            let line = base.prefix { $0 != 0x0A }
            let hasSemicolons = line.count { $0 == semicolon } > line.count { $0 == comma }
            self.init(separator: hasSemicolons ? semicolon : comma, quote: quote)
        case "tsv": self.init(separator: 0x09, quote: quote)
        default: self = .drawn
        }
    }

    /// The same, for texts of which it is looked at whether all their commas part fields.
    func partingNumbers(of texts: [[UInt8]]) -> TableForm {
        var form = self
        form.partsNumbers = separator == UInt8(ascii: ",") && texts.allSatisfy(hasPlainRows)
        return form
    }

    /// Whether a text plainly is a table: nothing else in its first line may part fields, all of its
    /// rows have as many, and none goes on in the next line.
    private func hasPlainRows(_ text: [UInt8]) -> Bool {
        let first = text.prefix { $0 != 0x0A }
        return first.contains(separator)
            && !first.contains { $0 == UInt8(ascii: ";") || $0 == 0x09 }
            && TableRows(in: text[...], form: self)?.isEven == true
    }

    /// Whether only a line that begins with the separator is a row.
    var isDrawn: Bool { separator == Self.drawn.separator }

    /// What has the fields of a line; nil where it is no row.
    func row(in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard isDrawn else { return line.isEmpty ? nil : line }
        let row = line.withoutIndentation.withoutTrail
        return row.first == separator ? row.dropFirst() : nil
    }

    /// Whether a row is a line across a table of org: how many fields it has says nothing.
    func isRule(_ row: ArraySlice<UInt8>) -> Bool {
        let dash = UInt8(ascii: "-")
        return isDrawn && row.first == dash
            && row.dropLast(row.last == separator ? 1 : 0).allSatisfy {
                $0 == dash || $0 == UInt8(ascii: "+")
            }
    }

    /// How many fields a row has; nil where one of them goes on in the next line.
    func fieldCount(of row: ArraySlice<UInt8>) -> Int? {
        var count = 0
        return forEachField(of: row) { _ in count += 1 } ? count : nil
    }

    /// Where the fields of a row are, with the blanks around them.
    func ranges(of row: ArraySlice<UInt8>) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        _ = forEachField(of: row) { ranges.append($0.indices) }
        return ranges
    }

    /// The fields of a row without the blanks around them.
    func fields(of row: ArraySlice<UInt8>) -> [[UInt8]] {
        ranges(of: row).map { Array(row[$0].withoutIndentation.withoutTrail) }
    }

    /// - Returns: whether all of them end in this line.
    private func forEachField(
        of row: ArraySlice<UInt8>,
        _ body: (ArraySlice<UInt8>) -> Void
    ) -> Bool {
        var start = row.startIndex
        var isQuoted = false
        var isEscaped = false
        for at in row.indices {
            if isEscaped {
                isEscaped = false
            } else if row[at] == quote {
                isQuoted.toggle()
            } else if row[at] == separator, !isQuoted {
                body(row[start..<at])
                start = at + 1
            } else {
                isEscaped = isDrawn && row[at] == UInt8(ascii: "\\")
            }
        }
        // Behind the separator that a drawn row ends with there is no field.
        if !isDrawn || start == row.startIndex || start < row.endIndex { body(row[start...]) }
        return isDrawn || !isQuoted
    }
}
