/// How often each word of a stretch that both sides changed stands in its versions and in its merge.
///
/// A word that one side took to another line is, to a comparison, gone in one place and new in another.
/// Where one of these places is merged and the other one is not, or the other side's change takes the
/// place of one, the word would be lost, or come twice, without anybody having asked for that.
struct WordBalance {
    private struct Counts {
        var base = 0
        var local = 0
        var remote = 0
        /// With the local version of every conflict, and with the remote one.
        var mine = 0
        var theirs = 0

        var isRare: Bool { max(base, local, remote) < 2 }

        var isKept: Bool {
            let (taken, given) = (base - remote, remote - base)
            let (gone, new) = (base - local, local - base)
            return (local - max(0, taken)...local + max(0, given)).contains(mine)
                && (remote - max(0, gone)...remote + max(0, new)).contains(theirs)
        }
    }

    private var counts: [Counts] = []

    /// - Parameter regions: what both sides added alike counts as if it had been there before.
    init(
        of parts: [MergedPart],
        regions: [MergeRegion],
        base: TextPieces,
        local: TextPieces,
        remote: TextPieces,
        in table: inout PieceTable
    ) {
        let whole = MergedStretch(base: base, local: local, remote: remote, parts: parts)
        self.init(of: [whole], in: &table)
        for region in regions
        where region.taking == .local && local.ids[region.local] == remote.ids[region.remote] {
            // What both took out, one of them may have taken elsewhere; what both added is no question.
            var gone: [Int32: Int] = [:]
            for id in base.ids[region.base] { gone[id, default: 0] += 1 }
            add(local, region.local, in: table) { id, counts in
                guard gone[id, default: 0] == 0 else {
                    gone[id, default: 0] -= 1
                    return
                }
                counts.base += 1
            }
        }
    }

    /// The same of all that changed in a text together.
    init(of stretches: [MergedStretch], in table: inout PieceTable) {
        let chosen = stretches.map { Self.chosen($0.parts, in: &table) }
        counts = Array(repeating: Counts(), count: table.count)
        for (stretch, chosen) in zip(stretches, chosen) {
            add(stretch.base, in: table) { $1.base += 1 }
            add(stretch.local, in: table) { $1.local += 1 }
            add(stretch.remote, in: table) { $1.remote += 1 }
            add(chosen, in: table)
        }
    }

    /// Words of a merge, and in which of its two choices they are.
    private typealias Chosen = [(pieces: TextPieces, isMine: Bool, isTheirs: Bool)]

    private static func chosen(_ parts: [MergedPart], in table: inout PieceTable) -> Chosen {
        var chosen: Chosen = []
        for part in parts {
            switch part {
            case .kept(let range): chosen.append((table.words(of: range), true, true))
            case .conflict(let mine, let theirs):
                chosen.append((table.words(of: mine), true, false))
                chosen.append((table.words(of: theirs), false, true))
            }
        }
        return chosen
    }

    private mutating func add(_ chosen: Chosen, in table: PieceTable) {
        for (pieces, isMine, isTheirs) in chosen {
            add(pieces, in: table) { _, counts in
                if isMine { counts.mine += 1 }
                if isTheirs { counts.theirs += 1 }
            }
        }
    }

    private mutating func add(
        _ pieces: TextPieces,
        _ part: Range<Int>? = nil,
        in table: PieceTable,
        _ body: (_ id: Int32, inout Counts) -> Void
    ) {
        for index in part ?? 0..<pieces.count
        where pieces.isWord(index, in: table.bytes) {
            body(pieces.ids[index], &counts[Int(pieces.ids[index])])
        }
    }

    /// Whether each side, chosen in every conflict, has all of its words but those that the other one
    /// took out, and none more often than the two wrote it.
    var isKept: Bool { counts.allSatisfy(\.isKept) }

    /// The words of which this is not so, and that each version has once at the most: those that stand
    /// in many places come and go without having moved.
    var moved: Set<Int32> {
        Set(counts.indices.filter { counts[$0].isRare && !counts[$0].isKept }.map(Int32.init))
    }

    /// The same of a merge without conflicts, in which a word that one side left alone is as the other
    /// one has it.
    var isMerged: Bool {
        counts.allSatisfy { word in
            if word.local == word.base { return word.mine == word.remote }
            if word.remote == word.base { return word.mine == word.local }
            let both = word.local + word.remote - word.base
            let least = min(word.local, word.remote, both)
            return (least...max(word.local, word.remote, both)).contains(word.mine)
        }
    }
}
