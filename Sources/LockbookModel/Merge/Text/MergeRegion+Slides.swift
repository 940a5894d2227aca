extension [MergeRegion] {
    /// Regions that both sides changed, with the lines around over which a change in them may be slid.
    ///
    /// Where records begin alike, lines that came or went may begin in the record before: what the other
    /// side changed there, or did not, is seen by words alone. The lines between regions are the same in
    /// all versions.
    func reachingOut(
        over base: TextPieces,
        _ sides: [(pieces: TextPieces, hunks: [DiffHunk])],
        in bytes: [UInt8]
    ) -> [MergeRegion] {
        var reached = self
        var walks = sides.map { HunkWalk(pieces: $0.pieces, hunks: $0.hunks) }
        for index in indices where self[index].taking == .both && !self[index].base.isEmpty {
            let region = self[index].base
            let least = index > 0 ? reached[index - 1].base.upperBound : 0
            let most = index + 1 < count ? self[index + 1].base.lowerBound : base.count
            let reaches = walks.indices.flatMap { side in
                walks[side].reaches(
                    at: region,
                    over: base,
                    notBefore: least,
                    notBehind: most,
                    in: bytes
                )
            }
            for reach in reaches { reached[index].reachOut(to: reach) }
        }
        return reached
    }
}

extension MergeRegion {
    fileprivate mutating func reachOut(to reach: Range<Int>) {
        let up = max(0, base.lowerBound - reach.lowerBound)
        let down = max(0, reach.upperBound - base.upperBound)
        func wider(_ range: Range<Int>) -> Range<Int> {
            range.lowerBound - up..<range.upperBound + down
        }
        (base, local, remote) = (wider(base), wider(local), wider(remote))
    }
}

/// One side's changes, which are asked for region by region, from the first to the last.
private struct HunkWalk {
    let pieces: TextPieces
    let hunks: [DiffHunk]
    /// The first change that does not end before the region asked for last.
    private var next = 0

    init(pieces: TextPieces, hunks: [DiffHunk]) {
        self.pieces = pieces
        self.hunks = hunks
    }

    /// The stretch over which each of the changes in a region may be slid.
    mutating func reaches(
        at region: Range<Int>,
        over base: TextPieces,
        notBefore least: Int,
        notBehind most: Int,
        in bytes: [UInt8]
    ) -> [Range<Int>] {
        while next < hunks.count, hunks[next].base.upperBound < region.lowerBound { next += 1 }
        let touching: ArraySlice<DiffHunk> = hunks[next...].prefix {
            $0.base.lowerBound <= region.upperBound
        }
        return touching.indices.map { index in
            let (before, behind) = (index - 1, index + 1)
            return hunks[index].reach(
                over: base,
                of: pieces,
                notBefore: before >= 0 ? max(least, hunks[before].base.upperBound) : least,
                notBehind: behind < hunks.count ? min(most, hunks[behind].base.lowerBound) : most,
                in: bytes
            )
        }
    }
}

extension DiffHunk {
    /// The stretch of all its readings; blank lines and brackets alone are slid over by chance.
    fileprivate func reach(
        over base: TextPieces,
        of side: TextPieces,
        notBefore least: Int,
        notBehind most: Int,
        in bytes: [UInt8]
    ) -> Range<Int> {
        guard self.base.isEmpty != self.side.isEmpty else { return self.base }
        let readings = readings(of: base, to: side, notBefore: least, notBehind: most)
        let above = self.base.lowerBound + readings.lowerBound..<self.base.lowerBound
        let below = self.base.upperBound..<self.base.upperBound + readings.upperBound
        let start = base.hasWord(above, in: bytes) ? above.lowerBound : above.upperBound
        let end = base.hasWord(below, in: bytes) ? below.upperBound : below.lowerBound
        return start..<end
    }
}
