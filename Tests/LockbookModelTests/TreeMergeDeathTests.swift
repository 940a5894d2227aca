import LockbookModel
import Testing
import TreeSpace

/// Who deleted a file, and who only the folder that it stood in: `†` is never taken back by the
/// other side, `‡` comes back with the folder.
struct TreeMergeDeathTests {
    @Test(
        arguments: zip(
            ["a=1", "‡a=1", "†a=1"],
            [
                // Here: live, died with its folder, deleted; in each, there, the same three.
                [["a=1", "‡a=1", "†a=1"], ["‡a=1", "‡a=1", "†a=1"], ["†a=1", "†a=1", "†a=1"]],
                [["a=1", "a=1", "†a=1"], ["a=1", "‡a=1", "†a=1"], ["†a=1", "†a=1", "†a=1"]],
                [["a=1", "a=1", "a=1"], ["a=1", "‡a=1", "‡a=1"], ["a=1", "‡a=1", "†a=1"]],
            ]
        )
    )
    func `a deletion is taken back by restoring, a death with the folder by either side`(
        base: String,
        results: [[String]]
    ) throws {
        let states = ["a=1", "‡a=1", "†a=1"]
        for (local, row) in zip(states, results) {
            for (remote, result) in zip(states, row) {
                // Another file changed here, or nothing would be merged.
                let story = try TreeStory(
                    base: ["A": base],
                    local: ["A": local, "B": "b=2"],
                    remote: ["A": remote]
                )
                #expect(
                    story.result == ["A": result, "B": "b=2"],
                    "\(base): \(local) here, \(remote) there"
                )
            }
        }
    }

    @Test func `a move out of a folder rescues what died with it on the other side`() throws {
        let base: TreeStory.Drawing = ["F": "f/", "A": "f/a=1"]
        let died: TreeStory.Drawing = ["F": "†f/", "A": "‡f/a=2"]
        let moved: TreeStory.Drawing = ["F": "f/", "A": "a=1"]
        for (local, remote) in [(died, moved), (moved, died)] {
            let story = try TreeStory(base: base, local: local, remote: remote)
            #expect(story.result == ["F": "†f/", "A": "a=2"])
        }
        // A rename in the folder is no move out of it.
        let renamed: TreeStory.Drawing = ["F": "f/", "A": "f/b=1"]
        for (local, remote) in [(died, renamed), (renamed, died)] {
            let story = try TreeStory(base: base, local: local, remote: remote)
            #expect(story.result["A"]?.hasPrefix("‡f/") == true)
        }
        // Nor is what was deleted itself rescued, or what was moved into the folder before it died.
        for other in ["†f/a=2", "‡g/a=2"] {
            let story = try TreeStory(
                base: ["F": "f/", "G": "g/", "A": "f/a=1"],
                local: ["F": "f/", "G": "g/", "A": "a=1"],
                remote: ["F": "†f/", "G": "†g/", "A": other]
            )
            #expect("†‡".contains(story.result["A"]?.first ?? "a"))
        }
    }

    @Test(arguments: [true, false], [true, false])
    func `it rescues what is new on both sides where only a merge has deleted it`(
        isUnseen: Bool,
        isMovedHere: Bool
    ) throws {
        let root = try TreeStory.file(TreeStory.root, in: TreeStory.root, "alice", isFolder: true)
        var folder = try TreeStory.file(TreeStory.id("F"), in: root.id, "f", isFolder: true)
        folder.isDeleted = true
        let moved = try TreeStory.file(TreeStory.id("A"), in: root.id, "b", isFolder: false)
        var died = try TreeStory.file(moved.id, in: folder.id, "a", isFolder: false)
        died.dieWithFolder()
        died.diedUnseen = isUnseen
        let (local, remote) = isMovedHere ? (moved, died) : (died, moved)
        let agreed = SmallTree(files: [root.id: root, folder.id: folder])
        let plan = try TreeStory.plan(local: local, remote: remote, agreed: agreed)
        let merged = try #require(plan.files[moved.id])
        #expect(merged.isDeleted != isUnseen)
        #expect(!isUnseen || merged.isSame(as: moved) && plan.notes.isEmpty)
    }

    @Test(arguments: [true, false], [true, false])
    func `it rescues a new folder so, with what is in it but what somebody deleted`(
        isByMerge: Bool,
        isMovedHere: Bool
    ) throws {
        let base: TreeStory.Drawing = ["K": "k/"]
        let new = base.merging(["F": "k/f/", "A": "k/f/a=1", "B": "k/f/b=1"]) { $1 }
        var died = try TreeStory(base: base, local: new, remote: ["K": "†k/"]).plan
        died.markUnseen { _ in true }
        #expect(died.files[TreeStory.id("F")]?.diedByMerge == true)
        if !isByMerge { died.files[TreeStory.id("F")]?.diedUnseen = false }
        died.files[TreeStory.id("B")]?.diedWithFolder = false
        let dead = died.files.filter { $0.key != TreeStory.id("K") }
        let moved = try TreeStory(
            base: base,
            local: base.merging(["F": "f/", "A": "f/a=1", "B": "f/b=1"]) { $1 },
            remote: base
        ).plan.files
        let root = try TreeStory.file(TreeStory.root, in: TreeStory.root, "alice", isFolder: true)
        let folder = try #require(died.files[TreeStory.id("K")])
        let agreed = SmallTree(files: [root.id: root, folder.id: folder])
        var here = agreed
        here.files.merge(isMovedHere ? moved : dead) { $1 }
        var merge = TreeMerge(
            view: SmallView(local: here, agreed: agreed),
            root: root.id,
            remote: isMovedHere ? dead : moved,
            local: isMovedHere ? moved : dead,
            outcomes: [:]
        )
        let plan = try merge.run()
        let alive = plan.files.filter { !$0.value.isDeleted }.keys
        #expect(Set(alive) == (isByMerge ? [TreeStory.id("F"), TreeStory.id("A")] : []))
        let parent = plan.files[TreeStory.id("F")]?.parent
        #expect(!isByMerge || parent == root.id)
    }

    @Test(arguments: [true, false])
    func `an empty document that is new and deleted on both sides is unseen where one side says so`(
        isUnseenHere: Bool
    ) throws {
        let root = try TreeStory.file(TreeStory.root, in: TreeStory.root, "alice", isFolder: true)
        var seen = try TreeStory.file(TreeStory.id("A"), in: root.id, "a", isFolder: false)
        seen.isDeleted = true
        var unseen = seen
        unseen.diedUnseen = true
        let (local, remote) = isUnseenHere ? (unseen, seen) : (seen, unseen)
        let agreed = SmallTree(files: [root.id: root])
        let plan = try TreeStory.plan(local: local, remote: remote, agreed: agreed)
        #expect(plan.files[seen.id]?.diedUnseen == true)
    }

    @Test
    func `what died with its folder on both sides, in two places, is where the server has it`()
        throws
    {
        let story = try TreeStory(
            base: ["F": "f/", "G": "g/", "A": "f/a=1"],
            local: ["F": "†f/", "G": "†g/", "A": "‡f/a=2"],
            remote: ["F": "†f/", "G": "†g/", "A": "‡g/a=1"]
        )
        #expect(story.result == ["F": "†f/", "G": "†g/", "A": "‡g/a=2"])
    }

    @Test(
        arguments: [
            // What one side wrote, and what the other deleted.
            ["A": "f/a=2", "F": "f/"], ["A": "f/a=1", "F": "f/", "N": "f/n=3"],
        ] as [TreeStory.Drawing],
        ["A", "F"] as [Character]
    )
    func `words are unseen by who deleted them, or their folder, without knowing`(
        written: TreeStory.Drawing,
        dead: Character
    ) throws {
        let base: TreeStory.Drawing = ["A": "f/a=1", "F": "f/"]
        var deleted = base
        deleted[dead] = "†" + (base[dead] ?? "")
        let new: Character = written["N"] == nil ? "A" : "N"
        // A new one beside what was deleted is not lost.
        let isLost = new == "A" || dead == "F"
        let unseen: Set<FileID> = isLost ? [TreeStory.id(new)] : []
        for (local, remote) in [(written, deleted), (deleted, written)] {
            let story = try TreeStory(base: base, local: local, remote: remote)
            #expect(story.plan.unseen == unseen)
            var plan = story.plan
            plan.markUnseen { _ in true }
            if isLost, let file = plan.files[TreeStory.id(new)] {
                #expect(file.diedUnseen && file.diedWithFolder == (dead == "F"))
            }
        }
    }

    /// A move into the folder is undone in the same merge, which nothing else hangs on.
    @Test func `what is new in a folder that goes is not joined with what stands there`() throws {
        for answer in Answer.allCases {
            let story = try TreeStory(
                base: ["F": "f/", "A": "a"],
                local: ["F": "f/", "A": "f/a", "N": "f/n=1"],
                remote: ["F": "†f/", "A": "a", "M": "f/n=2"],
                answer: answer
            )
            #expect(story.result == ["F": "†f/", "A": "a", "N": "‡f/n=1", "M": "f/n=2"])
            #expect(story.notes == [.moveUndone, .trashed])
            #expect(story.plan.unseen == [TreeStory.id("N")])
        }
    }

    @Test func `a second copy is unseen where who deleted the folder had not written it`() throws {
        let base: TreeStory.Drawing = ["A": "f/a.bin=1", "F": "f/"]
        let copy = TreeStory.id("*")
        let deletedHere = try TreeStory(
            base: base,
            local: ["A": "f/a.bin=2", "F": "†f/"],
            remote: ["A": "f/a.bin=3", "F": "f/"]
        )
        #expect(deletedHere.plan.files[copy]?.isDeleted == true)
        #expect(deletedHere.plan.unseen == [TreeStory.id("A")])
        let deletedThere = try TreeStory(
            base: base,
            local: ["A": "f/a.bin=2", "F": "f/"],
            remote: ["A": "f/a.bin=3", "F": "†f/"]
        )
        #expect(deletedThere.plan.files[copy]?.isDeleted == true)
        #expect(deletedThere.plan.unseen == [TreeStory.id("A"), copy])
    }

    @Test(arguments: [("a=1", false), ("a=2", true)])
    func `a decision about words in the trash is none about later ones`(
        other: String,
        isOpen: Bool
    ) throws {
        func file(_ content: String, _ isUnseen: Bool) throws -> File {
            let story = try TreeStory(local: ["A": content], remote: [:])
            var file = try #require(story.plan.files[TreeStory.id("A")])
            file.isDeleted = true
            file.diedUnseen = isUnseen
            return file
        }
        let base = try file("a=1", true)
        let decided = try file("a=1", false)
        let written = try file(other, true)
        let root = try TreeStory.file(TreeStory.root, in: TreeStory.root, "alice", isFolder: true)
        let agreed = SmallTree(files: [root.id: root, base.id: base])
        for (local, remote) in [(decided, written), (written, decided)] {
            let plan = try TreeStory.plan(local: local, remote: remote, agreed: agreed)
            #expect(plan.files[base.id]?.diedUnseen == isOpen)
        }
    }

    @Test func `what was renamed was seen, and what this side may not place is left`() throws {
        let base: TreeStory.Drawing = ["F": "f/", "A": "f/a=1"]
        let renamed = try TreeStory(
            base: base,
            local: ["F": "f/", "A": "f/b=1"],
            remote: ["F": "f/", "A": "†f/a=1"]
        )
        #expect(renamed.notes == [.deleted] && renamed.plan.unseen.isEmpty)

        var plan = try TreeStory(
            base: base,
            local: ["F": "†f/", "A": "f/a=1"],
            remote: ["F": "f/", "A": "f/a=2"]
        ).plan
        #expect(plan.unseen == [TreeStory.id("A")])
        plan.markUnseen { _ in false }
        #expect(plan.files[TreeStory.id("A")]?.isDeleted == false)
    }

    @Test func `the mark goes when the file lives again, and with a deletion of its own`() throws {
        var file = try TreeStory.file(TreeStory.id("A"), in: TreeStory.root, "a", isFolder: false)
        #expect(!file.diedWithFolder)
        file.dieWithFolder()
        #expect(file.isDeleted && file.diedWithFolder)
        let dead = file
        file.dieWithFolder()
        #expect(file == dead)
        file.isDeleted = false
        #expect(!file.diedWithFolder && file.bodyExtension.isEmpty)
        file.isDeleted = true
        file.dieWithFolder()
        #expect(!file.diedWithFolder)
        // What a later format put there stays, and nothing is read into it.
        file = dead
        file.diedWithFolder = false
        #expect(file.isDeleted && !file.diedWithFolder)
        #expect(!file.isSame(as: dead))
    }
}
