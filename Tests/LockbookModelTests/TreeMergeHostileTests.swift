import LockbookCrypto
import LockbookModel
import Testing
import TreeSpace

/// Trees made to exhaust a merge: what is counted is how often it looks something up.
struct TreeMergeHostileTests {
    /// How often a file may be looked up, whatever the tree is.
    private static let lookups = 40

    private func id(_ number: Int) throws -> FileID {
        let bytes = withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) }
        // Spread, so that the order of ids is not the order of making.
        return try #require(
            FileID([UInt8(truncatingIfNeeded: number &* 167)] + bytes + bytes.dropLast())
        )
    }

    private func root() throws -> SmallTree {
        let root = try TreeStory.file(TreeStory.root, in: TreeStory.root, "alice", isFolder: true)
        return SmallTree(files: [root.id: root])
    }

    private func merge(_ base: SmallTree, _ local: SmallTree, _ remote: SmallTree) throws
        -> (plan: MergePlan, tree: SmallTree, lookups: Int)
    {
        let view = CountedView(SmallView(local: local, agreed: base))
        var merge = TreeMerge(
            view: view,
            root: TreeStory.root,
            remote: remote.changes(since: base),
            local: local.changes(since: base),
            outcomes: [:]
        )
        let plan = try merge.run()
        var tree = local
        for (id, file) in plan.files { tree.files[id] = file }
        for id in plan.removed { tree.files[id] = nil }
        return (plan, tree, view.lookups)
    }

    /// Folders in each other, numbered from the first.
    private func chain(_ count: Int, from first: Int, in tree: SmallTree) throws -> SmallTree {
        var tree = tree
        var parent = TreeStory.root
        for number in first..<first + count {
            let file = try TreeStory.file(try id(number), in: parent, "f", isFolder: true)
            tree.files[file.id] = file
            parent = file.id
        }
        return tree
    }

    private func content(_ number: UInt64) throws -> Content {
        let key = ContentKey(random: .seeded(number))
        let facts = try ContentSealer.seal([UInt8(number)], key: key, bound: []).facts
        return Content(version: VersionID(random: .seeded(number)), key: key, facts: facts)
    }

    /// Or the words of whoever synced before would go without a question.
    @Test func `another content under the id of the agreed version is another one`() throws {
        let file = try TreeStory.file(try id(1), in: TreeStory.root, "d", isFolder: false)
        func tree(_ content: Content) throws -> SmallTree {
            var tree = try root()
            tree.files[file.id] = file
            tree.files[file.id]?.content = content
            return tree
        }
        let agreed = try content(1)
        var forged = try content(3)
        forged.version = agreed.version
        let (base, local) = (try tree(agreed), try tree(content(2)))
        let question = ContentQuestion(local: file.id, remote: file.id)
        #expect(try merge(base, local, tree(forged)).plan.questions == [question])
        #expect(try merge(base, tree(forged), local).plan.questions == [question])
        #expect(try merge(base, local, base).plan.questions.isEmpty)
    }

    @Test func `ten thousand new folders in each other are folded into as many`() throws {
        let depth = 10_000
        let base = try root()
        let result = try merge(
            base,
            try chain(depth, from: 0, in: base),
            try chain(depth, from: depth, in: base)
        )
        #expect(result.plan.rounds == 2)
        #expect(result.plan.removed.count == depth)
        #expect(result.tree.files.count == depth + 1)
        #expect(result.lookups < Self.lookups * depth)
    }

    @Test func `a tree of ten thousand folders in each other dies from the top`() throws {
        let depth = 10_000
        let base = try chain(depth, from: 0, in: try root())
        var local = base
        var remote = base
        for number in 1..<depth { local.files[try id(number)]?.name = try FileName("g") }
        remote.files[try id(0)]?.isDeleted = true
        let result = try merge(base, local, remote)
        #expect(result.plan.rounds <= 3)
        #expect(result.tree.isSame(as: remote))
        // Each of the names given here is reported, since it is not kept.
        #expect(result.plan.notes.count(where: { $0.kind == .renameUndone }) == depth - 1)
        #expect(result.lookups < Self.lookups * depth)
    }

    @Test func `a cycle of ten thousand folders is undone at once`() throws {
        let depth = 10_000
        var base = try root()
        for number in 0..<depth {
            let file = try TreeStory.file(
                try id(number),
                in: TreeStory.root,
                "\(number)",
                isFolder: true
            )
            base.files[file.id] = file
        }
        // Each into the next but for the last, which the other device moves into the first.
        var local = base
        for number in 0..<depth - 1 { local.files[try id(number)]?.parent = try id(number + 1) }
        var remote = base
        remote.files[try id(depth - 1)]?.parent = try id(0)
        let result = try merge(base, local, remote)
        #expect(result.plan.notes.count(where: { $0.kind == .moveUndone }) == depth - 1)
        #expect(result.tree.isSame(as: remote))
        #expect(result.lookups < Self.lookups * depth)
    }

    /// To go through all of them for each would take hours where they are more.
    @Test func `ten thousand cycles that come of each other are undone at once`() throws {
        let depth = 10_000
        let (base, folder) = try chainBesideFolder(depth)
        // Each into the one that was in it, the last into a folder that goes into that elsewhere.
        var local = base
        for number in 0..<depth - 1 { local.files[try id(number)]?.parent = try id(number + 1) }
        local.files[try id(depth - 1)]?.parent = folder
        var remote = base
        remote.files[folder]?.parent = try id(depth - 1)
        let result = try merge(base, local, remote)
        #expect(result.plan.notes.count(where: { $0.kind == .moveUndone }) == depth)
        #expect(result.tree.isSame(as: remote))
        #expect(result.lookups < Self.lookups * depth)
    }

    /// Folders in each other, each with a name of its own, beside one that either side may delete.
    private func chainBesideFolder(_ count: Int) throws -> (tree: SmallTree, folder: FileID) {
        var tree = try chain(count, from: 0, in: try root())
        for number in 0..<count { tree.files[try id(number)]?.name = try FileName("\(number)") }
        let folder = try TreeStory.file(try id(count), in: TreeStory.root, "t", isFolder: true)
        tree.files[folder.id] = folder
        return (tree, folder.id)
    }

    /// To go through all of them for each would take hours where they are more.
    @Test(arguments: [false, true])
    func `ten thousand folders go back into each other at once`(isMovedHere: Bool) throws {
        let depth = 10_000
        let (base, folder) = try chainBesideFolder(depth)
        var moved = base
        for number in 0..<depth { moved.files[try id(number)]?.parent = folder }
        var deleted = base
        deleted.files[folder]?.isDeleted = true
        let result =
            isMovedHere ? try merge(base, moved, deleted) : try merge(base, deleted, moved)
        #expect(result.plan.notes.count(where: { $0.kind == .moveUndone }) == depth)
        #expect(result.tree.isSame(as: deleted))
        #expect(result.lookups < Self.lookups * depth)
    }

    @Test func `folders go back at once out of what goes back with the help of them`() throws {
        let count = 3_000
        let (base, folder) = try chainBesideFolder(3 * count)
        // Of every three in each other the last goes into what is deleted, and the first into it.
        var local = base
        for number in stride(from: 0, to: 3 * count, by: 3) {
            local.files[try id(number)]?.parent = try id(number + 2)
            local.files[try id(number + 2)]?.parent = folder
        }
        var remote = base
        remote.files[folder]?.isDeleted = true
        let result = try merge(base, local, remote)
        #expect(result.plan.notes.count(where: { $0.kind == .moveUndone }) == 2 * count)
        #expect(result.tree.isSame(as: remote))
        #expect(result.lookups < Self.lookups * 3 * count)
    }

    @Test func `ten thousand documents that want one name get a number each`() throws {
        let count = 10_000
        // One folder of the server, into which as many are moved from folders of their own.
        var base = try root()
        let target = try TreeStory.file(try id(count), in: TreeStory.root, "t", isFolder: true)
        base.files[target.id] = target
        var local = base
        for number in 0..<count {
            let stem = String(repeating: "€", count: 82)
            let file = try TreeStory.file(
                try id(number),
                in: target.id,
                "\(stem)\(1_000_000 + number)",
                isFolder: false
            )
            local.files[file.id] = file
        }
        var remote = base
        for number in 0..<count {
            guard var file = local.files[try id(number)] else { continue }
            file.id = try id(count + 1 + number)
            file.type = .folder
            remote.files[file.id] = file
        }
        let result = try merge(base, local, remote)
        #expect(result.plan.rounds == 2)
        #expect(result.plan.notes.count == count)
        #expect(result.tree.files.count == 2 + 2 * count)
        #expect(Set(result.tree.files.values.map { $0.name.text }).count == 2 + 2 * count)
        #expect(result.lookups < Self.lookups * count)
    }

    @Test func `a number goes before the ending, and between characters`() throws {
        for (name, numbered) in [
            ("a.md", "a-7.md"), ("a", "a-7"), (".a", ".a-7"), ("a.", "a.-7"),
            (String(repeating: "x", count: 255), String(repeating: "x", count: 253) + "-7"),
            (String(repeating: "é", count: 127), String(repeating: "é", count: 126) + "-7"),
            (
                String(repeating: "€", count: 84) + ".md",
                String(repeating: "€", count: 83) + "-7.md"
            ),
            (String(repeating: "😀", count: 63), String(repeating: "😀", count: 63) + "-7"),
            (
                "a." + String(repeating: "y", count: 253),
                "a." + String(repeating: "y", count: 251) + "-7"
            ),
        ] {
            let result = try FileName(name).numbered(7)
            #expect(result.text == numbered)
            #expect(result.bytes.count <= FileName.maximumByteCount)
        }
    }
}
