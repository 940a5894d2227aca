extension TextMerge {
    /// The merged document, in which no key is at one level more often than on both sides.
    ///
    /// Where both sides added it at two places, what is between the two stands in both versions. All that was
    /// changed does, where the two sides are read and what is made of them is not.
    static func mergedParts(of text: MergeText, keysOf format: KeyedFormat) -> [MergedPart] {
        let parts = mergedParts(of: text)
        guard let check = KeyCheck(of: format, in: text) else { return parts }
        let repeated = check.repeated(in: parts)
        if let repeated, repeated.isEmpty { return parts }

        var lineBudget: DiffBudget?
        let merge = LineMerge(of: text.ended ?? text, budget: &lineBudget)
        let regions = merge.reachedRegions
        let all = regions.first.map { first in [regions.reduce(first) { $0.joined(with: $1) }] }
        for hulls in [repeated.map { merge.hulls(of: $0, in: regions) }, all ?? []] {
            guard let hulls else { continue }
            var wordBudget = DiffBudget(pieces: text.base.count)
            var parts = merge.parts(of: regions.apart(in: hulls), wordBudget: &wordBudget)
            parts.dropEnd(of: text)
            if check.repeated(in: parts)?.isEmpty == true, !text.tears(parts) { return parts }
        }
        // An older conflict is in it, of which no piece may stand between new markers.
        return [.conflict(local: text.local, remote: text.remote)]
    }
}

/// What keys a merge may repeat, since a side does.
private struct KeyCheck {
    private let format: KeyedFormat
    private let text: MergeText
    /// How often more than once each key stands at some level of one side.
    private let allowed: [[UInt8]: Int]
    /// What there may be several of, as one side shows.
    private let several: Set<KeyedFormat.Several>

    /// - Returns: nil where nothing can be said of one side.
    init?(of format: KeyedFormat, in text: MergeText) {
        guard let mine = format.repeatedKeys(in: Array(text.bytes[text.local])),
            let theirs = format.repeatedKeys(in: Array(text.bytes[text.remote]))
        else { return nil }
        self.format = format
        self.text = text
        several = Set((mine + theirs).compactMap { format.several(of: $0.name) })
        allowed = Self.counts(of: mine).merging(Self.counts(of: theirs), uniquingKeysWith: max)
    }

    /// Where in the buffer the keys are that are repeated more often by what either choice gives.
    ///
    /// - Returns: nil where one choice gives what is not read.
    func repeated(in parts: [MergedPart]) -> [(first: Int, again: Int)]? {
        var places: [(first: Int, again: Int)] = []
        for isLocal in parts.contains(where: \.isConflict) ? [true, false] : [true] {
            let ranges = parts.map { $0.range(ofLocal: isLocal) }
            guard let repeated = repeated(in: ranges) else { return nil }
            places += repeated
        }
        return places
    }

    private func repeated(in ranges: [Range<Int>]) -> [(first: Int, again: Int)]? {
        var document: [UInt8] = []
        var starts: [Int] = []
        for range in ranges {
            starts.append(document.count)
            document += text.bytes[range]
        }
        guard let repeated = format.repeatedKeys(in: document) else { return nil }
        let counts = Self.counts(of: repeated)
        func place(_ at: Int) -> Int {
            let range = starts.index(past: { $0 <= at }) - 1
            return ranges[range].lowerBound + at - starts[range]
        }
        return
            repeated
            .filter { counts[$0.name, default: 0] > allowed[$0.name, default: 0] }
            .filter { format.several(of: $0.name).map(several.contains) != true }
            .map { (place($0.first), place($0.again)) }
    }

    private static func counts(of keys: [RepeatedKey]) -> [[UInt8]: Int] {
        keys.reduce(into: [:]) { $0[$1.name, default: 0] += 1 }
    }
}

extension LineMerge {
    /// The stretches from one place of the buffer to another one, joined where they share lines.
    fileprivate func hulls(of places: [(first: Int, again: Int)], in regions: [MergeRegion])
        -> [MergeRegion]
    {
        let hulls = places.map { pair in
            region(at: pair.first, in: regions).joined(with: region(at: pair.again, in: regions))
        }
        return hulls.sorted { $0.start < $1.start }.reduce(into: []) { joined, hull in
            if let last = joined.last, last.overlaps(hull) {
                joined[joined.count - 1] = last.joined(with: hull)
            } else {
                joined.append(hull)
            }
        }
    }

    /// The region that a byte of either side is in, or the line that it is in and nobody changed.
    private func region(at place: Int, in regions: [MergeRegion]) -> MergeRegion {
        let isLocal = text.local.contains(place)
        let side = isLocal ? \MergeRegion.local : \MergeRegion.remote
        let line = max(0, (isLocal ? local : remote).starts.index(past: { $0 <= place }) - 1)
        let next = regions.index(past: { $0[keyPath: side].upperBound <= line })
        if next < regions.count, regions[next][keyPath: side].contains(line) {
            return regions[next]
        }
        func same(_ version: KeyPath<MergeRegion, Range<Int>>) -> Range<Int> {
            // Nothing changed between the region before and this line.
            let before = next > 0 ? regions[next - 1][keyPath: version].upperBound : 0
            let start = next > 0 ? regions[next - 1][keyPath: side].upperBound : 0
            return before + line - start..<before + line - start + 1
        }
        return MergeRegion(
            base: same(\.base),
            local: same(\.local),
            remote: same(\.remote),
            taking: .apart
        )
    }
}

extension [MergeRegion] {
    /// The regions, with one for each of the given stretches, which stays in both versions.
    fileprivate func apart(in hulls: [MergeRegion]) -> [MergeRegion] {
        var regions: [MergeRegion] = []
        var rest = self[...]
        for hull in hulls {
            while let region = rest.first, !region.isIn(hull), !hull.precedes(region) {
                regions.append(region)
                rest.removeFirst()
            }
            while let region = rest.first, region.isIn(hull) { rest.removeFirst() }
            regions.append(hull.joined(with: hull))
        }
        return regions + rest
    }
}

extension MergeRegion {
    fileprivate var start: (Int, Int, Int) {
        (base.lowerBound, local.lowerBound, remote.lowerBound)
    }

    /// Both and all that is between them, in both versions.
    fileprivate func joined(with other: MergeRegion) -> MergeRegion {
        func hull(_ version: KeyPath<MergeRegion, Range<Int>>) -> Range<Int> {
            let (one, other) = (self[keyPath: version], other[keyPath: version])
            return min(one.lowerBound, other.lowerBound)..<max(one.upperBound, other.upperBound)
        }
        return MergeRegion(
            base: hull(\.base),
            local: hull(\.local),
            remote: hull(\.remote),
            taking: .apart
        )
    }

    /// Whether a region that starts no earlier starts before this one ends.
    fileprivate func overlaps(_ next: MergeRegion) -> Bool { !precedes(next) }

    fileprivate func precedes(_ next: MergeRegion) -> Bool {
        base.upperBound <= next.base.lowerBound && local.upperBound <= next.local.lowerBound
            && remote.upperBound <= next.remote.lowerBound
    }

    fileprivate func isIn(_ hull: MergeRegion) -> Bool {
        joined(with: hull) == hull.joined(with: hull)
    }
}
