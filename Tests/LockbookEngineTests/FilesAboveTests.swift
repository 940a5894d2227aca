import LockbookModel
import Testing

@testable import LockbookEngine

/// The nearest of some files above others, in drawn trees.
struct FilesAboveTests {
    /// A tree below a root, some folders of which lead to themselves.
    private struct DrawnTree {
        let root: FileID
        let ids: [FileID]
        let parents: [FileID: FileID]
        let meant: Set<FileID>

        init(_ seed: UInt64) throws {
            var dice = PurgeTrialTests.Dice(state: seed)
            let count = Int.random(in: 2...60, using: &dice)
            var ids: [FileID] = []
            for number in 0..<count {
                var bytes = [UInt8](repeating: 0, count: 16)
                bytes[15] = UInt8(number)
                ids.append(try #require(FileID(bytes)))
            }
            var parents: [FileID: FileID] = [:]
            var meant: Set<FileID> = []
            for number in 1..<count {
                let isAnywhere = Int.random(in: 0..<20, using: &dice) == 0
                let place = Int.random(in: 0..<(isAnywhere ? count : number), using: &dice)
                parents[ids[number]] = ids[place]
                if Int.random(in: 0..<4, using: &dice) == 0 { meant.insert(ids[number]) }
            }
            (root, self.parents, self.meant) = (ids[0], parents, meant)
            self.ids = ids.shuffled(using: &dice)
        }

        /// A file and the folders above it, below the root.
        func way(from start: FileID) -> [FileID] {
            var way: [FileID] = []
            var next: FileID? = start
            while let id = next, id != root, !way.contains(id) {
                way.append(id)
                next = parents[id]
            }
            return way
        }
    }

    @Test(arguments: UInt64(1)...100)
    func `is what a walk finds, and no folder is gone through twice`(seed: UInt64) throws {
        let tree = try DrawnTree(seed)
        var steps: [FileID: Int] = [:]
        let files = FilesAbove(where: tree.meant.contains, below: tree.root) { file in
            steps[file, default: 0] += 1
            return tree.parents[file]
        }
        for id in tree.ids + tree.ids.reversed() {
            let nearest = tree.way(from: id).first { tree.meant.contains($0) }
            #expect(try files.nearest(from: id) == nearest)
        }
        #expect(steps.values.allSatisfy { $0 == 1 })
    }

    @Test(arguments: UInt64(1)...100)
    func `all of them come in the order of a walk`(seed: UInt64) throws {
        let tree = try DrawnTree(seed)
        let files = FilesAbove(where: tree.meant.contains, below: tree.root) { tree.parents[$0] }
        for id in tree.ids {
            let all = tree.way(from: id).filter { tree.meant.contains($0) }
            #expect(try files.all(from: id) == all)
        }
    }

    @Test(arguments: UInt64(1)...100)
    func `what is added counts from then on, and no folder is gone through again`(seed: UInt64)
        throws
    {
        let tree = try DrawnTree(seed)
        var steps: [FileID: Int] = [:]
        let none: Set<FileID> = []
        let files = FilesAbove(where: none.contains, below: tree.root) { file in
            steps[file, default: 0] += 1
            return tree.parents[file]
        }
        // What was asked for before it came, and what was not.
        for id in tree.ids where seed.isMultiple(of: 2) {
            #expect(try files.nearest(from: id) == nil)
        }
        var added: Set<FileID> = []
        for id in tree.ids where tree.meant.contains(id) {
            guard try files.nearest(from: id) == nil else { continue }
            files.include(id)
            added.insert(id)
            for other in tree.ids {
                let nearest = tree.way(from: other).first { added.contains($0) }
                #expect(try files.nearest(from: other) == nearest)
            }
        }
        #expect(steps.values.allSatisfy { $0 == 1 })
    }
}
