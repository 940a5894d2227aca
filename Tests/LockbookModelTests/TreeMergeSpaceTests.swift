import LockbookModel
import Testing
import TreeSpace

/// Every way in which two devices can change a tree of two files under two names, merged.
struct TreeMergeSpaceTests {
    private static let space = TreeSpace(fileCount: 2, hasEdits: true)
    private let sweep: Sweep

    init() throws {
        sweep = try Sweep(Self.space, reduced: true, repeatedOf: 32)
    }

    @Test func `the space is as large as it is by another count`() {
        // Counted by a script of its own, which enumerates pairs and not changes.
        #expect(Self.space.trees.count == 137)
        #expect(TreeSpace(fileCount: 1, hasEdits: false).trees.count == 9)
        let weights = sweep.bases.map(\.weight)
        #expect(weights.count == 38)
        #expect(weights.reduce(0, +) == 137)
    }

    @Test(arguments: 0..<4) func `every merge of two files keeps every promise`(part: Int) throws {
        let tally = try sweep.run(part: part, of: 4)

        #expect(tally.broken == [])
        #expect(tally.brokenCount == 0)
        #expect(tally.triples > 10_000)
        // One round that repairs and one that finds nothing.
        #expect(tally.maximumRounds == 2)
        #expect(Set(tally.differences.keys).isSubset(of: [[.number], [.cycle]]))
    }
}
