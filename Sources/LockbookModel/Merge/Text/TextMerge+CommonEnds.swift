extension TextMerge {
    /// The lines that two texts have in common at their beginning, and those at their end.
    ///
    /// A line is nobody's twice. Where one text is the beginning of the other one up to where a line ends
    /// there, that is all of it.
    static func commonEnds(of one: [UInt8], and other: [UInt8]) -> [UInt8] {
        let feed = UInt8(ascii: "\n")
        let (short, long) = one.count < other.count ? (one, other) : (other, one)
        var common = 0
        while common < short.count, short[common] == long[common] { common += 1 }
        if common == short.count {
            guard common < long.count, long[common] != feed, short.last != feed else {
                return short
            }
        }
        let head = one[..<common].lastIndex(of: feed).map { $0 + 1 } ?? 0
        let (rest, otherRest) = (one[head...], other[head...])
        var tail = 0
        while tail < min(rest.count, otherRest.count),
            rest[rest.endIndex - tail - 1] == otherRest[otherRest.endIndex - tail - 1]
        {
            tail += 1
        }
        // It begins where a line begins in both.
        func begins(_ rest: ArraySlice<UInt8>) -> Bool {
            tail == rest.count || rest[rest.endIndex - tail - 1] == feed
        }
        while tail > 0, !(begins(rest) && begins(otherRest)) { tail -= 1 }
        return Array(one[..<head] + rest.suffix(tail))
    }

    /// A text whose last line both sides ended, and left as it was, is one that had ended it.
    ///
    /// Else what each side adds to a log behind that line is another version of the line itself.
    static func ended(_ base: [UInt8], as local: [UInt8], and remote: [UInt8]) -> [UInt8] {
        let feed = UInt8(ascii: "\n")
        func isEnded(_ text: [UInt8]) -> Bool {
            text.count > base.count && text[base.count] == feed && text.starts(with: base)
        }
        return base.last != feed && isEnded(local) && isEnded(remote) ? base + [feed] : base
    }
}
