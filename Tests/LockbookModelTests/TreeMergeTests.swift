import LockbookModel
import Testing
import TreeSpace

/// What the space of small trees is too small for, and the bugs that it found.
struct TreeMergeTests {
    @Test func `an edit is not joined away when another file takes its name`() throws {
        for answer in Answer.allCases {
            let story = try TreeStory(
                base: ["A": "b.md=1"],
                local: ["A": "b.md=2", "N": "a.md=3"],
                remote: ["A": "a.md=1"],
                answer: answer
            )
            #expect(story.result == ["A": "a.md=2", "N": "a-1.md=3"])
        }
    }

    @Test func `a file that one side restored is live, whatever the other did to it meanwhile`()
        throws
    {
        for (local, remote, result) in [
            ("a.md=1", "†a.md=1", "a.md=1"), ("†a.md=1", "a.md=1", "a.md=1"),
            ("a.md=1", "a.md=1", "a.md=1"), ("†a.md=1", "†b.md=1", "†b.md=1"),
            ("a.md=1", "†b.md=2", "b.md=2"), ("†b.md=2", "a.md=1", "b.md=2"),
        ] {
            let story = try TreeStory(
                base: ["A": "†a.md=1"],
                local: ["A": local],
                remote: ["A": remote]
            )
            #expect(story.result == ["A": result], "\(local) here, \(remote) there")
        }
    }

    @Test func `what one side deletes and the other changes is deleted`() throws {
        for (local, remote) in [("†a.md=1", "a.md=2"), ("a.md=2", "†a.md=1")] {
            let story = try TreeStory(
                base: ["A": "a.md=1"],
                local: ["A": local],
                remote: ["A": remote]
            )
            #expect(story.result["A"]?.hasPrefix("†") == true)
            #expect(story.notes == [.deleted])
        }
    }

    @Test func `a new note in a folder that was deleted here is reported`() throws {
        let story = try TreeStory(
            base: ["F": "f/"],
            local: ["F": "†f/"],
            remote: ["F": "f/", "N": "f/n=1"]
        )
        #expect(story.result == ["F": "†f/", "N": "f/n=1"])
        #expect(story.plan.notes.map(\.kind) == [.trashed])
    }

    @Test func `only what was moved goes back out of a cycle, not what is new in it`() throws {
        let story = try TreeStory(
            base: ["P": "p/", "X": "x/"],
            local: ["P": "p/", "N": "p/n/", "X": "p/n/x/"],
            remote: ["P": "x/p/", "X": "x/"]
        )
        #expect(story.result == ["P": "x/p/", "X": "x/", "N": "x/p/n/"])
        #expect(story.notes == [.moveUndone])
    }

    @Test func `every local move of a cycle is undone, and remote ones stand`() throws {
        let story = try TreeStory(
            base: ["A": "a/", "B": "b/", "C": "c/"],
            local: ["A": "b/a/", "B": "b/", "C": "b/a/c/"],
            remote: ["A": "a/", "B": "c/b/", "C": "c/"]
        )
        #expect(story.result == ["A": "a/", "B": "c/b/", "C": "c/"])
        #expect(story.plan.notes.map(\.kind) == [.moveUndone, .moveUndone])
    }

    @Test func `what died with its folder does not come back out of a cycle`() throws {
        let base: TreeStory.Drawing = ["A": "a/", "B": "b/", "C": "a/b/"]
        let later = try TreeStory(
            base: base,
            local: ["A": "b/b/", "B": "b/", "C": "b/a/"],
            remote: ["A": "†a/", "B": "‡a/b/a/", "C": "a/b/"]
        )
        #expect(later.result == ["A": "†b/", "B": "‡b/b/a/", "C": "b/b/"])
        #expect(later.notes == [.moveUndone, .renameUndone, .deleted, .trashed])
        let earlier = try TreeStory(
            base: base,
            local: ["A": "†a/", "B": "a/a/a/", "C": "a/a/"],
            remote: ["A": "b/b/", "B": "b/", "C": "b/a/"]
        )
        #expect(earlier.result == ["A": "†a/b/", "B": "‡a/", "C": "a/a/"])
        #expect(earlier.notes == [.moveUndone, .deleted, .trashed])
    }

