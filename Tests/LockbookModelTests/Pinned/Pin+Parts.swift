@testable import LockbookModel

extension Pin {
    mutating func add(_ range: Range<Int>) {
        add(range.lowerBound)
        add(range.upperBound)
    }

    mutating func add(_ ranges: [Range<Int>]) {
        for range in ranges { add(range) }
    }

    mutating func add(_ places: [Int]) {
        for place in places { add(place) }
    }

    mutating func add(_ texts: [[UInt8]]) {
        for text in texts { add(text) }
    }

    mutating func add(_ hunks: [DiffHunk]) {
        for hunk in hunks {
            add(hunk.base)
            add(hunk.side)
        }
    }

    mutating func add(_ regions: [MergeRegion]) {
        for region in regions {
            add(region.base)
            add(region.local)
            add(region.remote)
            add("\(region.taking)")
        }
    }
}
