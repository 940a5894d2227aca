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
        let size = regions.reduce(0) { $0 + $1.base.count + $1.local.count + $1.remote.count }
        guard regions.count > 1, size <= MergeText.wordSizeLimit else {
            let none = WordsElsewhere(table: table, isMoved: [], isCommon: [])
            return (none, none)
        }
        var (base, local, remote) = (WordHomes(), WordHomes(), WordHomes())
        for (index, region) in regions.enumerated() {
            let old = table.words(of: region.base)
            // What one side alone changed is in the other one as it was.
            let mine =
                text.same(region.local, region.base) ? old : table.words(of: region.local)
            let theirs =
                text.same(region.remote, region.base) ? old : table.words(of: region.remote)
            base.add(old, to: index, in: text.bytes)
            local.add(mine, to: index, in: text.bytes)
            remote.add(theirs, to: index, in: text.bytes)
        }
        let ids = 0..<table.count
        let isCommon = ids.map { base[$0] == .many }
        var moved = [local, remote].map { side in ids.map { base.moves($0, to: side) } }
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

/// In which stretches of one version each word is.
private struct WordHomes {
    enum Home: Equatable {
        case none
        case one(stretch: Int)
        case many

        /// The one stretch in which the word is once.
        var stretch: Int? {
            if case .one(let stretch) = self { stretch } else { nil }
        }
    }

    private var homes: [Home] = []

    mutating func add(_ words: TextPieces, to stretch: Int, in bytes: [UInt8]) {
        for piece in 0..<words.count
        where words.isWord(piece, in: bytes) && !words.isMark(piece, in: bytes) {
            let id = Int(words.ids[piece])
            while homes.count <= id { homes.append(.none) }
            homes[id] = homes[id] == .none ? .one(stretch: stretch) : .many
        }
    }

    /// Whether a word is in one stretch here, and in another one there.
    func moves(_ id: Int, to others: WordHomes) -> Bool {
        guard let home = self[id].stretch, let other = others[id].stretch else { return false }
        return home != other
    }

    /// Of a word by its number.
    subscript(id: Int) -> Home { id < homes.count ? homes[id] : .none }
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
