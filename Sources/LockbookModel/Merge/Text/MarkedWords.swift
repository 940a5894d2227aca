/// Words of a line that one side put between two marks: brackets, quotes, emphasis, code, tags.
///
/// `[[the manual]] page` and `the [[manual page]]` are both sound; all four marks at their places are not.
struct MarkedWords {
    /// Between which pieces of the base the words of each kind of mark stand, in order and apart.
    private var stretches: [UInt8: [Range<Int>]] = [:]

    /// - Parameter hunks: all that the side changed, in order.
    init(_ hunks: [DiffHunk], from old: OldWords, to side: TextPieces, in bytes: [UInt8]) {
        var line = -1
        var open: [UInt8: Int] = [:]
        for hunk in hunks where hunk.base.isEmpty {
            let place = hunk.base.lowerBound
            if old.lines[place] != line {
                line = old.lines[place]
                open.removeAll()
            }
            let added = Self.trimmed(bytes, side.bytes(of: hunk.side))
            if let kind = Self.closed(by: added, in: bytes), let start = open[kind] {
                stretches[kind, default: []].append(start..<place)
                open[kind] = nil
            } else if let kind = Self.opened(by: added, in: bytes) {
                open[kind] = place
            }
        }
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

    private static func trimmed(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int> {
        var range = range
        while let first = range.first, bytes[first] <= 0x20 { range.removeFirst() }
        while let last = range.last, bytes[last] <= 0x20 { range.removeLast() }
        return range
    }

    /// The kind of mark that what was added ends with, where it opens something: by the byte.
    private static func opened(by added: Range<Int>, in bytes: [UInt8]) -> UInt8? {
        guard let first = added.first, let last = added.last else { return nil }
        switch bytes[last] {
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): return bytes[last]
        case UInt8(ascii: ">"):
            let isTag = bytes[first] == UInt8(ascii: "<") && bytes[first + 1] != UInt8(ascii: "/")
            return isTag ? bytes[first] : nil
        case let mark where isSymmetric(mark):
            return bytes[first] != mark || isOnly(mark, added, bytes) ? mark : nil
        default: return nil
        }
    }

    /// The kind of mark that what was added begins with, where it closes something.
    private static func closed(by added: Range<Int>, in bytes: [UInt8]) -> UInt8? {
        guard let first = added.first, let last = added.last else { return nil }
        switch bytes[first] {
        case UInt8(ascii: ")"): return UInt8(ascii: "(")
        case UInt8(ascii: "]"): return UInt8(ascii: "[")
        case UInt8(ascii: "}"): return UInt8(ascii: "{")
        case UInt8(ascii: "<"):
            return first < last && bytes[first + 1] == UInt8(ascii: "/") ? bytes[first] : nil
        case let mark where isSymmetric(mark):
            return bytes[last] != mark || isOnly(mark, added, bytes) ? mark : nil
        default: return nil
        }
    }

    private static func isOnly(_ mark: UInt8, _ range: Range<Int>, _ bytes: [UInt8]) -> Bool {
        bytes[range].allSatisfy { $0 == mark }
    }

    private static func isSymmetric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"), UInt8(ascii: "*"),
            UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "="), UInt8(ascii: "$"):
            true
        default: false
        }
    }
}
