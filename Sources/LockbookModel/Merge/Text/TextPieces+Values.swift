extension TextPieces {
    /// Whether two runs are parts of one value: nothing that parts words stands between them, and there is
    /// a digit somewhere ("aB3$x9", "/path?id=2") or a sign of no word; or what does holds numbers together.
    func isOneValue(_ one: Range<Int>, _ other: Range<Int>, in bytes: [UInt8]) -> Bool {
        let between = one.upperBound..<max(one.upperBound, other.lowerBound)
        guard !between.isEmpty else { return false }
        if between.allSatisfy({ !parts($0, in: bytes) }) {
            let digits: ClosedRange<UInt8> = 0x30...0x39
            let value = bytes[starts[one.lowerBound]..<starts[other.upperBound]]
            return value.contains(where: digits.contains)
                || isHeldBySigns(between, after: one, in: bytes)
        }
        return isHeldByNumbers(between, one, other, in: bytes)
    }

    /// Whether a sign stands between two runs that prose and code seldom have within a word: "pa$$wd#x",
    /// "?to=boat&by=sea", and in a path of Windows `\`, as TeX and escapes have it elsewhere.
    private func isHeldBySigns(
        _ between: Range<Int>,
        after one: Range<Int>,
        in bytes: [UInt8]
    ) -> Bool {
        let signs = bytes[self.bytes(of: between)]
        if signs.contains(where: Self.braces.contains) { return false }
        return signs.contains(where: Self.holding.contains)
            || signs.contains(UInt8(ascii: "\\")) && isInPath(one.lowerBound, in: bytes)
    }

    /// Whether the run without blanks that a piece stands in begins as `C:\` does.
    private func isInPath(_ piece: Int, in bytes: [UInt8]) -> Bool {
        var start = piece
        while start > 0, piece - start < Self.longestPath, !parts(start - 1, in: bytes) {
            start -= 1
        }
        let path = bytes[starts[start]...]
        return isWord(start, in: bytes) && path.dropFirst().starts(with: ":\\".utf8)
    }

    /// Whether what stands between two runs holds them together because of a number.
    ///
    /// A blank where one of its neighbours is one ("27 Nov", "St. 14"), more of them with blanks around
    /// ("1 250 000"), signs, a unit or an ideograph between two ("(030) 12", "4 : 3", "10 – 20",
    /// "27. 11.", "2 h 30", "11月27"). A tab parts the fields of a table.
    private func isHeldByNumbers(
        _ between: Range<Int>,
        _ one: Range<Int>,
        _ other: Range<Int>,
        in bytes: [UInt8]
    ) -> Bool {
        if bytes[self.bytes(of: between)].contains(0x09) { return false }
        func isNumber(_ piece: Int) -> Bool { self.isNumber(piece, in: bytes) }
        func isBlank(_ piece: Int) -> Bool { bytes[starts[piece]] == 0x20 }
        let (isAfterNumber, isBeforeNumber) = (
            isNumber(one.upperBound - 1), isNumber(other.lowerBound)
        )
        if isAfterNumber, isBeforeNumber {
            if between.count == 1, isIdeograph(one.upperBound, in: bytes) { return true }
            return between.allSatisfy { piece in
                isBlank(piece) || isNumber(piece) || isSign(piece, in: bytes)
                    || isPointOfDate(piece, in: bytes) || isUnit(piece, in: bytes)
            }
        }
        guard isAfterNumber || isBeforeNumber else { return false }
        var blanks = between
        if isBeforeNumber, bytes[starts[blanks.lowerBound]] == UInt8(ascii: ".") {
            blanks.removeFirst()
        }
        return !blanks.count.isMultiple(of: 2)
            && blanks.allSatisfy { piece in
                (piece - blanks.lowerBound).isMultiple(of: 2) ? isBlank(piece) : isNumber(piece)
            }
    }

    /// Blanks, ends of lines, and what stands between things that are each for itself: the fields of a
    /// table, an attribute and the next, a link's text and where it leads.
    private static let parting = Set(" \t\r\n,;|[]<>\"`".utf8)

    private static let braces = Set("{}".utf8)
    private static let holding = Set("$#%&^@".utf8)

    /// Pieces of a path that are looked through for its beginning.
    private static let longestPath = 256

    private func parts(_ piece: Int, in bytes: [UInt8]) -> Bool {
        isIdeograph(piece, in: bytes) || Self.parting.contains(bytes[starts[piece]])
    }

    private func isIdeograph(_ piece: Int, in bytes: [UInt8]) -> Bool {
        (0xE3...0xE9).contains(bytes[starts[piece]])
    }
}
