import LockbookEngine

/// Those of many files that fit what is typed, the best first, as `find` has them.
///
/// Between two keys there is no time to put 50,000 in order: that is done where somebody looks behind the
/// first of them.
struct FittingFiles {
    private struct Match {
        var file: FileInfo
        var score: Int

        func isBetter(than other: Match) -> Bool {
            guard score == other.score else { return score > other.score }
            let (length, others) = (file.path.utf8.count, other.file.path.utf8.count)
            return length == others ? file.path < other.file.path : length < others
        }
    }

    let all: [FileInfo]
    private var pattern = FuzzyPattern("")
    private var matches: [Match]
    /// The best of them in order: as many as were looked at, or all.
    private(set) var ordered: [FileInfo]

    /// All of them, in the order in which they are given.
    init(_ files: [FileInfo]) {
        all = files
        matches = files.map { Match(file: $0, score: 0) }
        ordered = files
    }

    var count: Int { matches.count }

    /// Finds those that fit, or all where nothing is typed.
    /// - Parameter rows: how many are shown at once.
    mutating func search(_ query: String, rows: Int) {
        guard !query.allSatisfy(\.isWhitespace) else {
            self = FittingFiles(all)
            return
        }
        let next = FuzzyPattern(query)
        let candidates = next.goesOn(from: pattern) ? matches.map(\.file) : all
        pattern = next
        matches = candidates.compactMap { file in
            next.score(file.path).map { Match(file: file, score: $0) }
        }
        ordered = best(rows)
    }

    /// Those at these places, as far as there are so many.
    mutating func files(at places: Range<Int>) -> ArraySlice<FileInfo> {
        if ordered.count < min(places.upperBound, count) {
            ordered = matches.sorted { $0.isBetter(than: $1) }.map(\.file)
        }
        return ordered[places.clamped(to: ordered.indices)]
    }

    /// The first of them in order, without ordering the others.
    private func best(_ count: Int) -> [FileInfo] {
        var best: [Match] = []
        for match in matches {
            if best.count == count {
                guard let last = best.last, match.isBetter(than: last) else { continue }
                best.removeLast()
            }
            best.insert(match, at: best.firstIndex { match.isBetter(than: $0) } ?? best.endIndex)
        }
        return best.map(\.file)
    }
}
