/// Lines of a base of which a side has an older conflict in markers.
///
/// Without this each device that writes while others conflict would put all of its text beside all of
/// theirs, older conflicts included: of three that append a line a day the note would triple every day.
struct BlockStretch {
    let base: Range<Int>
    let text: MergeText

    /// The version in one side's conflicts, at any depth, into which the other side's change belongs.
    func version(for side: Range<Int>, in other: Range<Int>) -> Range<Int>? {
        let blocks = ConflictBlocks(in: Array(text.bytes[other]))
        guard blocks.count > 0 else { return nil }
        // Of two that are alike, the one further out is what was decided later.
        let versions = blocks.versions.map { shifted($0, to: other) }
        if let same = versions.first(where: { isSame(base, $0) }) { return same }
        let old = BlockLines(text.bytes[base])
        func keepsDeletions(_ version: Range<Int>) -> Bool {
            let around = blocks.around(shifted(version, from: other))
                .flatMap { text.bytes[shifted($0, to: other)] }
            return !old.lacks(
                in: BlockLines(text.bytes[side]),
                and: BlockLines(text.bytes[version]),
                has: BlockLines(around[...])
            )
        }
        // What stands there already was not decided against what stands beside it.
        if !old.hasMarkers, let held = versions.first(where: { isSame(side, $0) }),
            keepsDeletions(held)
        {
            return held
        }
        let outside = blocks.outside.map { shifted($0, to: other) }
        guard let like = version(like: old, of: versions, besides: outside), keepsDeletions(like)
        else { return nil }
        return like
    }

    /// The version with all markers of the base and most of its lines: more than any other one has, and more
    /// than stand outside of all conflicts; of two with as many, the one that has less besides.
    private func version(
        like old: BlockLines,
        of versions: [Range<Int>],
        besides outside: [Range<Int>]
    ) -> Range<Int>? {
        let least = max(
            old.count / 2,
            old.shared(with: BlockLines(outside.flatMap { text.bytes[$0] }[...]))
        )
        var best: (version: Range<Int>, shared: Int, count: Int)?
        for version in versions {
            let new = BlockLines(text.bytes[version])
            let shared = old.shared(with: new)
            guard shared > least, new.hasMarkers(of: old) else { continue }
            let isBetter =
                best.map { ($0.shared, new.count) < (shared, $0.count) } ?? true
            if isBetter { best = (version, shared, new.count) }
        }
        return best?.version
    }

    /// What two sides made of the base, to stand within a conflict.
    /// - Parameter version: ends with the line end that the last line has to have there.
    /// - Returns: nil where the markers around it would not be told from those in it any more.
    func merged(
        _ local: Range<Int>,
        _ remote: Range<Int>,
        endingAs version: Range<Int>,
        _ budget: inout DiffBudget
    ) -> [MergedPart]? {
        // In a buffer of its own: a document may have many such places.
        var part = MergeText(base: lines(base), local: lines(local), remote: lines(remote))
        part.tables = text.tables
        part.hasRecords = text.hasRecords
        part.isOrg = text.isOrg
        let merged = TextMerge.mergedParts(ofVersions: part, &budget)
        guard part.isWhole(merged) else { return nil }
        func place(_ range: Range<Int>) -> (range: Range<Int>, lacksEnd: Bool) {
            // Of the base nothing stays, and the local side stands before the other one.
            let isLocal = range.upperBound <= part.local.upperBound
            let (here, there) = isLocal ? (part.local, local) : (part.remote, remote)
            let start = there.lowerBound + range.lowerBound - here.lowerBound
            let end = start + range.count
            return (
                min(start, there.upperBound)..<min(end, there.upperBound), end > there.upperBound
            )
        }
        var parts: [MergedPart] = []
        for piece in merged {
            switch piece {
            case .kept(let range):
                let (range, lacksEnd) = place(range)
                parts.keep(range)
                if lacksEnd { parts.keep(version.suffix(1)) }
            case .conflict(let local, let remote):
                parts.append(.conflict(local: place(local).range, remote: place(remote).range))
            }
        }
        return parts
    }

