/// Words of a line that one side put between two marks: brackets, quotes, emphasis, code, tags.
///
/// `[[the manual]] page` and `the [[manual page]]` are both sound; all four marks at their places are not.
struct MarkedWords {
    /// Between which pieces of the base the words of each kind of mark stand, in order and apart.
    private let stretches: [UInt8: [Range<Int>]]

    /// - Parameter hunks: all that the side changed, in order.
    init(_ hunks: [DiffHunk], from old: OldWords, to side: TextPieces, in bytes: [UInt8]) {
        var line = -1
        var open: [UInt8: Int] = [:]
        var stretches: [UInt8: [Range<Int>]] = [:]
        func close(_ kind: UInt8?, at place: Int) -> Bool {
            guard let kind, let start = open.removeValue(forKey: kind) else { return false }
            stretches[kind, default: []].append(start..<place)
            return true
        }
        for hunk in hunks {
            let place = hunk.base.lowerBound
            if old.lines[place] != line {
                line = old.lines[place]
                open.removeAll()
            }
            let added = bytes[Self.trimmed(bytes, side.bytes(of: hunk.side))]
            let word = bytes[old.pieces.bytes(of: hunk.base)]
            if word.isEmpty {
                if !close(Self.closed(by: added), at: place), let kind = Self.opened(by: added) {
                    open[kind] = place
                }
            } else if let (before, behind) = Self.marks(around: word, in: added) {
                if let kind = Self.opened(by: before) { open[kind] = place }
                _ = close(Self.closed(by: behind), at: hunk.base.upperBound)
            }
        }
        self.stretches = stretches
    }

    /// Whether words that each side put between marks overlap, so that these would be about other words.
    ///
    /// Those of two kinds may stand in one another.
    func cross(_ other: MarkedWords) -> Bool {
        stretches.contains { kind, mine in
            other.stretches.contains { otherKind, theirs in
                Self.cross(mine, theirs, isSameKind: kind == otherKind)
            }
        }
    }

    private static func cross(_ mine: [Range<Int>], _ theirs: [Range<Int>], isSameKind: Bool)
        -> Bool
    {
        var rest = theirs[...]
        for one in mine {
            rest = rest.drop { $0.upperBound <= one.lowerBound }
            for other in rest {
                if other.lowerBound >= one.upperBound { break }
                if one == other { continue }
                let isWithin =
                    one.lowerBound <= other.lowerBound && other.upperBound <= one.upperBound
                    || other.lowerBound <= one.lowerBound && one.upperBound <= other.upperBound
                if isSameKind || !isWithin { return true }
            }
        }
        return false
    }

    /// What stands before and behind a word in what took its place: `_` and “ are of words.
    ///
    /// - Returns: nil where more than marks came, as in `file_name` that was `name`.
    private static func marks(
        around word: ArraySlice<UInt8>,
        in added: ArraySlice<UInt8>
    ) -> (before: ArraySlice<UInt8>, behind: ArraySlice<UInt8>)? {
        guard let first = word.first, let last = word.last, TextPieces.isOfWord(first),
            TextPieces.isOfWord(last), !word.contains(0x0A), added.count > word.count
        else { return nil }
        let places = 0...min(longestMarks, added.count - word.count)
        guard let start = places.first(where: { added.dropFirst($0).starts(with: word) }) else {
            return nil
        }
        let before = added.prefix(start)
        let behind = added.dropFirst(start + word.count)
        if before.contains(where: isLetter) || behind.contains(where: isLetter) { return nil }
        return (before, behind)
    }

    /// Bytes of marks before a word; of more it is not asked whether the word stands behind them.
    private static let longestMarks = 16

    private static func trimmed(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int> {
        var range = range
        while let first = range.first, bytes[first] <= 0x20 { range.removeFirst() }
        while let last = range.last, bytes[last] <= 0x20 { range.removeLast() }
        return range
    }
}
