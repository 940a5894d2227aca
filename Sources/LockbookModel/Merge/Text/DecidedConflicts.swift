/// Three texts in which each conflict of the base is decided on both sides or on neither.
///
/// Who decides an older conflict in markers takes lines out around those that stay. So two
/// decisions, or one and what the other side wrote in that conflict, overlap, and all that stands
/// in it would be in either version of a new one: twice as much each time. Here what one side
/// decided is decided on the other side and in the base as well, and then merged as if no conflict
/// had been there. Where the other side decided otherwise, or wrote in what goes, nobody knows: the
/// conflict is open again on both, and in each version of it is what either side made of that one.
/// What a side chose against counts as it is in the base.
private struct DecidedConflicts {
    private let bytes: [UInt8]
    private let base: TextPieces
    private var output: [UInt8] = []
    private var sides: [DecidedSide]
    /// How many lines of the base are copied or passed.
    private var at = 0
    /// How many conflicts are open again that a side had decided.
    private(set) var reopened = 0
    /// Whether a side decided any.
    private(set) var hasDecisions = false

    /// - Returns: nil where the base has no conflict.
    init?(in text: MergeText) {
        guard ConflictBlocks.mayBe(in: text.bytes[text.base]) else { return nil }
        let blocks = ConflictBlocks(in: Array(text.bytes[text.base]))
        guard blocks.count > 0 else { return nil }
        var budget: DiffBudget?
        let merge = LineMerge(of: text, budget: &budget)
        bytes = text.bytes
        base = merge.base
        sides = [
            (merge.local, merge.hunks.local, text.local),
            (merge.remote, merge.hunks.remote, text.remote),
        ].map { lines, hunks, range in
            DecidedSide(
                lines,
                hunks: hunks,
                markers: MarkerLines(in: range, cutInto: lines, of: text.bytes)
            )
        }
        let places = ConflictPlace.all(in: blocks.parts) { byte in
            merge.base.index(holding: text.base.lowerBound + byte)
        }
        for place in places { align(place) }
        copyBase(upTo: base.count)
        for index in sides.indices { sides[index].copy(upTo: sides[index].lines.count, bytes) }
    }

    /// The base and both sides.
    var texts: [[UInt8]] { [output] + sides.map(\.output) }

    private mutating func align(_ place: ConflictPlace) {
        let standings = sides.map { $0.standing(of: place, in: base) }
        guard !standings.contains(.unclear) else { return }
        let taken = commonDecision(on: place, standings)
        if standings.contains(where: { $0.decision != nil }) {
            hasDecisions = true
            if taken == nil { reopened += 1 }
        }
        copyBase(upTo: place.opening)
        for (index, standing) in standings.enumerated() {
            sides[index].begin(place, standing, bytes)
        }
        pass(place.opening, isKept: taken == nil)
        if taken == .second {
            at = place.middle
        } else {
            align(place.inFirst, version: place.first, isFirst: true, standings)
        }
        pass(place.middle, isKept: taken == nil)
        if taken == .first {
            at = place.closing
        } else {
            align(place.inSecond, version: place.second, isFirst: false, standings)
        }
        pass(place.closing, isKept: taken == nil)
    }

    /// What holds for all three texts; nil where the conflict is open.
    private func commonDecision(
        on place: ConflictPlace,
        _ standings: [DecidedSide.Standing]
    ) -> ConflictDecision? {
        let decisions = standings.compactMap(\.decision)
        guard let decision = decisions.first, decisions.allSatisfy({ $0 == decision }) else {
            return nil
        }
        guard let dropped = place.dropped(by: decision) else { return decision }
        let isWritten = zip(sides, standings).contains { side, standing in
            standing == .open && side.wrote(in: dropped)
        }
        return isWritten ? nil : decision
    }

    /// Copies a version of a conflict, with the conflicts in it.
    private mutating func align(
        _ places: [ConflictPlace],
        version: Range<Int>,
        isFirst: Bool,
        _ standings: [DecidedSide.Standing]
    ) {
        let around = sides.map { ($0.end, $0.isDropped) }
        for (index, standing) in standings.enumerated() {
            sides[index].enter(version, isFirst: isFirst, standing)
        }
        for place in places { align(place) }
        copyBase(upTo: version.upperBound)
        for (index, (end, isDropped)) in around.enumerated() {
            sides[index].leave(to: end, isDropped: isDropped, bytes)
        }
    }

    private mutating func pass(_ marker: Int, isKept: Bool) {
        let line: ArraySlice<UInt8> =
            isKept ? bytes[base.bytes(of: marker..<marker + 1)] : []
        output.addLines(line)
        at = marker + 1
        for index in sides.indices { sides[index].pass(marker, adding: line) }
    }

    private mutating func copyBase(upTo line: Int) {
        let lines = bytes[base.bytes(of: at..<line)]
        output.addLines(lines)
        for index in sides.indices { sides[index].mirror(lines) }
        at = line
    }
}

extension MergeText {
    /// Makes each older conflict decided on both sides, or open on both.
    /// - Returns: how many are open that a side had decided.
    mutating func alignDecisions() -> Int {
        guard let decided = DecidedConflicts(in: ended ?? self), decided.hasDecisions else {
            return 0
        }
        // Without ends of their last lines as they were.
        let texts = zip(decided.texts, [base, local, remote]).map { text, old in
            let isLonger = lacksEnd(old) && text.suffix(ending.count).elementsEqual(ending)
            return Array(text.dropLast(isLonger ? ending.count : 0))
        }
        let known = strays(of: [base, local, remote].map { Array(bytes[$0]) })
        guard strays(of: texts).isSubset(of: known) else { return 0 }
        self = MergeText(base: texts[0], local: texts[1], remote: texts[2])
        return decided.reopened
    }

    private func strays(of texts: [[UInt8]]) -> Set<ArraySlice<UInt8>> {
        texts.reduce(into: []) { $0.formUnion(ConflictBlocks(in: $1).strays) }
    }
}
