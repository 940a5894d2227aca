import Testing

@testable import lockbook

@Suite struct NearestNameTests {
    @Test(arguments: [
        ("list", "lst", 1), ("sync", "snyc", 1), ("move", "remove", 2), ("", "ab", 2),
        ("same", "same", 0), ("paln 2.md", "plan 2.md", 1), ("ca", "abc", 3),
    ])
    func `words are as far apart as keys were missed`(left: String, right: String, distance: Int) {
        for limit in 0...4 {
            var measure = EditDistance(limit: limit)
            let expected: Int? = distance <= limit ? distance : nil
            #expect(measure.between(Array(left.utf8), Array(right.utf8)) == expected)
        }
    }

    /// The whole table, as the books have it.
    private func wholeDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var rows = [Array(0...right.count)]
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                var best = rows[row][column] + (left[row] == right[column] ? 0 : 1)
                best = min(best, rows[row][column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1],
                    left[row - 1] == right[column]
                {
                    best = min(best, rows[row - 1][column - 1] + 1)
                }
                current.append(best)
            }
            rows.append(current)
        }
        return rows[left.count][right.count]
    }

    @Test func `within its limit the distance is that of the whole table`() {
        let letters = Array("ab".utf8)
        var words: [[UInt8]] = [[]]
        for length in 1...4 {
            for word in words where word.count == length - 1 {
                words += letters.map { word + [$0] }
            }
        }
        for left in words {
            for right in words {
                let distance = wholeDistance(left, right)
                for limit in 0...3 {
                    var measure = EditDistance(limit: limit)
                    let expected: Int? = distance <= limit ? distance : nil
                    #expect(measure.between(left, right) == expected, "\(left) \(right)")
                }
            }
        }
    }

    @Test func `the nearest is found, and of several the first`() {
        #expect(nearest(to: "paln.md", among: ["plane.md", "plan.md", "plan.me"]) == "plan.md")
        #expect(nearest(to: "kat", among: ["cat", "bat"]) == "cat")
        #expect(nearest(to: "frobnicate", among: ["list", "sync"]) == nil)
    }

    @Test func `names that are long and far away cost little`() {
        var search = NearestName(to: String(repeating: "ab", count: 100))
        var state: UInt32 = 3
        for _ in 1...500 {
            var name: [UInt8] = []
            for _ in 1...200 {
                state = state &* 1_664_525 &+ 1_013_904_223
                name.append(UInt8(ascii: "a") + UInt8(state >> 24) % 26)
            }
            search.look(at: String(decoding: name, as: UTF8.self))
        }
        #expect(search.name == nil)
        // Each had 40,000 pairs of letters.
        #expect(search.steps < 500 * 1_000)
    }

    @Test func `names that begin alike cost what differs, and there is an end`() {
        var search = NearestName(to: "2026-11-29-meeting-with-nobody.md")
        for number in 10_000..<12_000 {
            search.look(at: "2026-11-29-meeting-with-\(number).md")
        }
        #expect(search.steps < 2_000 * 100)
        while !search.isDone { search.look(at: "2025-12-28-meeting-with-others.md") }
        #expect(search.steps < NearestName.mostSteps + 1_000)
    }
}
