extension TextPieces {
    /// Whether a piece begins with a digit of some script, or with a fraction.
    func isNumber(_ piece: Int, in bytes: [UInt8]) -> Bool {
        let range = self.bytes(of: piece..<piece + 1)
        if bytes[range.lowerBound] < 0x80 { return (0x30...0x39).contains(bytes[range.lowerBound]) }
        let scalars = String(decoding: bytes[range].prefix(4), as: UTF8.self).unicodeScalars
        guard let first = scalars.first else { return false }
        return Self.numbers.contains { $0.contains(first.value) }
    }

    /// Whether a piece stands between two numbers of one value: a bracket, a colon or a dash.
    func isSign(_ piece: Int, in bytes: [UInt8]) -> Bool {
        let sign = bytes[self.bytes(of: piece..<piece + 1)]
        return sign.elementsEqual("–".utf8)
            || sign.count == 1 && sign.allSatisfy(Self.signs.contains)
    }

    /// Whether a piece is the point after a day or a month of one or two digits.
    ///
    /// In "27. 11. 2026" both are. A number that begins a line may be that of a list's point: then one
    /// more has to follow.
    func isPointOfDate(_ piece: Int, in bytes: [UInt8]) -> Bool {
        func isPoint(_ piece: Int) -> Bool {
            piece < count && bytes[starts[piece]] == UInt8(ascii: ".")
        }
        guard isPoint(piece), piece > 0, isNumber(piece - 1, in: bytes),
            starts[piece] - starts[piece - 1] <= 2
        else { return false }
        let next = piece + 2
        return !beginsLine(piece - 1, in: bytes)
            || next < count && isNumber(next, in: bytes) && isPoint(next + 1)
    }

    /// Whether a piece is a short word after a number and a blank: the hours of "2 h 30 min".
    func isUnit(_ piece: Int, in bytes: [UInt8]) -> Bool {
        let word = bytes[self.bytes(of: piece..<piece + 1)]
        return piece > 1 && word.count <= 3 && word.allSatisfy(Self.letters.contains)
            && bytes[starts[piece - 1]] == 0x20 && isNumber(piece - 2, in: bytes)
    }

    /// Whether no word stands before a piece in its line.
    private func beginsLine(_ piece: Int, in bytes: [UInt8]) -> Bool {
        var start = piece
        while !startsLine(start, in: bytes) {
            start -= 1
            if isWord(start, in: bytes) { return false }
        }
        return true
    }

    private static let signs = Set("():-".utf8)
    private static let letters = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8
    )

    /// Fractions and digits, Arabic, Persian, Devanagari, Bengali, Thai and of full width.
    ///
    /// A table of its own: what Unicode adds would part devices with programs of two years.
    private static let numbers: [ClosedRange<UInt32>] = [
        0xBC...0xBE, 0x660...0x669, 0x6F0...0x6F9, 0x966...0x96F, 0x9E6...0x9EF, 0xE50...0xE59,
        0x2150...0x215E, 0xFF10...0xFF19,
    ]
}