    @Test func `a move undone into a folder that is gone ends in the trash`() throws {
        let story = try TreeStory(
            base: ["F": "f/", "G": "g/", "D": "f/d"],
            local: ["F": "f/", "G": "g/", "D": "g/d"],
            remote: ["F": "†f/", "G": "†g/", "D": "f/d"]
        )
        #expect(story.result["D"] == "‡g/d")
        #expect(story.notes == [.trashed])
    }

    @Test func `a folder that goes back takes what was moved into it along`() throws {
        let story = try TreeStory(
            base: ["F": "f/", "X": "x/", "Z": "z/", "A": "a"],
            local: ["F": "f/", "X": "f/x/", "Z": "f/x/z/", "A": "f/x/z/a"],
            remote: ["F": "†f/", "X": "x/", "Z": "z/", "A": "a"]
        )
        #expect(story.result == ["F": "†f/", "X": "x/", "Z": "x/z/", "A": "x/z/a"])
        #expect(story.plan.notes.map(\.file) == [TreeStory.id("X")])
    }

    @Test func `what was moved up in a deleted folder goes back to the folder that left it`() throws
    {
        let base: TreeStory.Drawing = ["G": "g/", "F": "g/f/", "A": "g/f/a"]
        let deleted: TreeStory.Drawing = ["G": "†g/", "F": "g/f/", "A": "g/f/a"]
        let moved: TreeStory.Drawing = ["G": "g/", "F": "f/", "A": "g/a"]
        // Once the document was lost when the deletion was synced second.
        for (local, remote) in [(deleted, moved), (moved, deleted)] {
            let story = try TreeStory(base: base, local: local, remote: remote)
            #expect(story.result == ["G": "†g/", "F": "f/", "A": "f/a"])
            #expect(story.notes == [.moveUndone])
        }
    }

    /// Whichever id is the smaller one.
    @Test(arguments: [("P", "X"), ("X", "P")] as [(Character, Character)])
    func `a folder goes back though what the server took out of it was settled before`(
        folder: Character,
        moved: Character
    ) throws {
        let story = try TreeStory(
            base: ["D": "d/", "E": "e/", folder: "p/", moved: "p/x"],
            local: ["D": "†d/", "E": "e/", folder: "e/p/", moved: "e/p/x"],
            remote: ["D": "d/", "E": "†e/", folder: "p/", moved: "d/x"]
        )
        #expect(story.result[folder] == "p/")
        #expect(story.notes.contains(.moveUndone))
    }

    /// Whichever id is the smaller one: the document is looked at before the folder that goes back, or after.
    @Test(arguments: [("P", "X"), ("X", "P")] as [(Character, Character)])
    func `what was moved out of a folder that goes back goes back to it, whoever syncs first`(
        folder: Character,
        moved: Character
    ) throws {
        let base: TreeStory.Drawing = [folder: "p/", "Q": "p/q/", moved: "p/x"]
        let deleted: TreeStory.Drawing = [folder: "p/", "Q": "†q/", moved: "p/x"]
        let into: TreeStory.Drawing = [folder: "q/p/", "Q": "q/", moved: "q/x"]
        for (local, remote) in [(deleted, into), (into, deleted)] {
            let story = try TreeStory(base: base, local: local, remote: remote)
            #expect(story.result == [folder: "p/", "Q": "†q/", moved: "p/x"])
        }
    }

