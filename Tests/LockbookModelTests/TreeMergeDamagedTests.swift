import LockbookModel
import Testing
import TreeSpace

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

    private func plan(local: File, remote: [FileID: File]) throws -> MergePlan {
        var here = agreed
        here.files[local.id] = local
        var merge = TreeMerge(
            view: ViewWithout(file: folder, of: SmallView(local: here, agreed: agreed)),
            root: TreeStory.root,
            remote: remote,
            local: [local.id: local],
            outcomes: [:]
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

    @Test func `both sides' changes of a document below a damaged folder are merged there`()
        throws
    {
        let old = try #require(agreed.files[document])
        var renamed = old
        renamed.name = try FileName("e")
        var executable = old
        executable.isExecutable = true

        let plan = try plan(local: executable, remote: [document: renamed])

        let merged = plan.files[document]
        #expect(merged?.name == renamed.name && merged?.isExecutable == true)
        #expect(merged?.parent == folder && merged?.isDeleted == false)
        #expect(plan.notes.isEmpty)
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
