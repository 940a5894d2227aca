/// What somebody may have meant; nil when nothing is near enough.
func nearest(to word: String, among names: [String]) -> String? {
    var search = NearestName(to: word)
    for name in names { search.look(at: name) }
    return search.name
}

/// Looks for the name that is nearest to a word: a third of its letters may differ, and no more than a few.
struct NearestName {
    /// How many letters may differ of words of any length.
    private static let mostChanges = 10
    /// Whoever mistyped a path of a large folder is told in the time of a lookup, if need be without a hint.
    static let mostSteps = 4_000_000

    private let word: [UInt8]
    /// The first of those that are nearest so far.
    private(set) var name: String?
    private var distance = NearestName.mostChanges + 1
    /// How many pairs of letters were compared.
    private(set) var steps = 0

    init(to word: String) {
        self.word = Array(word.utf8)
    }

    /// Whether no name is looked at any more.
    var isDone: Bool { distance == 0 || steps >= Self.mostSteps }

    mutating func look(at name: String) {
        guard !isDone else { return }
        let letters = Array(name.utf8)
        let limit = min(distance - 1, max(1, min(word.count, letters.count) / 3))
        var measure = EditDistance(limit: limit)
        defer { steps += measure.steps }
        guard let found = measure.between(word, letters) else { return }
        self.name = name
        distance = found
    }
}

/// How many letters to add, drop, change, or swap with their neighbour, to come from one word to the other.
///
/// That of Levenshtein with swaps (optimal string alignment), in the band around the diagonal alone in which
/// no distance above the limit lies (Ukkonen 1985).
struct EditDistance {
    let limit: Int
    /// How many pairs of letters were compared.
    private(set) var steps = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// - Returns: nil where it is above the limit.
    mutating func between(_ left: [UInt8], _ right: [UInt8]) -> Int? {
        guard abs(left.count - right.count) <= limit else { return nil }
        // What both begin and end with changes nothing.
        let begins = zip(left, right).prefix { $0 == $1 }.count
        let ends = zip(left[begins...].reversed(), right[begins...].reversed())
            .prefix { $0 == $1 }.count
        return banded(
            Array(left[begins..<left.count - ends]),
            Array(right[begins..<right.count - ends])
        )
    }

    private mutating func banded(_ left: [UInt8], _ right: [UInt8]) -> Int? {
        let far = limit + 1
        var beforeLast = Array(repeating: far, count: right.count + 1)
        var current = beforeLast
        var last = (0...right.count).map { min($0, far) }
        var leastOfLast = 0
        for row in left.indices {
            let low = max(0, row - limit)
            let high = min(right.count, row + limit + 1)
            current[low] = low == 0 ? min(row + 1, far) : far
            var least = current[low]
            for column in low..<high {
                var best = min(
                    last[column] + (left[row] == right[column] ? 0 : 1),
                    last[column + 1] + 1,
                    current[column] + 1
                )
                if row > 0, column > 0, left[row] == right[column - 1],
                    left[row - 1] == right[column]
                {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current[column + 1] = min(best, far)
                least = min(least, best)
            }
            steps += high - low
            // A swap comes from the row before the last.
            guard min(least, leastOfLast) <= limit else { return nil }
            leastOfLast = least
            (beforeLast, last, current) = (last, current, beforeLast)
        }
        return last[right.count] <= limit ? last[right.count] : nil
    }
}