    /// Whoever of them has the first id, and so is looked at first.
    @Test(arguments: ["XGF", "XFG", "GXF", "GFX", "FXG", "FGX"])
    func `where a folder goes back to is not known before that of what is around it`(
        letters: String
    ) throws {
        let ids = Array("ABC").sorted { TreeStory.id($0) < TreeStory.id($1) }
        var letter: [Character: Character] = ["K": "K", "D": "D"]
        for (role, id) in zip(letters, ids) { letter[role] = id }
        func drawing(_ files: TreeStory.Drawing) -> TreeStory.Drawing {
            files.reduce(into: [:]) { $0[letter[$1.key] ?? $1.key] = $1.value }
        }
        let story = try TreeStory(
            base: drawing(["K": "k/", "X": "x/", "D": "x/d/", "G": "x/d/g=1", "F": "f=1"]),
            local: drawing(["K": "k/", "X": "k/x/", "D": "k/x/d/", "G": "k/g=1", "F": "f=1"]),
            remote: drawing(["K": "†k/", "X": "x/", "D": "x/d/", "G": "x/d/g=1", "F": "x/d/f=1"])
        )
        #expect(
            story.result
                == drawing(
                    ["K": "†k/", "X": "x/", "D": "x/d/", "G": "x/d/g=1", "F": "x/d/f=1"]
                )
        )
    }

    @Test func `a second copy stands beside the first, wherever that goes`() throws {
        let back = try TreeStory(
            base: ["F": "f/", "A": "a.bin=1"],
            local: ["F": "f/", "A": "f/a.bin=2"],
            remote: ["F": "†f/", "A": "a.bin=3"]
        )
        #expect(back.result == ["F": "†f/", "A": "a.bin=3", "*": "a-1.bin=2"])
        let dead = try TreeStory(
            base: ["F": "f/", "A": "f/a.bin=1"],
            local: ["F": "†f/", "A": "f/a.bin=1"],
            remote: ["F": "f/", "A": "f/a.bin=3"]
        )
        #expect(dead.result == ["F": "†f/", "A": "f/a.bin=3"])
        #expect(dead.notes == [.trashed])
    }

    @Test func `what both devices made after a data folder was copied is merged and reported`()
        throws
    {
        let story = try TreeStory(local: ["A": "a=1"], remote: ["A": "b=2"])
        #expect(story.result == ["A": "b=2", "*": "b-1=1"])
        #expect(story.notes == [.renameUndone, .keptBoth])
        let deleted = try TreeStory(local: ["A": "a=1"], remote: ["A": "†a=1"])
        #expect(deleted.result == ["A": "†a=1"])
        #expect(deleted.notes == [.deleted])
    }

    @Test func `new folders of one name are one, with what is in them, however deep`() throws {
        let story = try TreeStory(
            local: ["A": "f/", "B": "f/g/", "C": "f/g/h/", "D": "f/g/h/d=1"],
            remote: ["P": "f/", "Q": "f/g/", "R": "f/g/h/", "S": "f/g/h/s=2"]
        )
        #expect(
            story.result == [
                "P": "f/", "Q": "f/g/", "R": "f/g/h/", "S": "f/g/h/s=2", "D": "f/g/h/d=1",
            ]
        )
        #expect(story.plan.rounds == 2)
        // An old folder of that name is another folder.
        let old = try TreeStory(
            base: ["O": "o/"],
            local: ["O": "o/", "A": "f/"],
            remote: ["O": "f/"]
        )
        #expect(old.result == ["O": "f/", "A": "f-1/"])
    }

    @Test func `what was moved into a folder that is not there goes back where the server has it`()
        throws
    {
        let folder = try TreeStory.file(TreeStory.id("F"), in: TreeStory.root, "f", isFolder: true)
        let agreed = try TreeStory.file(TreeStory.id("A"), in: folder.id, "a", isFolder: false)
        var moved = agreed
        moved.parent = TreeStory.id("Z")
        let root = try TreeStory.file(TreeStory.root, in: TreeStory.root, "alice", isFolder: true)
        let tree = { (file: File) in
            SmallTree(files: [root.id: root, folder.id: folder, file.id: file])
        }
        var merge = TreeMerge(
            view: SmallView(local: tree(moved), agreed: tree(agreed)),
            root: root.id,
            remote: [:],
            local: [moved.id: moved],
            outcomes: [:]
        )
        let plan = try merge.run()
        #expect(plan.files[agreed.id]?.parent == folder.id)
        #expect(plan.notes.map(\.kind) == [.moveUndone])
    }

    @Test func `the executable bit is merged like a name`() throws {
        #expect(ThreeWay(base: false, local: true, remote: false).merged)
        #expect(ThreeWay(base: false, local: false, remote: true).merged)
        #expect(!ThreeWay(base: true, local: true, remote: false).merged)
        #expect(!ThreeWay(base: 1, local: 2, remote: 2).isDecidedAgainstLocal)
        #expect(ThreeWay(base: 1, local: 2, remote: 3).isDecidedAgainstLocal)
        #expect(!ThreeWay(base: 1, local: 1, remote: 3).isDecidedAgainstLocal)
    }
}
