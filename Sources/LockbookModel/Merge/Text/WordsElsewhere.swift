/// Words that one side took from one stretch of a text, which it changed, to another one.
struct WordsElsewhere {
    private let table: PieceTable
    /// By the numbers of words.
    private let isMoved: [Bool]
    private let isCommon: [Bool]

    /// Whether a word is one of them.
    func contain(_ word: Range<Int>) -> Bool { has(word, isMoved) }

    /// Whether a word of the base is there once in all that either side changed, as far as is known.
    func isRare(_ word: Range<Int>) -> Bool { !has(word, isCommon) }

    private func has(_ word: Range<Int>, _ those: [Bool]) -> Bool {
        guard !those.isEmpty, let id = table.known(word) else { return false }
        return those[Int(id)]
    }
}

extension WordsElsewhere {
    /// Those of both sides, looked for when they are asked for: most merges can do without.
    struct OfSides {
        private(set) lazy var local = all.local
        private(set) lazy var remote = all.remote

        private let regions: [MergedRegion]
        private let text: MergeText
        private lazy var all = WordsElsewhere.all(in: regions, of: text)

        /// - Parameter regions: all stretches that either side changed.
        init(in regions: [MergedRegion], of text: MergeText) {
            (self.regions, self.text) = (regions, text)
        }
    }

    /// None where there are too many words to look at.
    private static func all(in regions: [MergedRegion], of text: MergeText)
        -> (local: WordsElsewhere, remote: WordsElsewhere)
    {
        var table = PieceTable(of: text)
        guard regions.count > 1, regions.size <= MergeText.wordSizeLimit else {
            let none = WordsElsewhere(table: table, isMoved: [], isCommon: [])
            return (none, none)
        }
        var homes: [WordHomes] = []
        func add(_ words: TextPieces, _ body: (inout WordHomes) -> Void) {
            for piece in 0..<words.count
            where words.isWord(piece, in: text.bytes) && !words.isMark(piece, in: text.bytes) {
                let id = Int(words.ids[piece])
                while homes.count <= id { homes.append(WordHomes()) }
                body(&homes[id])
            }
        }
        for (index, region) in regions.enumerated() {
            let old = table.words(of: region.base)
            // What one side alone changed is in the other one as it was.
            let isKeptHere = text.same(region.local, region.base)
            let isKeptThere = text.same(region.remote, region.base)
            add(old) { word in
                word.base.add(index)
                if isKeptHere { word.local.add(index) }
                if isKeptThere { word.remote.add(index) }
            }
            if !isKeptHere { add(table.words(of: region.local, like: old)) { $0.local.add(index) } }
            if !isKeptThere {
                add(table.words(of: region.remote, like: old)) { $0.remote.add(index) }
            }
        }
        while homes.count < table.count { homes.append(WordHomes()) }
        let isCommon = homes.map(\.base.isMany)
        var moved = [
            homes.map { $0.base.moves(to: $0.local) }, homes.map { $0.base.moves(to: $0.remote) },
        ]
        if moved.contains(where: { $0.contains(true) }) {
            // What also stands where nobody changed anything is no record's own.
            for word in table.unchangedWords(of: text.base, around: regions.map(\.base)) {
                for side in moved.indices { moved[side][word] = false }
            }
        }
        return (
            WordsElsewhere(table: table, isMoved: moved[0], isCommon: isCommon),
            WordsElsewhere(table: table, isMoved: moved[1], isCommon: isCommon)
        )
    }
}

/// In which stretches of each version a word is.
private struct WordHomes {
    struct Home {
        private static let none = Int32(-1)
        private static let many = Int32(-2)
        /// The one in which the word is once.
        private var stretch = Self.none

        mutating func add(_ stretch: Int) {
            self.stretch = self.stretch == Self.none ? Int32(stretch) : Self.many
        }

        var isMany: Bool { stretch == Self.many }

        /// Whether a word is in one stretch here, and in another one there.
        func moves(to other: Home) -> Bool {
            stretch >= 0 && other.stretch >= 0 && stretch != other.stretch
        }
    }

    var base = Home()
    var local = Home()
    var remote = Home()
}

extension PieceTable {
    /// The numbers of known words that stand in a text outside of some stretches, which are in order.
    fileprivate func unchangedWords(of text: Range<Int>, around stretches: [Range<Int>]) -> [Int] {
        var cutting = self
        var words: [Int] = []
        let starts = [text.lowerBound] + stretches.map(\.upperBound)
        let ends = stretches.map(\.lowerBound) + [text.upperBound]
        for (start, end) in zip(starts, ends) where start < end {
            words += cutting.words(of: start..<end).ids.lazy.map(Int.init).filter { $0 < count }
        }
        return words
    }
}
