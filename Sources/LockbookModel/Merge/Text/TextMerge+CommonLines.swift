extension TextMerge {
    private static let feed = UInt8(ascii: "\n")

    /// What two new texts have in common, as if it were what both were made of.
    ///
    /// The lines at their beginning and at their end, and where they begin alike (a heading, a
    /// template) also the landmarks between. Where one text is the beginning of the other one up to
    /// where a line ends there, it is all of that. The order of the two makes no difference.
    static func commonLines(of one: [UInt8], and other: [UInt8]) -> [UInt8] {
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
        let tail = commonTail(of: rest, and: otherRest)
        let begin = one[..<head]
        guard begin.contains(where: { $0 > 0x20 }) else { return Array(begin + rest.suffix(tail)) }
        let between = landmarks(of: rest.dropLast(tail), and: otherRest.dropLast(tail))
        return Array(begin + between + rest.suffix(tail))
    }

    /// How many bytes at the end are the same lines in both.
    ///
    /// A line is nobody's twice.
    private static func commonTail(of one: ArraySlice<UInt8>, and other: ArraySlice<UInt8>) -> Int {
        var tail = 0
        while tail < min(one.count, other.count),
            one[one.endIndex - tail - 1] == other[other.endIndex - tail - 1]
        {
            tail += 1
        }
        // It begins where a line begins in both.
        func begins(_ text: ArraySlice<UInt8>) -> Bool {
            tail == text.count || text[text.endIndex - tail - 1] == feed
        }
        while tail > 0, !(begins(one) && begins(other)) { tail -= 1 }
        return tail
    }

    /// The lines that two texts have in common, in runs with a line that each of them has once.
    ///
    /// Such a line with a word in it (a heading of a template, say) was hardly written twice by
    /// chance; a blank one, a bracket or an empty point of a list was.
    private static func landmarks(
        of one: ArraySlice<UInt8>,
        and other: ArraySlice<UInt8>
    ) -> [UInt8] {
        // One order, or of differences that are equally short each device might take another one.
        let (first, second) = one.lexicographicallyPrecedes(other) ? (one, other) : (other, one)
        var table = PieceTable(of: Array(first + second))
        let lines = table.lines(of: 0..<first.count)
        let others = table.lines(of: first.count..<first.count + second.count)
        let (bytes, kinds) = (table.bytes, table.count)
        var budget = DiffBudget(pieces: lines.count + others.count).local
        let hunks = SequenceDiff.hunks(
            from: lines.ids,
            to: others.ids,
            kinds: kinds,
            budget: &budget
        )
        let here = SequenceDiff.counts(lines.ids, kinds)
        let there = SequenceDiff.counts(others.ids, kinds)
        func isLandmark(_ line: Int) -> Bool {
            let id = Int(lines.ids[line])
            return here[id] == 1 && there[id] == 1 && lines.hasWord(line..<line + 1, in: bytes)
        }
        let starts = [0] + hunks.map(\.base.upperBound)
        let ends = hunks.map(\.base.lowerBound) + [lines.count]
        let runs = zip(starts, ends).map { $0..<$1 }
        return runs.filter { $0.contains(where: isLandmark) }
            .flatMap { bytes[lines.bytes(of: $0)] }
    }

    /// A text whose last line both sides ended, and left as it was, is one that had ended it.
    ///
    /// Else what each side adds to a log behind that line is another version of the line itself.
    static func ended(_ base: [UInt8], as local: [UInt8], and remote: [UInt8]) -> [UInt8] {
        func isEnded(_ text: [UInt8]) -> Bool {
            text.count > base.count && text[base.count] == feed && text.starts(with: base)
        }
        return base.last != feed && isEnded(local) && isEnded(remote) ? base + [feed] : base
    }
}
