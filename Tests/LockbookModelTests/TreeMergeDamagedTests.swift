import Testing
import TreeSpace

@testable import LockbookModel

/// Merges around a folder that is there and cannot be read on this device.
struct TreeMergeDamagedTests {
    private let folder = TreeStory.id("F")
    private let document = TreeStory.id("D")
    private let agreed: SmallTree

    init() throws {
        var tree = SmallTree()
        for (id, parent, name) in [
            (TreeStory.root, TreeStory.root, "alice"), (folder, TreeStory.root, "f"),
        ] {
            tree.files[id] = try TreeStory.file(id, in: parent, name, isFolder: true)
        }
        tree.files[document] = try TreeStory.file(document, in: folder, "d", isFolder: false)
        agreed = tree
    }

    private func plan(
        local: File,
        remote: [FileID: File],
        beside others: [File] = [],
        outcomes: [ContentQuestion: ContentOutcome] = [:]
    ) throws -> MergePlan {
        var agreed = agreed
        for file in others { agreed.files[file.id] = file }
        var here = agreed
        here.files[local.id] = local
        var merge = TreeMerge(
            view: ViewWithout(file: folder, of: SmallView(local: here, agreed: agreed)),
            root: TreeStory.root,
            remote: remote,
            local: [local.id: local],
            outcomes: outcomes
        )
        return try merge.run()
    }

    @Test func `changes below a damaged folder stay where they are`() throws {
        let other = try TreeStory.file(TreeStory.id("O"), in: TreeStory.root, "o", isFolder: true)
        let old = try #require(agreed.files[document])
        var renamed = old
        renamed.name = try FileName("e")
        var deleted = old
        deleted.isDeleted = true
        var executable = old
        executable.isExecutable = true
        for change in [renamed, deleted, executable] {
            for remote in [[:], [other.id: other]] {
                let plan = try plan(local: change, remote: remote)
                #expect(plan.files[document]?.isSame(as: change) == true)
                #expect(plan.notes.isEmpty)
            }
        }
    }

    @Test func `what would be in a folder that is gone goes to the root when its old one is, too`()
        throws
    {
        let old = try #require(agreed.files[document])
        var moved = old
        moved.parent = TreeStory.id("X")
        let other = try TreeStory.file(TreeStory.id("O"), in: TreeStory.root, "o", isFolder: true)
        let plan = try plan(local: moved, remote: [other.id: other])
        #expect(plan.files[document]?.parent == TreeStory.root)
        #expect(plan.notes.map(\.kind) == [.moveUndone])
    }

    @Test(arguments: [true, false])
    func `what would be in a folder that is gone goes to the nearest one above that has a place`(
        isBelowDamaged: Bool
    ) throws {
        let (outer, inner, moved) = (TreeStory.id("O"), TreeStory.id("I"), TreeStory.id("M"))
        let others = try [
            TreeStory.file(outer, in: TreeStory.root, "o", isFolder: true),
            // No file can stand in a document, nor in what is below a folder that cannot be read.
            TreeStory.file(
                inner,
                in: isBelowDamaged ? folder : outer,
                "i",
                isFolder: isBelowDamaged
            ),
            TreeStory.file(moved, in: inner, "m", isFolder: false),
        ]
        var local = try #require(others.last)
        local.parent = TreeStory.id("X")
        let plan = try plan(local: local, remote: [:], beside: others)
        #expect(plan.files[moved]?.parent == (isBelowDamaged ? TreeStory.root : outer))
        #expect(plan.notes.map(\.kind) == [.moveUndone])
    }

    @Test func `a second copy of a document below a damaged folder stands beside it`() throws {
        func content(_ text: String) throws -> Content {
            let story = try TreeStory(local: ["A": "a=\(text)"], remote: [:])
            return try #require(story.plan.files[TreeStory.id("A")]?.content)
        }
        let old = try #require(agreed.files[document])
        var (local, remote) = (old, old)
        local.content = try content("1")
        remote.content = try content("2")
        let copy = TreeStory.id("C")
        let plan = try plan(
            local: local,
            remote: [document: remote],
            outcomes: [
                ContentQuestion(local: document, remote: document):
                    .keepBoth(copy: copy, local.content)
            ]
        )
        #expect(plan.files[document]?.parent == folder && plan.files[copy]?.parent == folder)
        #expect(plan.notes.map(\.kind) == [.keptBoth])
    }

    @Test func `a file in a cycle is not live, one in a folder that cannot be read is`() throws {
        let (one, other, below) = (TreeStory.id("O"), TreeStory.id("P"), TreeStory.id("B"))
        let files = [
            one: try TreeStory.file(one, in: other, "o", isFolder: true),
            other: try TreeStory.file(other, in: one, "p", isFolder: true),
            below: try TreeStory.file(below, in: folder, "b", isFolder: false),
        ]
        var lives = Lives(root: TreeStory.root)
        let isLive = [one, other, folder, below].map { id in lives.isLive(id) { files[$0] } }
        #expect(isLive == [false, false, false, true])
    }

    @Test func `both sides' changes of a document below a damaged folder are merged there`()
        throws
    {
        let old = try #require(agreed.files[document])
        var renamed = old
        renamed.name = try FileName("e")
        var executable = old
        executable.isExecutable = true

        for (local, remote) in [(executable, renamed), (renamed, executable)] {
            let plan = try plan(local: local, remote: [document: remote])
            let merged = plan.files[document]
            #expect(merged?.name == renamed.name && merged?.isExecutable == true)
            #expect(merged?.parent == folder && merged?.isDeleted == false)
            #expect(plan.notes.isEmpty)
        }
    }
}

/// A view in which one file cannot be read.
private struct ViewWithout<View: MergeView>: MergeView {
    let file: FileID
    let view: View

    init(file: FileID, of view: View) {
        self.file = file
        self.view = view
    }

    func file(_ id: FileID) throws -> File? { id == file ? nil : try view.file(id) }
    func base(_ id: FileID) throws -> File? { id == file ? nil : try view.base(id) }

    func child(named name: FileName, of folder: FileID) throws -> FileID? {
        folder == file ? nil : try view.child(named: name, of: folder)
    }
}
