extension TextPieces {
    /// Where each word stands that is there once; nil for others, for what is no word, and for
    /// marks of points.
    func wordsThereOnce(kinds: Int, in bytes: [UInt8]) -> [Int?] {
        var seen = [Bool](repeating: false, count: kinds)
        var places = [Int?](repeating: nil, count: kinds)
        for piece in 0..<count where isWord(piece, in: bytes) && !isMark(piece, in: bytes) {
            let id = Int(ids[piece])
            places[id] = seen[id] ? nil : piece
            seen[id] = true
        }
        return places
    }

    /// Whether it is the `12` of a line that begins with `12.` or `12)`, which is given anew where a point
    /// comes or goes, or the `x` of `[x]`.
    func isMark(_ piece: Int, in bytes: [UInt8]) -> Bool {
        guard piece + 1 < count else { return false }
        let next = bytes[starts[piece + 1]]
        let word = bytes[self.bytes(of: piece..<piece + 1)]
        if word.count == 1, piece > 0, next == UInt8(ascii: "]") {
            return bytes[starts[piece - 1]] == UInt8(ascii: "[")
        }
        guard word.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
        let isFirst =
            startsLine(piece, in: bytes)
            || isBlank(piece - 1, in: bytes) && startsLine(piece - 1, in: bytes)
        return isFirst && [UInt8(ascii: "."), UInt8(ascii: ")")].contains(next)
    }
}
