extension [MergeRegion] {
    /// Leaves regions in both versions in which a line may be another one than the comparison says.
    ///
    /// `done: no` ends a record. Where one side changed the line above it, and added a record below
    /// that ends so, too, the line stays, to a comparison, as the end of the new record, and what the
    /// other side made of it would be there.
    func partingTwins(
        over base: TextPieces,
        local: (pieces: TextPieces, hunks: [DiffHunk]),
        remote: (pieces: TextPieces, hunks: [DiffHunk]),
        in bytes: [UInt8]
    ) -> [MergeRegion] {
        guard contains(where: { $0.taking == .both }) else { return self }
        var parted = self
        for (side, other) in [(local, remote), (remote, local)] {
            let twins = TwinLines(base: base, side: side.pieces, bytes: bytes)
            var lines = twins.lines(beside: side.hunks, changedBy: other.hunks)[...]
            for index in indices where self[index].taking == .both {
                let region = self[index].base
                lines = lines.drop { $0 < region.lowerBound }
                if let line = lines.first, region.contains(line) { parted[index].taking = .apart }
            }
        }
        return parted
    }
}

/// The lines beside one side's changes of which what came or went there has another one.
private struct TwinLines {
    let base: TextPieces
    let side: TextPieces
    let bytes: [UInt8]

    /// Those that the other side changed, in order.
    func lines(beside hunks: [DiffHunk], changedBy others: [DiffHunk]) -> [Int] {
        var lines: [Int] = []
        var rest = others[...]
        func isChanged(_ line: Int) -> Bool {
            rest = rest.drop { $0.base.upperBound <= line }
            return rest.first?.base.contains(line) ?? false
        }
        for (index, hunk) in hunks.enumerated() where hunk.base.count != hunk.side.count {
            let (above, below) = (hunk.base.lowerBound - 1, hunk.base.upperBound)
            let isAboveChanged = isChanged(above)
            let isBelowChanged = isChanged(below)
            guard isAboveChanged || isBelowChanged, !slides(index, of: hunks) else { continue }
            if isAboveChanged, hasTwin(above, in: hunk, isAbove: true) { lines.append(above) }
            if isBelowChanged, hasTwin(below, in: hunk, isAbove: false) { lines.append(below) }
        }
        return lines
    }

    /// Whether it only added or took out lines, and may be slid: its readings are weighed elsewhere.
    private func slides(_ index: Int, of hunks: [DiffHunk]) -> Bool {
        let hunk = hunks[index]
        guard hunk.base.isEmpty || hunk.side.isEmpty else { return false }
        let readings = hunk.readings(
            of: base,
            to: side,
            notBefore: index > 0 ? hunks[index - 1].base.upperBound : 0,
            notBehind: index + 1 < hunks.count ? hunks[index + 1].base.lowerBound : base.count
        )
        return readings.count > 1
    }

    /// Whether a line of the base beside a change may be one of the lines that came or went.
    private func hasTwin(_ line: Int, in hunk: DiffHunk, isAbove: Bool) -> Bool {
        guard base.hasWord(line..<line + 1, in: bytes) else { return false }
        let isLonger = hunk.side.count > hunk.base.count
        let (pieces, run) = isLonger ? (side, hunk.side) : (base, hunk.base)
        if pieces.ids[run].contains(base.ids[line]) { return true }
        guard let key = base.key(ofLine: line, in: bytes),
            let depth = base.depth(ofLine: line, in: bytes)
        else { return false }
        return isAbove
            ? endsBelow(key, depth, of: hunk, in: pieces, run)
            : isAboveParent(key, depth, in: pieces, run)
    }

    /// Whether what came or went has a line with the same key above one that parts records.
    ///
    /// That is one that is indented less than the line with the key, a blank one, or one that begins a
    /// section or a component.
    private func isAboveParent(
        _ key: ArraySlice<UInt8>,
        _ depth: Int,
        in pieces: TextPieces,
        _ run: Range<Int>
    ) -> Bool {
        var (isParted, hasText) = (false, false)
        for line in run.reversed() {
            if isParted, pieces.key(ofLine: line, in: bytes) == key { return true }
            let found = pieces.depth(ofLine: line, in: bytes)
            if found.map({ $0 < depth }) ?? hasText || pieces.beginsSection(line, in: bytes) {
                isParted = true
            }
            if found != nil { hasText = true }
        }
        return false
    }

    /// Whether lines that came or went end within a record that begins with the same key.
    private func endsBelow(
        _ key: ArraySlice<UInt8>,
        _ depth: Int,
        of hunk: DiffHunk,
        in pieces: TextPieces,
        _ run: Range<Int>
    ) -> Bool {
        let next = hunk.base.upperBound
        guard next < base.count, let below = base.depth(ofLine: next, in: bytes), below > depth
        else { return false }
        for line in run {
            if let found = pieces.depth(ofLine: line, in: bytes), found <= depth {
                return line > run.lowerBound && pieces.key(ofLine: line, in: bytes) == key
            }
        }
        return false
    }
}

extension TextPieces {
    /// With how many blanks a line begins; nil for a blank one.
    func depth(ofLine line: Int, in bytes: [UInt8]) -> Int? {
        bytes.indentation(ofLineIn: self.bytes(of: line..<line + 1))
    }

    /// Whether a line is `[section]`, a heading, or begins a component of a calendar.
    fileprivate func beginsSection(_ line: Int, in bytes: [UInt8]) -> Bool {
        let text = bytes[self.bytes(of: line..<line + 1)].withoutIndentation
        switch text.first {
        case UInt8(ascii: "["): return text.last { $0 > 0x20 } == UInt8(ascii: "]")
        case UInt8(ascii: "#"): return text.first { $0 != UInt8(ascii: "#") } == 0x20
        default: return text.starts(with: "BEGIN:".utf8)
        }
    }

    /// What names a line's value: all before `:`, `=` or `>`, if it is no number alone.
    fileprivate func key(ofLine line: Int, in bytes: [UInt8]) -> ArraySlice<UInt8>? {
        let text = bytes[self.bytes(of: line..<line + 1)]
        guard let end = text.firstIndex(where: { $0 == 0x3A || $0 == 0x3D || $0 == 0x3E })
        else { return nil }
        let key = text[..<end]
        let isNamed = key.contains { Self.isOfWord($0) && !(0x30...0x39).contains($0) }
        return isNamed ? key : nil
    }
}
