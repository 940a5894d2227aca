/// The lines of a text that are markers of older conflicts, each with the lines of its conflict.
struct MarkerLines {
    private var markers: [(line: Int, block: Range<Int>)] = []

    var isEmpty: Bool { markers.isEmpty }

    init(in text: Range<Int>, cutInto lines: TextPieces, of bytes: [UInt8]) {
        // The mark of UTF-8 may stand before the first of them.
        func line(at byte: Int) -> Int { lines.index(holding: text.lowerBound + byte) }
        func add(_ parts: [ConflictBlocks.Part]) {
            for case .block(let opening, let first, let middle, let second, let closing) in parts {
                let end = line(at: closing.lowerBound)
                let block = line(at: opening.lowerBound)..<end + 1
                markers.append((block.lowerBound, block))
                add(first)
                markers.append((line(at: middle.lowerBound), block))
                add(second)
                markers.append((end, block))
            }
        }
        if ConflictBlocks.mayBe(in: bytes[text]) {
            add(ConflictBlocks(in: Array(bytes[text])).parts)
        }
    }

    /// The lines of all conflicts that have a marker in these lines; nil when there is none.
    ///
    /// Lines that were asked for before are not looked at again.
    func conflicts(in lines: Range<Int>, beyond known: Range<Int>?) -> Range<Int>? {
        let known = known ?? lines.upperBound..<lines.upperBound
        var hull: Range<Int>?
        for part in [
            lines.lowerBound..<known.lowerBound, known.upperBound..<lines.upperBound,
        ] {
            let first = markers.index(past: { $0.line < part.lowerBound })
            for marker in markers[first...] {
                guard marker.line < part.upperBound else { break }
                let before = hull ?? marker.block
                let start = min(before.lowerBound, marker.block.lowerBound)
                hull = start..<max(before.upperBound, marker.block.upperBound)
            }
        }
        return hull
    }

    /// The lines of the conflict that a line is a marker of.
    func conflict(ofMarker line: Int) -> Range<Int>? {
        let index = markers.index(past: { $0.line < line })
        guard index < markers.count, markers[index].line == line else { return nil }
        return markers[index].block
    }

    /// The markers in these lines whose conflict is not whole in them.
    func torn(in lines: Range<Int>) -> [Int] {
        var torn: [Int] = []
        for marker in markers[markers.index(past: { $0.line < lines.lowerBound })...] {
            guard marker.line < lines.upperBound else { break }
            let (start, end) = (marker.block.lowerBound, marker.block.upperBound)
            if start < lines.lowerBound || lines.upperBound < end { torn.append(marker.line) }
        }
        return torn
    }
}

extension [MergeRegion] {
    /// Makes every region that both sides changed, and that has markers of an older conflict in it, hold
    /// that conflict as a whole in all three versions, with whatever else changed in it.
    ///
    /// One side may have decided the conflict where the other one wrote in it. Pieces of it, between
    /// new markers, would be a conflict that nobody can read any more.
    /// - Parameter all: whether every region with such markers is to.
    func holdingConflicts(
        base: MarkerLines,
        local: MarkerLines,
        remote: MarkerLines,
        all: Bool = false
    ) -> [MergeRegion] {
        let versions: [(MarkerLines, WritableKeyPath<MergeRegion, Range<Int>>)] = [
            (base, \.base), (local, \.local), (remote, \.remote),
        ]
        var held: [MergeRegion] = []
        var rest = self[...]
        while var region = rest.popFirst() {
            var seen: MergeRegion?
            while all || region.taking == .both || region.taking == .whole, seen != region {
                let known = seen
                seen = region
                for (markers, version) in versions {
                    guard
                        let conflicts = markers.conflicts(
                            in: region[keyPath: version],
                            beyond: known?[keyPath: version]
                        )
                    else { continue }
                    region.taking = .whole
                    region.grow(downTo: conflicts.lowerBound, of: version, taking: &held)
                    region.grow(upTo: conflicts.upperBound, of: version, taking: &rest)
                }
            }
            held.append(region)
        }
        return held
    }
}

extension MergeRegion {
    fileprivate mutating func grow(
        downTo line: Int,
        of version: WritableKeyPath<MergeRegion, Range<Int>>,
        taking before: inout [MergeRegion]
    ) {
        while self[keyPath: version].lowerBound > line {
            var start = self
            if let last = before.last, last[keyPath: version].upperBound > line {
                start = last
                before.removeLast()
            } else {
                // Nothing changed between, so that all three go on in step.
                let steps = self[keyPath: version].lowerBound - line
                start.base = base.lowerBound - steps..<base.upperBound
                start.local = local.lowerBound - steps..<local.upperBound
                start.remote = remote.lowerBound - steps..<remote.upperBound
            }
            base = start.base.lowerBound..<base.upperBound
            local = start.local.lowerBound..<local.upperBound
            remote = start.remote.lowerBound..<remote.upperBound
        }
    }

    fileprivate mutating func grow(
        upTo line: Int,
        of version: WritableKeyPath<MergeRegion, Range<Int>>,
        taking after: inout ArraySlice<MergeRegion>
    ) {
        while self[keyPath: version].upperBound < line {
            var end = self
            if let first = after.first, first[keyPath: version].lowerBound < line {
                end = first
                after.removeFirst()
            } else {
                let steps = line - self[keyPath: version].upperBound
                end.base = base.lowerBound..<base.upperBound + steps
                end.local = local.lowerBound..<local.upperBound + steps
                end.remote = remote.lowerBound..<remote.upperBound + steps
            }
            base = base.lowerBound..<end.base.upperBound
            local = local.lowerBound..<end.local.upperBound
            remote = remote.lowerBound..<end.remote.upperBound
        }
    }
}

extension Array {
    /// The index of the first element for which this is not so, where it is so for all before it.
    func index(past isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
