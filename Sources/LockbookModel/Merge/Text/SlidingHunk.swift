/// A change of words, and the other places at which it is the same change.
///
/// That "a b " was put in front of "a c" and that "b a " was put behind its "a " is one difference. What
/// the other side made of that "a" belongs to another record, line or sentence in each reading.
struct SlidingHunk {
    /// In the reading that is most likely meant.
    let hunk: DiffHunk
    /// The stretch of the base over which the readings lie that are as likely.
    let reach: Range<Int>

    /// A change that is read in one way.
    init(_ hunk: DiffHunk) {
        self.hunk = hunk
        reach = hunk.base
    }

    /// What was only added, or only taken out; lines that came or went begin where a line does.
    ///
    /// - Parameters:
    ///   - least: where in the base it may begin.
    ///   - most: where in the base it may end.
    /// - Returns: nil for another change, and for lines that begin within a line in every reading.
    init?(
        _ hunk: DiffHunk,
        of base: TextPieces,
        to side: TextPieces,
        notBefore least: Int,
        notBehind most: Int,
        in text: MergeText
    ) {
        guard hunk.base.isEmpty != hunk.side.isEmpty else { return nil }
        let readings = hunk.readings(of: base, to: side, notBefore: least, notBehind: most)
        let (pieces, run) = hunk.base.isEmpty ? (side, hunk.side) : (base, hunk.base)
        guard run.contains(where: { pieces.endsLine($0, in: text.bytes) }) else {
            let whole = pieces.whole(readings, of: run, in: text.bytes)
            self.init(hunk, likely: whole.isEmpty ? Array(readings) : whole)
            return
        }
        let starts = readings.filter {
            base.startsLine(hunk.base.lowerBound + $0, in: text.bytes)
        }
        var texts = FirstText(in: text.bytes)
        let places = starts.map { steps in
            LineStart(
                pieces.bytes(of: run.lowerBound + steps..<run.upperBound + steps),
                behind: base.starts[hunk.base.lowerBound + steps],
                in: text,
                &texts
            )
        }
        guard let best = places.min() else { return nil }
        // Of the same lines several times in a row, nobody knows which ones came or went.
        func turn(_ steps: Int) -> Int { (steps % run.count + run.count) % run.count }
        let turns = Set(zip(starts, places).filter { $1 == best }.map { turn($0.0) })
        self.init(hunk, likely: starts.filter { turns.contains(turn($0)) })
    }

    /// - Parameter likely: by how many pieces it may be slid, from the least on; at least one.
    private init(_ hunk: DiffHunk, likely: [Int]) {
        // As far up as the nearest of them, as lines slide.
        let steps = likely.last { $0 <= 0 } ?? likely[0]
        self.hunk = DiffHunk(base: hunk.base + steps, side: hunk.side + steps)
        reach = hunk.base.lowerBound + likely[0]..<hunk.base.upperBound + likely[likely.count - 1]
    }

    /// Whether there are several readings that are as likely.
    var slides: Bool { reach != hunk.base }

    /// Whether the other side changed what one reading of this leaves and another one takes.
    ///
    /// Blanks alone tell nobody's words apart.
    func isUnsure(beside other: SlidingHunk, in base: TextPieces, _ bytes: [UInt8]) -> Bool {
        let (change, length) = (other.hunk.base, other.hunk.base.count)
        // Another reading of that change leaves this one alone.
        let isApart =
            other.reach.lowerBound + length <= reach.lowerBound
            || other.reach.upperBound - length >= reach.upperBound
        guard !isApart, !change.overlaps(hunk.base) else { return false }
        if change.isEmpty {
            // At either end of the change it is a conflict anyway.
            return change.lowerBound != hunk.base.lowerBound
                && change.lowerBound != hunk.base.upperBound
        }
        return change.clamped(to: reach).contains { !base.isBlank($0, in: bytes) }
    }
}

