/// Lines of the base in whose place one side has others, while it has them at another place.
///
/// Where `- beta` and `  about beta` went below a new point that has such a line, too, they have
/// another name to a comparison of words, that of the new point, and came below it anew.
struct ReplacedLines {
    private let changes: WordChanges
    private let base: TextPieces
    private let bytes: [UInt8]
    /// How many more of each line the side has than the base, once that was asked for.
    private var surplus: [ArraySlice<UInt8>: Int]?
    /// By the first pieces of lines that were asked for.
    private var known: [Int: Bool] = [:]

    init(by changes: WordChanges, of base: TextPieces, in bytes: [UInt8]) {
        self.changes = changes
        self.base = base
        self.bytes = bytes
    }

    /// Whether a line of the base, by its pieces, is one of them; how it is indented plays no part.
    mutating func contain(_ line: Range<Int>) -> Bool {
        if let known = known[line.lowerBound] { return known }
        let isReplaced = isReplaced(line)
        known[line.lowerBound] = isReplaced
        return isReplaced
    }

    private mutating func isReplaced(_ line: Range<Int>) -> Bool {
        guard let end = changes.place(of: line.upperBound - 1, from: \.base, to: \.side) else {
            return false
        }
        let old = text(line, of: base)
        let start = changes.lines.new.start(of: end)
        if old == text(start..<end + 1, of: changes.side) { return false }
        if surplus == nil { surplus = counted() }
        return surplus.map { $0[old, default: 0] >= 0 } ?? false
    }

    private func counted() -> [ArraySlice<UInt8>: Int] {
        var counts: [ArraySlice<UInt8>: Int] = [:]
        let versions = [(changes.side, changes.lines.new, 1), (base, changes.lines.old, -1)]
        for (pieces, lines, step) in versions {
            for line in 0..<lines.count {
                counts[text(lines.pieces(of: line..<line + 1), of: pieces), default: 0] += step
            }
        }
        return counts
    }

    /// A line without the blanks around it.
    private func text(_ line: Range<Int>, of pieces: TextPieces) -> ArraySlice<UInt8> {
        let text = bytes[pieces.bytes(of: line)]
        guard let first = text.firstIndex(where: { $0 > 0x20 }),
            let last = text.lastIndex(where: { $0 > 0x20 })
        else { return [] }
        return text[first...last]
    }
}
