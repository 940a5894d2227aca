extension MergeText {
    /// Whether merged lines have twice what both sides put before or behind them.
    ///
    /// Only one of the sides changed the lines themselves, and so much that what it added was taken
    /// for a part of that.
    func addsTwice(
        _ parts: [MergedPart],
        base: Range<Int>,
        local: Range<Int>,
        remote: Range<Int>
    ) -> Bool {
        guard !parts.contains(where: \.isConflict),
            let side = sideHolding(base: base, local: local, remote: remote)
        else { return false }
        return !document(of: parts, choosingLocal: true).elementsEqual(bytes[side])
    }

    /// The side whose version of lines has all that the other one made of them.
    ///
    /// - Returns: nil also where a line like an added one was there before: of those nobody can tell
    ///   which is which.
    private func sideHolding(
        base: Range<Int>,
        local: Range<Int>,
        remote: Range<Int>
    ) -> Range<Int>? {
        let isEnded = bytes[base].last == 0x0A
        for (plain, changed) in [(local, remote), (remote, local)] {
            let count = plain.count - base.count
            guard count > 0, count < changed.count else { continue }
            let (ahead, behind) = (plain.prefix(count), plain.suffix(count))
            if isEnded, same(plain.prefix(base.count), base), same(behind, changed.suffix(count)),
                bytes[changed.upperBound - count - 1] == 0x0A, isNew(behind, to: base)
            {
                return changed
            }
            if same(plain.suffix(base.count), base), same(ahead, changed.prefix(count)),
                bytes[ahead].last == 0x0A, isNew(ahead, to: base)
            {
                return changed
            }
        }
        return nil
    }

    /// Whether lines say something, and none of it stands in others.
    private func isNew(_ added: Range<Int>, to old: Range<Int>) -> Bool {
        func said(_ lines: Range<Int>) -> Set<ArraySlice<UInt8>> {
            Set(bytes[lines].split(separator: 0x0A).filter { $0.contains { $0 > 0x20 } })
        }
        let new = said(added)
        return !new.isEmpty && new.isDisjoint(with: said(old))
    }
}
