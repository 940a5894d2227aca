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

    init(
        of parts: [MergedPart],
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
        add(base, in: table) { $0.base += 1 }
        add(local, in: table) { $0.local += 1 }
        add(remote, in: table) { $0.remote += 1 }
        for (pieces, isMine, isTheirs) in chosen {
            add(pieces, in: table) { counts in
                if isMine { counts.mine += 1 }
                if isTheirs { counts.theirs += 1 }
            }
        }
    }

    private mutating func add(
        _ pieces: TextPieces,
        in table: PieceTable,
        _ body: (inout Counts) -> Void
    ) {
        for (index, id) in pieces.ids.enumerated()
        where DiffHunk.isWord(table.bytes[pieces.starts[index]]) {
            body(&counts[Int(id)])
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
