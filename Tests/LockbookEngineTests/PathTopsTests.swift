import Testing

@testable import LockbookEngine

/// Which of many paths others are in.
struct PathTopsTests {
    /// Bytes of names that come before a slash, after it, and that some take for the same.
    private static let names = ["a", "a-", "b", "b!c", "cafe\u{301}", "caf\u{e9}", "z"]

    private func path(_ dice: inout PurgeTrialTests.Dice) -> String {
        let steps = (0..<Int.random(in: 1...4, using: &dice)).map { _ in
            Self.names[Int.random(in: 0..<Self.names.count, using: &dice)]
        }
        return steps.joined(separator: "/")
    }

    /// The outermost of some paths that a path is, or is in, found step by step.
    private func outermost(of tops: PathSet, around path: String) -> String? {
        let steps = path.steps
        return steps.indices.map { steps[...$0].joined(separator: "/") }
            .first { tops.contains($0) }
    }

    @Test(arguments: UInt64(1)...200)
    func `is what a look at each step finds`(seed: UInt64) {
        var dice = PurgeTrialTests.Dice(state: seed)
        let paths = (0..<Int.random(in: 0...12, using: &dice)).map { _ in path(&dice) }
        let tops = PathTops(paths)
        for wanted in paths + (0..<20).map({ _ in path(&dice) }) {
            let found = tops.above(wanted)
            let known = outermost(of: PathSet(paths), around: wanted)
            #expect(found.map(PathKey.init) == known.map(PathKey.init))
        }
    }

    @Test func `nothing is in an empty path, and that is in none`() {
        let tops = PathTops(["", "a"])
        #expect(tops.above("") == nil)
        #expect(tops.above("b") == nil)
        #expect(tops.above("a/b") == "a")
        #expect(PathTops().above("a") == nil)
    }

    @Test func `what stands in a folder comes behind it, and before what stands beside it`() {
        let walked = ["a", "a/b", "a/b/c", "a/b!", "a!", "a!/b", "aa", "b"]
        #expect(walked.reversed().map(PathKey.init).sorted().map(\.text) == walked)
    }

    @Test func `a way of thousands of steps is gone through once for each path`() {
        let deep = Array(repeating: "d", count: 5_000).joined(separator: "/")
        let tops = PathTops(["c", deep, "e"])
        // All the beginnings of one of them are 25 million bytes.
        for number in 0..<500 { #expect(tops.above("\(deep)/\(number)") == deep) }
        #expect(tops.above(String(deep.dropLast(2))) == nil)
    }
}
