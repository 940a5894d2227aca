import LockbookModel
import Testing
import TreeSpace

/// Which names files get in a merge, and when they were modified then.
struct TreeMergeNameTests {
    @Test(arguments: [("a", "a-1"), ("a-1", "a")])
    func `a number is not one that another file of the merge has`(first: String, second: String)
        throws
    {
        let story = try TreeStory(
            local: ["A": "\(first)=1", "B": "\(second)=2"],
            remote: ["C": "a=3"]
        )
        let wanted = { (name: String) in name == "a" ? "a-2" : name }
        #expect(
            story.result == ["A": "\(wanted(first))=1", "B": "\(wanted(second))=2", "C": "a=3"]
        )
        #expect(story.plan.notes.map(\.kind) == [.renamed])
        #expect(story.plan.rounds == 2)
    }

    /// The one with the number 10 is a byte shorter, and so the same for both.
    @Test func `names that are cut to the same one get two numbers`() throws {
        let stem = String(repeating: "x", count: 252)
        var base: TreeStory.Drawing = [:]
        for (index, letter) in "ABCDEFGHIJKLMNOPQR".enumerated() {
            base[letter] = "\(stem)\(index < 9 ? "a" : "b")-\(index % 9 + 1)"
        }
        var (local, remote) = (base, base)
        local["X"] = "\(stem)a=1"
        local["Y"] = "\(stem)b=1"
        remote["S"] = "\(stem)a=2"
        remote["T"] = "\(stem)b=2"
        let story = try TreeStory(base: base, local: local, remote: remote)
        let names = "XY".compactMap { story.plan.files[TreeStory.id($0)]?.name.text }
        #expect(Set(names) == ["\(stem)-10", "\(stem)-11"])
        #expect(story.plan.notes.map(\.kind) == [.renamed, .renamed])
        #expect(story.plan.rounds == 2)
    }

    /// Whichever id is the smaller one.
    @Test(arguments: [("A", "B"), ("B", "A")] as [(Character, Character)])
    func `a file that was restored here gives way to a new one of the server`(
        restored: Character,
        new: Character
    ) throws {
        let story = try TreeStory(
            base: [restored: "†a=1"],
            local: [restored: "a=1"],
            remote: [restored: "†a=1", new: "a=2"]
        )
        #expect(story.result == [restored: "a-1=1", new: "a=2"])
    }

    @Test(arguments: [true, false], [true, false])
    func `a new file may have the name of the root, whose record came`(
        isFolder: Bool,
        isKnown: Bool
    ) throws {
        let root = try TreeStory.file(TreeStory.root, in: TreeStory.root, "alice", isFolder: true)
        var changed = root
        changed.epoch = 2
        let new = try TreeStory.file(TreeStory.id("N"), in: root.id, "alice", isFolder: isFolder)
        let here = SmallTree(files: [root.id: root, new.id: new])
        let agreed = SmallTree(files: isKnown ? [root.id: root] : [:])
        var merge = TreeMerge(
            view: SmallView(local: here, agreed: agreed),
            root: root.id,
            remote: [root.id: changed],
            local: [new.id: new],
            outcomes: [:]
        )
        let plan = try merge.run()
        #expect(plan.files[new.id]?.name == new.name)
        #expect(plan.removed.isEmpty && plan.notes.isEmpty)
    }

    @Test(arguments: [(9, 5), (5, 9)] as [(Int64, Int64)])
    func `what both sides changed was modified when the later of them was`(
        here: Int64,
        there: Int64
    ) throws {
        let (base, written) = (try file("a=1"), try file("a=2"))
        let renamed = try file("b=1")
        for (one, other) in [(written, renamed), (renamed, written)] {
            var (local, remote) = (one, other)
            local.modified = Timestamp(milliseconds: here)
            remote.modified = Timestamp(milliseconds: there)
            let merged = try merged(base, local, remote)
            #expect(merged.name == renamed.name && merged.content == written.content)
            #expect(merged.modified == Timestamp(milliseconds: 9))
        }
        // Where both did the same it stays the server's.
        var (local, remote) = (renamed, renamed)
        local.modified = Timestamp(milliseconds: here)
        remote.modified = Timestamp(milliseconds: there)
        #expect(try merged(base, local, remote) == remote)
    }

    /// Made on both devices: whichever of them synced first, it can be run.
    @Test(arguments: [(true, false), (false, true), (true, true), (false, false)])
    func `a program stays one when two new documents become one`(here: Bool, there: Bool) throws {
        let trees = try TreeStory(local: ["A": "a=1", "B": "b=1"], remote: [:]).plan.files
        var local = try #require(trees[TreeStory.id("A")])
        var remote = try #require(trees[TreeStory.id("B")])
        remote.name = local.name
        (local.isExecutable, remote.isExecutable) = (here, there)
        (local.modified, remote.modified) = (.init(milliseconds: 9), .init(milliseconds: 5))
        let root = try TreeStory.file(TreeStory.root, in: TreeStory.root, "alice", isFolder: true)
        let agreed = SmallTree(files: [root.id: root])
        var merge = TreeMerge(
            view: SmallView(
                local: SmallTree(files: [root.id: root, local.id: local]),
                agreed: agreed
            ),
            root: root.id,
            remote: [remote.id: remote],
            local: [local.id: local],
            outcomes: [ContentQuestion(local: local.id, remote: remote.id): .same]
        )
        let plan = try merge.run()
        let joined = try #require(plan.files[remote.id])
        #expect(plan.removed == [local.id] && joined.isExecutable == (here || there))
        // What the server has already stays as it is there.
        #expect(joined.modified.milliseconds == (here && !there ? 9 : 5))
    }

    private func file(_ drawing: String) throws -> File {
        let story = try TreeStory(local: ["A": drawing], remote: [:])
        return try #require(story.plan.files[TreeStory.id("A")])
    }

    private func merged(_ base: File, _ local: File, _ remote: File) throws -> File {
        let root = try TreeStory.file(TreeStory.root, in: TreeStory.root, "alice", isFolder: true)
        let agreed = SmallTree(files: [root.id: root, base.id: base])
        let plan = try TreeStory.plan(local: local, remote: remote, agreed: agreed)
        return try #require(plan.files[base.id])
    }
}
