extension TextPieces {
    /// Whether it is the `12` of a line that begins with `12.` or `12)`, which is given anew where a point
    /// comes or goes, or the `x` of `[x]`.
    func isMark(_ piece: Int, in bytes: [UInt8]) -> Bool {
        guard piece + 1 < count else { return false }
        let word = self.bytes(of: piece..<piece + 1)
        switch bytes[word.upperBound] {
        case UInt8(ascii: "]"):
            return word.count == 1 && piece > 0 && bytes[starts[piece - 1]] == UInt8(ascii: "[")
        case UInt8(ascii: "."), UInt8(ascii: ")"):
            let isFirst =
                startsLine(piece, in: bytes)
                || isBlank(piece - 1, in: bytes) && startsLine(piece - 1, in: bytes)
            return isFirst && bytes[word].allSatisfy { (0x30...0x39).contains($0) }
        default: return false
        }
    }
}
