extension [MergeRegion] {
    /// Leaves regions in both versions in which one side changed a record that the other one moved.
    ///
    /// A line that the base has once, and a side as well, says where its record is there. What the
    /// other side made of that line, or of one below it that other records have, too, would be
    /// written to the record that came to its place; and what it took out would be back.
    func partingMoves(
        over base: TextPieces,
        local: (pieces: TextPieces, hunks: [DiffHunk]),
        remote: (pieces: TextPieces, hunks: [DiffHunk]),
        kinds: Int,
        in bytes: [UInt8]
    ) -> [MergeRegion] {
        let old = PiecePlaces(ofAllIn: base, kinds: kinds)
        func lines(
            _ side: (pieces: TextPieces, hunks: [DiffHunk]),
            _ version: KeyPath<MergeRegion, Range<Int>>
        ) -> MovedLines {
            MovedLines(
                of: base,
                to: side.pieces,
                places: (old, PiecePlaces(ofAllIn: side.pieces, kinds: kinds)),
                hunks: side.hunks,
                version: version,
                in: bytes
            )
        }
        var (mine, theirs) = (lines(local, \.local), lines(remote, \.remote))
        guard mine.movesAny || theirs.movesAny else { return self }
        (mine, theirs) = (
            mine.besidesMoves(of: theirs, in: self), theirs.besidesMoves(of: mine, in: self)
        )
        var parted = self
        for (side, other) in [(mine, theirs), (theirs, mine)] where side.movesAny {
            for index in side.regions(of: self, changedBy: other) { parted[index].taking = .apart }
        }
        return parted
    }

    /// The region that a line of one version is in.
    fileprivate func index(
        holding line: Int,
        of version: KeyPath<MergeRegion, Range<Int>>
    ) -> Int? {
        let next = index(past: { $0[keyPath: version].upperBound <= line })
        return next < count && self[next][keyPath: version].contains(line) ? next : nil
    }
}

/// The lines with a word that the base has once, and one side as well, and which of them it moved.
private struct MovedLines {
    private struct Line {
        let old: Int32
        let new: Int32
        let isMoved: Bool
    }

    private let base: TextPieces
    private let side: TextPieces
    private let places: (old: PiecePlaces, new: PiecePlaces)
    private let hunks: [DiffHunk]
    private let version: KeyPath<MergeRegion, Range<Int>>
    private let bytes: [UInt8]
    /// In the order of the base.
    private var lines: [Line] = []

    /// - Parameters:
    ///   - places: of the lines of the base, and of the side.
    ///   - hunks: all that the side changed, in order.
    ///   - version: where the side is in a region.
    init(
        of base: TextPieces,
        to side: TextPieces,
        places: (old: PiecePlaces, new: PiecePlaces),
        hunks: [DiffHunk],
        version: KeyPath<MergeRegion, Range<Int>>,
        in bytes: [UInt8]
    ) {
        self.base = base
        self.side = side
        self.places = places
        self.hunks = hunks
        self.version = version
        self.bytes = bytes
        var rest = hunks[...]
        for (line, id) in base.ids.enumerated() {
            guard places.old[id] != nil, let place = places.new[id],
                base.hasWord(line..<line + 1, in: bytes)
            else { continue }
            rest = rest.drop { $0.base.upperBound <= line }
            // It stands elsewhere, or it would have been left as it was.
            let isMoved = rest.first?.base.contains(line) ?? false
            lines.append(Line(old: Int32(line), new: Int32(place), isMoved: isMoved))
        }
    }

    var movesAny: Bool { lines.contains(where: \.isMoved) }

    /// The same without the moves that the other side made as well, to the same region.
    func besidesMoves(of other: MovedLines, in regions: [MergeRegion]) -> MovedLines {
        var rest = self
        rest.lines = lines.map { line in
            guard line.isMoved, other.hunks.change(of: Int(line.old)) != nil,
                let theirs = other.places.new[base.ids[Int(line.old)]],
                let index = regions.index(holding: Int(line.new), of: version),
                regions[index][keyPath: other.version].contains(theirs)
            else { return line }
            return Line(old: line.old, new: line.new, isMoved: false)
        }
        return rest
    }

    /// The regions in which nobody can tell what the other side's change is about.
    func regions(of regions: [MergeRegion], changedBy other: MovedLines) -> [Int] {
        ofMoved(regions, changedBy: other) + besideMoved(regions, changedBy: other)
    }

    /// Where the other side changed a line that moved.
    ///
    /// It is as the other side has it where it was, and as this side has it where it came to: who
    /// decides, decides about both. Where both took it out in the same way, the place it came to is
    /// the only one.
    private func ofMoved(_ regions: [MergeRegion], changedBy other: MovedLines) -> [Int] {
        var found: [Int] = []
        for line in lines where line.isMoved {
            let old = Int(line.old)
            guard other.hunks.change(of: old) != nil,
                let index = regions.index(holding: old, of: \.base)
            else { continue }
            let isHere = regions[index].taking == .both
            if isHere { found.append(index) }
            if isHere || regions[index].taking == .local,
                !other.places.new.hasSeveral(base.ids[old]),
                let place = regions.index(holding: Int(line.new), of: version),
                regions[place].taking != .whole
            {
                found.append(place)
            }
        }
        return found
    }

    /// Where the other side changed or took out a line below one that moved, or added some between two such, or
    /// directly below one in whose place something else stands now.
    private func besideMoved(_ regions: [MergeRegion], changedBy other: MovedLines) -> [Int] {
        var found: [Int] = []
        for hunk in other.hunks {
            let index =
                hunk.base.isEmpty
                ? regions.index(holding: hunk.side.lowerBound, of: other.version)
                : regions.index(holding: hunk.base.lowerBound, of: \.base)
            guard let index, regions[index].taking == .both else { continue }
            let place = hunk.base.lowerBound
            let isUnsure =
                hunk.base.isEmpty
                ? isMoved(above: place)
                    && (isMoved(below: place) || isOfReplaced(hunk, beside: other))
                : hunk.base.contains { isOneOfSeveral($0) && isMoved(above: $0) }
            if isUnsure { found.append(index) }
        }
        return found
    }

    /// Whether a line may be another record's, and did not go with what was cut out around it.
    private func isOneOfSeveral(_ line: Int) -> Bool {
        let id = base.ids[line]
        return (places.old.hasSeveral(id) || places.new.hasSeveral(id))
            && base.hasWord(line..<line + 1, in: bytes)
            && hunks.change(of: line).map { !$0.side.isEmpty } ?? true
    }

    /// Whether the other side added lines directly below one that others took the place of.
    private func isOfReplaced(_ addition: DiffHunk, beside other: MovedLines) -> Bool {
        let above = addition.base.lowerBound - 1
        return above >= 0 && base.hasWord(above..<above + 1, in: bytes)
            && other.side.hasWord(addition.side.prefix(1), in: bytes)
            && hunks.change(of: above).map { !$0.side.isEmpty } ?? false
    }

    /// Whether the nearest of the lines above a place of the base was moved.
    private func isMoved(above place: Int) -> Bool {
        let next = lines.index(past: { $0.old < place })
        return next > 0 && lines[next - 1].isMoved
    }

    /// Whether the nearest of the lines below a place of the base was moved.
    private func isMoved(below place: Int) -> Bool {
        let next = lines.index(past: { $0.old < place })
        return next < lines.count && lines[next].isMoved
    }
}
