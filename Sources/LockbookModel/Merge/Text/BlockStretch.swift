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
        let versions = blocks.versions.map { shifted($0, to: other) }
        if let same = versions.first(where: { isSame(base, $0) }) { return same }
        let old = BlockLines(text.bytes[base])
        // What stands there already was not decided against what stands beside it.
        if !old.hasMarkers, let held = versions.first(where: { isSame(side, $0) }) { return held }
        return version(
            like: old,
            of: versions,
            besides: blocks.outside.map { shifted($0, to: other) }
        )
    }

    /// The version with all markers of the base and most of its lines: more than any other one has, and more
    /// than stand outside of all conflicts.
    private func version(
        like old: BlockLines,
        of versions: [Range<Int>],
        besides outside: [Range<Int>]
    ) -> Range<Int>? {
        var best: Range<Int>?
        var most = max(
            old.count / 2,
            old.shared(with: BlockLines(outside.flatMap { text.bytes[$0] }[...]))
        )
        for version in versions {
            let new = BlockLines(text.bytes[version])
            let shared = old.shared(with: new)
            guard shared > most, new.hasMarkers(of: old) else { continue }
            (best, most) = (version, shared)
        }
        return best
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
        let part = MergeText(base: lines(base), local: lines(local), remote: lines(remote))
        let merged = TextMerge.mergedParts(ofVersions: part, &budget)
        guard part.isWhole(merged) else { return nil }
        let places = [(part.base, base), (part.local, local), (part.remote, remote)]
        func place(_ range: Range<Int>) -> (range: Range<Int>, lacksEnd: Bool) {
            guard
                let (here, there) = places.first(where: {
                    $0.0.lowerBound <= range.lowerBound && range.upperBound <= $0.0.upperBound
                })
            else { return (range, false) }
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
}

extension MergeText {
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
        lines.reduce(0) { $0 + min($1.value, other.lines[$1.key] ?? 0) }
    }

    func hasMarkers(of other: BlockLines) -> Bool {
        other.markers.allSatisfy { markers[$0.key, default: 0] >= $0.value }
    }
}