extension DiffHunk {
    /// By how many pieces what was only added, or only taken out, may be slid up (below zero) and down.
    func readings(
        of base: TextPieces,
        to side: TextPieces,
        notBefore least: Int,
        notBehind most: Int
    ) -> ClosedRange<Int> {
        let (text, run) = self.base.isEmpty ? (side, self.side) : (base, self.base)
        var (up, down) = (0, 0)
        // What it loses at one end has to be what it gains at the other.
        while self.base.lowerBound - up > least,
            base.ids[self.base.lowerBound - up - 1] == text.ids[run.upperBound - up - 1]
        {
            up += 1
        }
        while self.base.upperBound + down < most,
            base.ids[self.base.upperBound + down] == text.ids[run.lowerBound + down]
        {
            down += 1
        }
        return -up...down
    }
}

/// How likely lines that came or went begin at some line: the least is the likeliest.
///
/// As people cut texts: where a record begins, which is where lines are indented least, and not where
/// one ends, which is where they come back from deeper ones; then behind a blank line.
private struct LineStart: Comparable {
    private let indentation: Int
    private let isBehindDeeper: Bool
    private let isBehindText: Bool

    /// - Parameters:
    ///   - lines: what came or went.
    ///   - place: where the line before ends in the base.
    ///   - texts: of lines that came or went in the same change, asked for from the first on.
    init(
        _ lines: Range<Int>,
        behind place: Int,
        in text: MergeText,
        _ texts: inout FirstText
    ) {
        if let indentation = texts.indentationBehindBlankLines(lines) {
            self.indentation = indentation
            // At the end of the text the blank line before a record comes and goes with it, elsewhere
            // rather the one behind it.
            let end = text.base.upperBound
            let isLast = place == end || lines.upperBound == end
            (isBehindDeeper, isBehindText) = (!isLast, !isLast)
            return
        }
        guard let indentation = text.bytes.indentation(ofLineIn: lines) else {
            (indentation, isBehindDeeper, isBehindText) = (.max, false, false)
            return
        }
        self.indentation = indentation
        var before = place
        var isBehindBlank = place == text.base.lowerBound
        var above: Int?
        // Others write notes, too: not all blank lines are passed once more for each change.
        var lines = 0
        while above == nil, before > text.base.lowerBound, lines < 32 {
            lines += 1
            let end = before - 1
            let feed = text.bytes[text.base.lowerBound..<end].lastIndex(of: 0x0A)
            before = feed.map { $0 + 1 } ?? text.base.lowerBound
            above = text.bytes.indentation(ofLineIn: before..<end)
            isBehindBlank = isBehindBlank || above == nil
        }
        isBehindDeeper = above.map { $0 > indentation } ?? false
        isBehindText = !isBehindBlank
    }

    static func < (one: LineStart, other: LineStart) -> Bool {
        if one.indentation != other.indentation { return one.indentation < other.indentation }
        if one.isBehindDeeper != other.isBehindDeeper { return other.isBehindDeeper }
        return !one.isBehindText && other.isBehindText
    }
}

/// The first line with a text in runs of lines, each of which begins and ends no earlier than the one before.
///
/// Of many blank lines nearly each may be where a change begins: none is passed once more for each of these.
struct FirstText {
    private let bytes: [UInt8]
    /// Up to where there is none since the last run began.
    private(set) var at = 0
    /// Where the line begins that this is in.
    private var line = 0

    init(in bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// With how many blanks the first line begins that is not blank; nil where that is the first one.
    mutating func indentationBehindBlankLines(_ lines: Range<Int>) -> Int? {
        if at < lines.lowerBound { (at, line) = (lines.lowerBound, lines.lowerBound) }
        while at < lines.upperBound, bytes[at] <= 0x20 {
            at += 1
            if bytes[at - 1] == 0x0A { line = at }
        }
        guard bytes.indentation(ofLineIn: lines) == nil, at < lines.upperBound else { return nil }
        return at - line
    }
}

extension [UInt8] {
    /// With how many blanks the first line begins; nil where there is nothing else in it.
    func indentation(ofLineIn lines: Range<Int>) -> Int? {
        let blanks = self[lines].prefix { $0 == 0x20 || $0 == 0x09 }.count
        let first = lines.lowerBound + blanks
        let isBlank = first == lines.upperBound || self[first] == 0x0A || self[first] == 0x0D
        return isBlank ? nil : blanks
    }
}

extension Range<Int> {
    fileprivate static func + (range: Range<Int>, steps: Int) -> Range<Int> {
        range.lowerBound + steps..<range.upperBound + steps
    }
}
