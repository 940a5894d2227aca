extension PieceTable {
    /// Cuts a text into lines, each with its line ending.
    mutating func lines(of range: Range<Int>) -> TextPieces {
        var lines = TextPieces(startingAt: range.lowerBound)
        var start = range.lowerBound
        for at in range where bytes[at] == 0x0A {
            lines.append(id(of: start..<at + 1), endingAt: at + 1)
            start = at + 1
        }
        if start < range.upperBound {
            lines.append(id(of: start..<range.upperBound), endingAt: range.upperBound)
        }
        return lines
    }

    /// Cuts a text into words, runs of blanks, line endings and single other characters.
    ///
    /// A table's row of numbers is cut at its commas, also where the range has a part of the row alone; and
    /// so is every word outside of quotes in a text of which each comma parts fields.
    mutating func words(of range: Range<Int>) -> TextPieces {
        var words = TextPieces(startingAt: range.lowerBound)
        words.reserve(range.count / 3)
        var start = range.lowerBound
        var inQuotes = partsNumbers && isQuoted(start)
        while start < range.upperBound {
            let end = endOfWord(startingAt: start, before: range.upperBound)
            if bytes[start] == 0x22 { inQuotes.toggle() }
            // No field goes on in the next line.
            if partsNumbers, bytes[end - 1] == 0x0A { inQuotes = false }
            let isCut =
                partsNumbers
                ? !inQuotes && end - start > 1 : isDigit(bytes[start]) && isOfRow(start..<end)
            if isCut {
                for comma in start..<end where bytes[comma] == 0x2C {
                    words.append(id(of: start..<comma), endingAt: comma)
                    words.append(id(of: comma..<comma + 1), endingAt: comma + 1)
                    start = comma + 1
                }
            }
            words.append(id(of: start..<end), endingAt: end)
            start = end
        }
        return words
    }

    /// Cuts another version of a text that was cut, and looks up only what is not the same at either end.
    mutating func words(of range: Range<Int>, like old: TextPieces) -> TextPieces {
        let whole = old.bytes(of: 0..<old.count)
        // Where a row of numbers is cut, what is far from there decides; without a comma there is none.
        guard !bytes[range].contains(0x2C) else { return words(of: range) }
        let shorter = min(range.count, whole.count)
        var (head, tail) = (0, 0)
        while head < shorter, bytes[range.lowerBound + head] == bytes[whole.lowerBound + head] {
            head += 1
        }
        while tail < shorter,
            bytes[range.upperBound - tail - 1] == bytes[whole.upperBound - tail - 1]
        { tail += 1 }
        var words = TextPieces(startingAt: range.lowerBound)
        words.reserve(range.count / 3)
        var piece = 0
        func copy(while isSame: (_ end: Int) -> Bool, at shift: Int) {
            while piece < old.count, isSame(old.starts[piece + 1]) {
                words.append(old.ids[piece], endingAt: old.starts[piece + 1] + shift)
                piece += 1
            }
        }
        // Where a piece ends, the next two bytes say.
        copy(
            while: { $0 + 2 <= whole.lowerBound + head },
            at: range.lowerBound - whole.lowerBound
        )
        var start = words.starts[words.count]
        let shift = range.upperBound - whole.upperBound
        while start < range.upperBound {
            while old.starts[piece] + shift < start { piece += 1 }
            if range.upperBound - start <= tail, old.starts[piece] + shift == start {
                copy(while: { _ in true }, at: shift)
                break
            }
            let end = endOfWord(startingAt: start, before: range.upperBound)
            words.append(id(of: start..<end), endingAt: end)
            start = end
        }
        return words
    }

    private func endOfWord(startingAt start: Int, before limit: Int) -> Int {
        var end = start + 1
        switch bytes[start] {
        case 0x0D:
            if end < limit, bytes[end] == 0x0A { end += 1 }
        case 0x20, 0x09:
            while end < limit, bytes[end] == 0x20 || bytes[end] == 0x09 { end += 1 }
        case let byte where isIdeograph(byte):
            end = min(start + 3, limit)
        case let byte where isLetter(byte):
            while end < limit, isLetter(bytes[end]) || joins(at: end, before: limit) { end += 1 }
        default: break
        }
        return end
    }

    /// A letter, a digit, an underscore or any byte of a character outside ASCII.
    private func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
        case 0x80...: !isIdeograph(byte)
        default: false
        }
    }

    /// The first byte of a kana or a han (U+3000–U+9FFF), which are written without blanks.
    private func isIdeograph(_ byte: UInt8) -> Bool {
        (0xE3...0xE9).contains(byte)
    }

    /// Whether the character at `at` holds a word together, as in "3.14", "don't" or "a@b.c".
    ///
    /// Were these two words, two different new values of one number could be mixed into a third.
    private func joins(at: Int, before limit: Int) -> Bool {
        guard at + 1 < limit, isLetter(bytes[at + 1]) else { return false }
        switch bytes[at] {
        case 0x27, 0x2D, 0x2E, 0x2F, 0x3A, 0x40: return true
        case 0x2C: return isDigit(bytes[at - 1]) && isDigit(bytes[at + 1])
        default: return false
        }
    }

    func isDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte)
    }
}
