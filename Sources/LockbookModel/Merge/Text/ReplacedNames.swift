/// Finds the records of one line that another one took the place of.
struct ReplacedNames {
    private let base: TextPieces
    private let kept: [Bool]
    private let named: [Int: NamedLine]
    private let bytes: [UInt8]

    /// - Parameters:
    ///   - kept: of each piece of the base whether it stayed.
    ///   - named: the records whose names are gone, by where their lines start.
    init(of base: TextPieces, _ kept: [Bool], _ named: [Int: NamedLine], in bytes: [UInt8]) {
        (self.base, self.kept, self.named, self.bytes) = (base, kept, named, bytes)
    }

    /// The pieces of their lines, from behind the mark of a point, without the ending.
    func lines(by hunks: [DiffHunk], to side: TextPieces) -> [Range<Int>] {
        var stays = kept
        for hunk in hunks where isSimilar(hunk, to: side) {
            for index in hunk.base { stays[index] = true }
        }
        var lines: [Range<Int>] = []
        var start = 0
        while start < base.count {
            var end = start
            while end < base.count, !base.endsLine(end, in: bytes) { end += 1 }
            if let line = named[base.starts[start]], isReplaced(line, start..<end, stays) {
                let said = base.index(holding: line.said.lowerBound)
                lines.append(said..<end)
            }
            start = end + 1
        }
        return lines
    }

    private func isReplaced(_ line: NamedLine, _ pieces: Range<Int>, _ stays: [Bool]) -> Bool {
        var (words, stayed, othersGone) = (0, 0, 0)
        var parts = line.name[...]
        for piece in pieces where base.isWord(piece, in: bytes) {
            let start = base.starts[piece]
            parts = parts.drop { $0.upperBound <= start }
            // A word may be of a name and of what stands around it.
            let isOfName = parts.first.map { $0.lowerBound < base.starts[piece + 1] } ?? false
            if isOfName {
                words += 1
                if line.isID ? kept[piece] : stays[piece] { stayed += 1 }
            } else if !kept[piece] {
                othersGone += 1
            }
        }
        if line.isProse, othersGone == 0 { return false }
        return line.isID ? stayed < words : stayed * 2 < words
    }

    /// Whether words became others with most of their letters, as where a slip was mended.
    private func isSimilar(_ hunk: DiffHunk, to side: TextPieces) -> Bool {
        let old = bytes[base.bytes(of: hunk.base)].withoutIndentation.withoutTrail
        let new = bytes[side.bytes(of: hunk.side)].withoutIndentation.withoutTrail
        let shorter = min(old.count, new.count)
        let head = zip(old, new).prefix { $0 == $1 }.count
        let tail = zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.count
        return min(head + tail, shorter) * 2 >= max(old.count, new.count)
    }
}
