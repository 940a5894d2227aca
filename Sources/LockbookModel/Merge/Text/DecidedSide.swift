/// One side of a merge, read along with the conflicts of the base, and what is copied of it.
struct DecidedSide {
    /// What became of a conflict of the base.
    enum Standing: Equatable {
        /// It is there, and either version may have changed.
        case open
        /// It stands in a version that the side chose against, so that the side has none of it.
        case dropped
        /// These lines are there instead.
        case decided(ConflictDecision, Range<Int>)
        /// Another text is there, or a part of the markers.
        case unclear

        var decision: ConflictDecision? {
            if case .decided(let decision, _) = self { decision } else { nil }
        }
    }

    let lines: TextPieces
    private(set) var output: [UInt8] = []
    /// Where the version that is being read ends.
    private(set) var end: Int
    /// Whether the side chose against what is being read: it counts as it is in the base.
    private(set) var isDropped = false

    private let hunks: [DiffHunk]
    private let markers: MarkerLines
    /// How many lines are copied or passed.
    private var at = 0

    init(_ lines: TextPieces, hunks: [DiffHunk], markers: MarkerLines) {
        self.lines = lines
        self.hunks = hunks
        self.markers = markers
        end = lines.count
    }

    func standing(of place: ConflictPlace, in base: TextPieces) -> Standing {
        if isDropped { return .dropped }
        let found = [place.opening, place.middle, place.closing].compactMap { line($0) }
        guard let first = found.first, let last = found.last else {
            return decision(on: place, in: base)
        }
        let conflict = first..<last + 1
        guard found.count == 3, at <= first, last < end,
            found.allSatisfy({ markers.conflict(ofMarker: $0) == conflict })
        else { return .unclear }
        return .open
    }

    /// Whether something new stands in lines of the base, or at either end of them.
    func wrote(in stretch: Range<Int>) -> Bool {
        let first = hunks.index(past: { $0.base.upperBound < stretch.lowerBound })
        for hunk in hunks[first...] {
            if hunk.base.lowerBound > stretch.upperBound { break }
            if !hunk.side.isEmpty { return true }
        }
        return false
    }

    /// Copies what stands before a conflict of the base.
    mutating func begin(_ place: ConflictPlace, _ standing: Standing, _ bytes: [UInt8]) {
        switch standing {
        case .open: copy(upTo: line(place.opening) ?? at, bytes)
        case .decided(_, let stretch): copy(upTo: stretch.lowerBound, bytes)
        case .dropped, .unclear: break
        }
    }

    /// Begins to read one of the two versions of a conflict.
    mutating func enter(_ version: Range<Int>, isFirst: Bool, _ standing: Standing) {
        switch standing {
        case .open: end = line(version.upperBound) ?? end
        case .decided(.both, let stretch):
            end = isFirst ? stretch.lowerBound + version.count : stretch.upperBound
        case .decided(let decision, let stretch):
            if (decision == .first) == isFirst {
                end = stretch.upperBound
            } else {
                isDropped = true
            }
        case .dropped, .unclear: break
        }
    }

    /// Copies what is left of a version, and goes on with what stands around it.
    mutating func leave(to end: Int, isDropped: Bool, _ bytes: [UInt8]) {
        if !self.isDropped { copy(upTo: self.end, bytes) }
        self.end = end
        self.isDropped = isDropped
    }

    /// Passes a marker of the base.
    /// - Parameter line: what stands there instead.
    mutating func pass(_ marker: Int, adding line: ArraySlice<UInt8>) {
        output.addLines(line)
        if !isDropped, let own = self.line(marker) { at = own + 1 }
    }

    /// Takes lines of the base as its own, where it chose against them.
    mutating func mirror(_ lines: ArraySlice<UInt8>) {
        if isDropped { output.addLines(lines) }
    }

    mutating func copy(upTo line: Int, _ bytes: [UInt8]) {
        guard at < line else { return }
        output.addLines(bytes[lines.bytes(of: at..<line)])
        at = line
    }

    /// Where a line of the base is, if it is there.
    private func line(_ line: Int) -> Int? {
        let next = hunks.index(past: { $0.base.upperBound <= line })
        if next < hunks.count, hunks[next].base.contains(line) { return nil }
        guard next > 0 else { return line }
        return line + hunks[next - 1].side.upperBound - hunks[next - 1].base.upperBound
    }

    /// What is there instead of a line of the base and of others beside it.
    private func replacement(of line: Int) -> Range<Int> {
        hunks[hunks.index(past: { $0.base.upperBound <= line })].side
    }

    /// What was taken of a conflict without any marker left: one version, or both, as they were.
    ///
    /// Who also edited it, or wrote beside it, may have put anything together there.
    private func decision(on place: ConflictPlace, in base: TextPieces) -> Standing {
        let (first, second) = (base.ids[place.first], base.ids[place.second])
        for stretch in stretches(insteadOf: place) {
            let taken = lines.ids[stretch]
            if taken == first { return .decided(.first, stretch) }
            if taken == second { return .decided(.second, stretch) }
            if taken == first + second { return .decided(.both, stretch) }
        }
        return .unclear
    }

    /// The lines that are there instead of a conflict; none where these are more than it had.
    ///
    /// Markers of a conflict that is not whole in them are of what stands around them.
    private func stretches(insteadOf place: ConflictPlace) -> [Range<Int>] {
        let start = min(max(at, replacement(of: place.opening).lowerBound), end)
        let stop = max(start, min(replacement(of: place.closing).upperBound, end))
        guard stop - start <= place.closing - place.opening else { return [] }
        let torn = markers.torn(in: start..<stop)
        guard !torn.isEmpty else { return [start..<stop] }
        return zip([start] + torn.map { $0 + 1 }, torn + [stop]).map { $0..<$1 }
            .filter { !$0.isEmpty }
    }
}

extension [UInt8] {
    /// Adds whole lines; what ended without a line's end before them gets one.
    mutating func addLines(_ lines: ArraySlice<UInt8>) {
        guard !lines.isEmpty else { return }
        endLine(with: lines.lineEnding ?? [0x0A])
        self += lines
    }
}
