extension [MergeRegion] {
    /// Joins changes of the two sides that are parts of one value: a number, and what stands beside it.
    ///
    /// "27 Nov" that one side makes "28 Nov" and the other one "27 Dec" would be "28 Dec", which nobody
    /// wrote.
    func joiningValues(
        of base: TextPieces,
        _ local: TextPieces,
        _ remote: TextPieces,
        in bytes: [UInt8]
    ) -> [MergeRegion] {
        var joined: [MergeRegion] = []
        for region in self {
            guard let last = joined.last, last.isOpposed(to: region, base, local, remote),
                base.isOneValue(last.base, region.base, in: bytes)
            else {
                joined.append(region)
                continue
            }
            joined[joined.count - 1] = MergeRegion(
                base: last.base.lowerBound..<region.base.upperBound,
                local: last.local.lowerBound..<region.local.upperBound,
                remote: last.remote.lowerBound..<region.remote.upperBound,
                taking: .both
            )
        }
        return joined
    }
}

extension MergeRegion {
    /// Whether each side replaced one of the two, and left the other one as it was.
    fileprivate func isOpposed(
        to next: MergeRegion,
        _ base: TextPieces,
        _ local: TextPieces,
        _ remote: TextPieces
    ) -> Bool {
        func isReplaced(_ region: MergeRegion, by side: Taking) -> Bool {
            let old = base.ids[region.base]
            return !old.isEmpty && region.taking == side
                && (side == .local
                    ? !region.local.isEmpty && remote.ids[region.remote] == old
                    : !region.remote.isEmpty && local.ids[region.local] == old)
        }
        return isReplaced(self, by: .local) && isReplaced(next, by: .remote)
            || isReplaced(self, by: .remote) && isReplaced(next, by: .local)
    }
}