    /// The bytes of whole lines.
    private func lines(_ range: Range<Int>) -> [UInt8] {
        let bytes = Array(text.bytes[range])
        return bytes.isEmpty || bytes.last == 0x0A ? bytes : bytes + [0x0A]
    }

    /// Whether a version is a text, with one more line end than that has at its end, at the most.
    private func isSame(_ one: Range<Int>, _ version: Range<Int>) -> Bool {
        guard !one.isEmpty else { return false }
        let bytes = text.bytes[version]
        return bytes == text.bytes[one]
            || bytes.last == 0x0A && bytes.dropLast() == text.bytes[one]
    }

    private func shifted(_ range: Range<Int>, to side: Range<Int>) -> Range<Int> {
        side.lowerBound + range.lowerBound..<side.lowerBound + range.upperBound
    }

    private func shifted(_ range: Range<Int>, from side: Range<Int>) -> Range<Int> {
        range.lowerBound - side.lowerBound..<range.upperBound - side.lowerBound
    }
}

extension MergeText {
    /// Whether there would be markers of no place that are none on either side.
    func tears(_ parts: [MergedPart]) -> Bool {
        var kept: [UInt8] = []
        var strays: Set<ArraySlice<UInt8>> = []
        for part in parts {
            switch part {
            case .kept(let range): kept += bytes[range]
            case .conflict(let local, let remote):
                strays.formUnion(ConflictBlocks(in: Array(bytes[local])).strays)
                strays.formUnion(ConflictBlocks(in: Array(bytes[remote])).strays)
            }
        }
        strays.formUnion(ConflictBlocks(in: kept).strays)
        for side in [local, remote] {
            strays.subtract(ConflictBlocks(in: Array(bytes[side])).strays)
        }
        return !strays.isEmpty
    }

    /// Whether what is kept has no marker but those of whole conflicts, nor has either version of a new one.
    fileprivate func isWhole(_ parts: [MergedPart]) -> Bool {
        var kept: [UInt8] = []
        for part in parts {
            switch part {
            case .kept(let range): kept += bytes[range]
            case .conflict(let local, let remote):
                guard ConflictBlocks(in: Array(bytes[local])).isWhole,
                    ConflictBlocks(in: Array(bytes[remote])).isWhole
                else { return false }
            }
        }
        return ConflictBlocks(in: kept).isWhole
    }
}

/// The lines of a text that are not blank, and how many there are of each.
private struct BlockLines {
    private(set) var count = 0
    private var lines: [ArraySlice<UInt8>: Int] = [:]
    private var markers: [ArraySlice<UInt8>: Int] = [:]

    init(_ text: ArraySlice<UInt8>) {
        let bytes = Array(text)
        for line in bytes.split(separator: 0x0A) where line.contains(where: { $0 > 0x20 }) {
            lines[line, default: 0] += 1
            count += 1
        }
        for marker in ConflictBlocks(in: bytes).markers {
            let line = bytes[marker]
            markers[line.last == 0x0A ? line.dropLast() : line, default: 0] += 1
        }
    }

    var hasMarkers: Bool { !markers.isEmpty }

    func shared(with other: BlockLines) -> Int {
        // Of many short versions each is compared in its own time.
        if other.lines.count < lines.count { return other.shared(with: self) }
        return lines.reduce(0) { $0 + min($1.value, other.lines[$1.key] ?? 0) }
    }

    /// Whether some of these lines are fewer on a side, and in a version there as well, but stand around it:
    /// what the side took out would be back.
    func lacks(in side: BlockLines, and version: BlockLines, has around: BlockLines) -> Bool {
        lines.contains { line, count in
            side.lines[line, default: 0] < count && version.lines[line, default: 0] < count
                && around.lines[line] != nil
        }
    }

    func hasMarkers(of other: BlockLines) -> Bool {
        other.markers.allSatisfy { markers[$0.key, default: 0] >= $0.value }
    }
}
