import LockbookModel
import Testing
import TreeSpace

/// Moves over the border of a share, into a folder that the other side deletes.
struct TreeMergeShareTests {
    /// What one side moved there, and the other one deleted: both orders of syncing.
    private func stories(
        _ shares: TreeStory.Drawing,
        _ document: String,
        into folder: String,
        isMember: Bool = false
    ) throws -> (later: TreeStory, earlier: TreeStory) {
        let base = shares.merging(["F": folder, "A": document]) { _, new in new }
        let moved = base.merging(["A": "\(folder)a"]) { _, new in new }
        let deleted = base.merging(["F": "†\(folder)"]) { _, new in new }
        return (
            try TreeStory(base: base, local: deleted, remote: moved, isMember: isMember),
            try TreeStory(base: base, local: moved, remote: deleted, isMember: isMember)
        )
    }

    /// Undone it would be seen again by those from whom it was taken.
    @Test func `a move out of a share goes to the trash, whichever device syncs first`() throws {
        for (shares, document, folder) in [
            (["S": "§s/"], "s/a", "f/"),
            (["S": "§s/", "T": "§t/"], "s/a", "t/f/"),
            (["S": "§s/", "I": "§s/i/"], "s/i/a", "s/f/"),
        ] as [(TreeStory.Drawing, String, String)] {
            let (later, earlier) = try stories(shares, document, into: folder)
            #expect(later.result["A"] == "\(folder)a")
            #expect(earlier.result["A"] == "‡\(folder)a")
            #expect(later.notes == [.trashed] && earlier.notes == [.trashed])
        }
    }

    @Test func `a move into a share, or within one, is undone`() throws {
        for (shares, document, folder) in [
            (["S": "§s/"], "a", "s/f/"),
            (["S": "§s/"], "s/a", "s/f/"),
            (["S": "§s/", "I": "§s/i/"], "s/a", "s/i/f/"),
        ] as [(TreeStory.Drawing, String, String)] {
            let (later, earlier) = try stories(shares, document, into: folder)
            #expect(later.result["A"] == document && earlier.result["A"] == document)
            #expect(later.notes == [.moveUndone] && earlier.notes == [.moveUndone])
        }
    }

    @Test func `a share itself goes to the trash as well when it was moved out of another one`()
        throws
    {
        let story = try TreeStory(
            base: ["S": "§s/", "T": "§s/t/", "F": "f/"],
            local: ["S": "§s/", "T": "§s/t/", "F": "†f/"],
            remote: ["S": "§s/", "T": "§f/t/", "F": "f/"]
        )
        #expect(story.result["T"] == "f/t/")
    }

    @Test func `a member undoes his own move, and none of the owner's over a border`() throws {
        let shares: TreeStory.Drawing = ["S": "§s/", "I": "§s/i/"]
        let inwards = try stories(shares, "s/a", into: "s/i/f/", isMember: true).later
        #expect(inwards.result["A"] == "s/i/f/a")
        let (later, earlier) = try stories(shares, "s/i/a", into: "s/f/", isMember: true)
        #expect(later.result["A"] == "s/f/a")
        #expect(earlier.result["A"] == "s/i/a")
    }

    /// Who moved it there would see what was written in it since.
    @Test func `a move out of a share stands though the file was moved within it meanwhile`()
        throws
    {
        for isMember in [false, true] {
            let story = try TreeStory(
                base: ["S": "§s/", "F": "f/", "A": "s/a=1"],
                local: ["S": "§s/", "F": "f/", "A": "f/a=2"],
                remote: ["S": "§s/", "F": "f/", "D": "s/d/", "A": "s/d/a=1"],
                isMember: isMember
            )
            #expect(story.result["A"] == (isMember ? "s/d/a=2" : "f/a=2"))
            #expect(story.notes == (isMember ? [.moveUndone] : []))
        }
    }

    /// Whichever of the two has the lower id.
    @Test(arguments: [("A", "D"), ("D", "A")] as [(Character, Character)])
    func `what was moved into a folder that leaves the share leaves it, too`(
        folder: Character,
        document: Character
    ) throws {
        let around: TreeStory.Drawing = ["S": "§s/", "E": "s/e/", "F": "f/"]
        func tree(_ place: String, _ text: String) -> TreeStory.Drawing {
            around.merging([folder: place, document: text]) { _, new in new }
        }
        let story = try TreeStory(
            base: tree("s/d/", "s/a=1"),
            local: tree("f/d/", "f/d/a=1"),
            remote: tree("s/e/d/", "s/e/a=1")
        )
        #expect(story.result[folder] == "f/d/" && story.result[document] == "f/d/a=1")
        #expect(story.notes == [])
    }

    /// A second version is one of the words, too.
    @Test func `what cannot be joined leaves the share with the file`() throws {
        let story = try TreeStory(
            base: ["S": "§s/", "D": "s/d/", "F": "f/", "A": "s/a.bin=1"],
            local: ["S": "§s/", "D": "s/d/", "F": "f/", "A": "f/a.bin=2"],
            remote: ["S": "§s/", "D": "s/d/", "F": "f/", "A": "s/d/a.bin=3"]
        )
        #expect(story.result["A"] == "f/a.bin=3" && story.result["*"] == "f/a-1.bin=2")
        #expect(story.notes == [.keptBoth])
    }

    /// - Parameter isLeft: whether the folder stood outside of the share.
    @Test(arguments: [true, false])
    func `what was moved out of a share into a folder that is not there stays out of it`(
        isLeft: Bool
    ) throws {
        let top = try TreeStory.file(TreeStory.root, in: TreeStory.root, "alice", isFolder: true)
        var share = try TreeStory.file(TreeStory.id("S"), in: top.id, "s", isFolder: true)
        share.scope = share.id
        var agreed = try TreeStory.file(TreeStory.id("A"), in: share.id, "a", isFolder: false)
        agreed.scope = share.id
        var moved = agreed
        moved.parent = TreeStory.id("Z")
        if isLeft { moved.scope = top.id }
        let plan = try TreeStory.plan(
            local: moved,
            remote: agreed,
            agreed: SmallTree(files: [top.id: top, share.id: share, agreed.id: agreed])
        )
        #expect(plan.files[agreed.id]?.parent == (isLeft ? top.id : share.id))
        #expect(plan.notes.map(\.kind) == [.moveUndone])
    }
}
