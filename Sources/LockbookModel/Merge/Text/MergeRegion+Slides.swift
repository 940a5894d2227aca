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
        var next = [Int](repeating: 0, count: sides.count)
        for index in indices where self[index].taking == .both && !self[index].base.isEmpty {
            let region = self[index].base
            let least = index > 0 ? reached[index - 1].base.upperBound : 0
            let most = index + 1 < count ? self[index + 1].base.lowerBound : base.count
            var (start, end) = (region.lowerBound, region.upperBound)
            for (number, side) in sides.enumerated() {
                let hunks = side.hunks
                while next[number] < hunks.count,
                    hunks[next[number]].base.upperBound < region.lowerBound
                {
                    next[number] += 1
                }
                var at = next[number]
                while at < hunks.count, hunks[at].base.lowerBound <= region.upperBound {
                    let reach = hunks[at].reach(
                        over: base,
                        of: side.pieces,
                        notBefore: at > 0 ? Swift.max(least, hunks[at - 1].base.upperBound) : least,
                        notBehind: at + 1 < hunks.count
                            ? Swift.min(most, hunks[at + 1].base.lowerBound) : most,
                        in: bytes
                    )
                    (start, end) = (
                        Swift.min(start, reach.lowerBound), Swift.max(end, reach.upperBound)
                    )
                    at += 1
                }
            }
            reached[index].reachOut(up: region.lowerBound - start, down: end - region.upperBound)
        }
        return reached
    }
}

extension MergeRegion {
    fileprivate mutating func reachOut(up: Int, down: Int) {
        func wider(_ range: Range<Int>) -> Range<Int> {
            range.lowerBound - up..<range.upperBound + down
        }
        (base, local, remote) = (wider(base), wider(local), wider(remote))
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
