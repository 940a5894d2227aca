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
        func words(of side: WordHomes) -> WordsElsewhere {
            let ids = 0..<table.count
            return WordsElsewhere(
                table: table,
                isMoved: ids.map { id in
                    guard let home = base[id].stretch, let other = side[id].stretch else {
                        return false
                    }
                    return home != other
                },
                isCommon: ids.map { base[$0] == .many }
            )
        }
        return (words(of: local), words(of: remote))
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
        where words.isWord(piece, in: bytes) && !words.countsPoints(piece, in: bytes) {
            let id = Int(words.ids[piece])
            while homes.count <= id { homes.append(.none) }
            homes[id] = homes[id] == .none ? .one(stretch: stretch) : .many
        }
    }

    /// Of a word by its number.
    subscript(id: Int) -> Home { id < homes.count ? homes[id] : .none }
}
