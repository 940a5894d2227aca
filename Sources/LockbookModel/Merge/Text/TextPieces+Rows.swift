extension PieceTable {
    /// Longer rows are not told from numbers.
    private static let longestRow = 4_096

    /// Whether a word with commas is of a table's row, "1,10,20,30", in which each number is for itself.
    ///
    /// Numbers have commas, too, so where this may be one it is: in a row are at least three commas
    /// between digits, none before just three digits, as in thousands are ("1,250,000", "12,34,567"),
    /// and a line's end or one more comma on either side ("f(1,2,3,4)" is none).
    func isOfRow(_ word: Range<Int>) -> Bool {
        guard bytes[word].contains(0x2C) else { return false }
        // A row ends with its text, though the next one follows in the buffer.
        let lines = texts.first { $0.contains(word.lowerBound) } ?? bytes.indices
        var (start, end) = (word.lowerBound, word.upperBound)
        while start > lines.lowerBound, end - start <= Self.longestRow,
            isInRow(start - 1, in: lines)
        { start -= 1 }
        while end < lines.upperBound, end - start <= Self.longestRow, isInRow(end, in: lines) {
            end += 1
        }
        guard end - start <= Self.longestRow, (start..<end).allSatisfy({ isInRow($0, in: lines) }),
            start == lines.lowerBound || [0x0A, 0x2C].contains(bytes[start - 1]),
            end == lines.upperBound || [0x0A, 0x0D, 0x2C].contains(bytes[end])
        else { return false }
        let fields = bytes[start..<end].split(separator: 0x2C)
        return fields.count > 3
            && fields.dropFirst().allSatisfy { $0.prefix(while: isDigit).count != 3 }
    }

    /// Whether quotes stand around a place of its line, or the line begins too far away to tell.
    func isQuoted(_ place: Int) -> Bool {
        let text = texts.first { $0.contains(place) } ?? bytes.indices
        var at = place
        var inQuotes = false
        while at > text.lowerBound, bytes[at - 1] != 0x0A {
            at -= 1
            if place - at > Self.longestRow { return true }
            if bytes[at] == 0x22 { inQuotes.toggle() }
        }
        return inQuotes
    }

    /// A digit, or what holds two of them together in a number, a date, a time or a row.
    private func isInRow(_ at: Int, in lines: Range<Int>) -> Bool {
        guard !isDigit(bytes[at]) else { return true }
        return [0x2C, 0x2D, 0x2E, 0x2F, 0x3A].contains(bytes[at]) && at > lines.lowerBound
            && at + 1 < lines.upperBound && isDigit(bytes[at - 1]) && isDigit(bytes[at + 1])
    }
}
