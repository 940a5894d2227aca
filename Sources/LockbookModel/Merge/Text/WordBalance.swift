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
        var chosen: [(pieces: TextPieces, isMine: Bool, isTheirs: Bool)] = []
        for part in parts {
            switch part {
            case .kept(let range): chosen.append((table.words(of: range), true, true))
            case .conflict(let mine, let theirs):
                chosen.append((table.words(of: mine), true, false))
                chosen.append((table.words(of: theirs), false, true))
            }
        }
        counts = Array(repeating: Counts(), count: table.count)
        add(base, in: table) { $1.base += 1 }
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
        add(local, in: table) { $1.local += 1 }
        add(remote, in: table) { $1.remote += 1 }
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
    var isKept: Bool {
        counts.allSatisfy { word in
            let (taken, given) = (word.base - word.remote, word.remote - word.base)
            let (gone, new) = (word.base - word.local, word.local - word.base)
            let mine = word.local - max(0, taken)...word.local + max(0, given)
            let theirs = word.remote - max(0, gone)...word.remote + max(0, new)
            return mine.contains(word.mine) && theirs.contains(word.theirs)
        }
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
