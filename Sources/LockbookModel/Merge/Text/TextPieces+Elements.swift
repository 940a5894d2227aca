extension TextPieces {
    /// The readings of words that came or went in which they are whole elements: what opens in them closes
    /// in them, and nothing else does.
    ///
    /// - Returns: none where there are too many to look at.
    func whole(_ readings: ClosedRange<Int>, of run: Range<Int>, in bytes: [UInt8]) -> [Int] {
        guard readings.count > 1, readings.count * run.count <= Self.mostPiecesRead else {
            return []
        }
        return readings.filter { steps in
            isElement(run.lowerBound + steps..<run.upperBound + steps, in: bytes)
        }
    }

    private static let mostPiecesRead = 1 << 14

    /// Whether brackets and tags are closed as often as they are opened, and none before.
    private func isElement(_ run: Range<Int>, in bytes: [UInt8]) -> Bool {
        let text = bytes[self.bytes(of: run)]
        var depth = 0
        for at in text.indices {
            let next = at + 1 < text.endIndex ? text[at + 1] : 0
            switch text[at] {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: "<") where next == UInt8(ascii: "/"): depth -= 1
            case UInt8(ascii: "<") where Self.isOfWord(next): depth += 1
            case UInt8(ascii: "/") where next == UInt8(ascii: ">"): depth -= 1
            default: break
            }
            if depth < 0 { return false }
        }
        return depth == 0
    }
}
