import LockbookModel
import Testing

/// Every example that the description of Sync v3 tells of two devices, as merges.
struct SyncV3ExampleTests {
    @Test func `a client creates a file on each of two clients with the same name and parent`()
        throws
    {
        let story = try TreeStory(local: ["L": "notes.txt=1"], remote: ["R": "notes.txt=2"])
        #expect(story.result == ["L": "notes-1.txt=1", "R": "notes.txt=2"])
        #expect(story.notes == [.renamed])
    }

    @Test func `if there is already a notes-1 it is named notes-2 instead`() throws {
        let there = try TreeStory(
            base: ["A": "notes-1.txt"],
            local: ["A": "notes-1.txt", "L": "notes.txt=1"],
            remote: ["A": "notes-1.txt", "R": "notes.txt=2"]
        )
        #expect(there.result["L"] == "notes-2.txt=1")
        let arriving = try TreeStory(
            local: ["L": "notes.txt=1"],
            remote: ["R": "notes.txt=2", "S": "notes-1.txt=3"]
        )
        #expect(arriving.result["L"] == "notes-2.txt=1")
    }

    @Test func `folder A is moved into B on one client and B into A on the other`() throws {
        let story = try TreeStory(
            base: ["A": "a/", "B": "b/"],
            local: ["A": "b/a/", "B": "b/"],
            remote: ["A": "a/", "B": "a/b/"]
        )
        #expect(story.result == ["A": "a/", "B": "a/b/"])
        #expect(story.notes == [.moveUndone])
    }

    @Test func `a folder is moved into a subfolder of a third, and the third into the first`()
        throws
    {
        let story = try TreeStory(
            base: ["A": "a/", "B": "c/b/", "C": "c/"],
            local: ["A": "a/", "B": "a/c/b/", "C": "a/c/"],
            remote: ["A": "c/b/a/", "B": "c/b/", "C": "c/"]
        )
        #expect(story.result == ["A": "c/b/a/", "B": "c/b/", "C": "c/"])
        #expect(story.notes == [.moveUndone])
    }

    @Test func `a document is moved out of a folder, then another client deletes the folder`()
        throws
    {
        let base: TreeStory.Drawing = ["F": "f/", "D": "f/d"]
        let moved: TreeStory.Drawing = ["F": "f/", "D": "d"]
        let deleted: TreeStory.Drawing = ["F": "†f/", "D": "f/d"]
        // Sync v3 loses the document when the deletion is synced first; here the move rescues it.
        for (local, remote) in [(deleted, moved), (moved, deleted)] {
            let story = try TreeStory(base: base, local: local, remote: remote)
            #expect(story.result == ["F": "†f/", "D": "d"])
            #expect(story.notes == [])
        }
    }

    @Test func `an existing file is renamed to the name of a new one`() throws {
        let renamed: TreeStory.Drawing = ["A": "new.md"]
        let created: TreeStory.Drawing = ["A": "a.md", "N": "new.md=1"]
        let first = try TreeStory(base: ["A": "a.md"], local: renamed, remote: created)
        #expect(first.result == ["A": "new-1.md", "N": "new.md=1"])
        let second = try TreeStory(base: ["A": "a.md"], local: created, remote: renamed)
        #expect(second.result == ["A": "new.md", "N": "new-1.md=1"])
    }

    @Test func `a file is moved into a folder where its name was taken meanwhile`() throws {
        let story = try TreeStory(
            base: ["F": "f/", "A": "a.md"],
            local: ["F": "f/", "A": "f/a.md"],
            remote: ["F": "f/", "A": "a.md", "N": "f/a.md=1"]
        )
        #expect(story.result == ["F": "f/", "A": "f/a-1.md", "N": "f/a.md=1"])
    }

    @Test func `an edit conflict is resolved by saving a copy with a new name`() throws {
        let story = try TreeStory(
            base: ["A": "a.bin=1"],
            local: ["A": "a.bin=2"],
            remote: ["A": "a.bin=3"]
        )
        #expect(story.result == ["A": "a.bin=3", "*": "a-1.bin=2"])
        #expect(story.notes == [.keptBoth])
    }

    @Test func `two files share a name and parent if one or both of them are deleted`() throws {
        for (local, remote) in [("†a", "a"), ("a", "†a"), ("†a", "†a")] {
            let story = try TreeStory(local: ["L": local], remote: ["R": remote])
            #expect(story.result == ["L": local, "R": remote])
            #expect(story.notes == [])
        }
    }

    @Test func `a folder is deleted and synced, then another client moves a file into it`() throws {
        let base: TreeStory.Drawing = ["F": "f/", "A": "a"]
        let moved: TreeStory.Drawing = ["F": "f/", "A": "f/a"]
        let deleted: TreeStory.Drawing = ["F": "†f/", "A": "a"]
        for (local, remote) in [(deleted, moved), (moved, deleted)] {
            let story = try TreeStory(base: base, local: local, remote: remote)
            #expect(story.result == deleted)
            #expect(story.notes == [.moveUndone])
        }
    }

    @Test func `content conflicts are resolved before path conflicts`() throws {
        let story = try TreeStory(
            base: ["A": "a.bin=1"],
            local: ["A": "a.bin=2"],
            remote: ["A": "a.bin=3", "N": "a-1.bin=1"]
        )
        #expect(story.result == ["A": "a.bin=3", "N": "a-1.bin=1", "*": "a-2.bin=2"])
    }

    @Test func `cycles are resolved before path conflicts`() throws {
        let story = try TreeStory(
            base: ["A": "a/", "B": "b/"],
            local: ["A": "b/a/", "B": "b/"],
            remote: ["A": "c/", "B": "c/b/", "N": "a=1"]
        )
        #expect(story.result == ["A": "c/", "B": "c/b/", "N": "a=1"])
        let taken = try TreeStory(
            base: ["A": "a/", "B": "b/"],
            local: ["A": "b/x/", "B": "b/"],
            remote: ["A": "a/", "B": "a/b/", "N": "x=1"]
        )
        #expect(taken.result == ["A": "x-1/", "B": "x-1/b/", "N": "x=1"])
        #expect(taken.notes == [.moveUndone, .renamed])
    }

    @Test func `a file is moved out of a folder and a new one of its name made there`() throws {
        let base: TreeStory.Drawing = ["F": "f/", "A": "f/a"]
        let changed: TreeStory.Drawing = ["F": "f/", "A": "a", "N": "f/a=1"]
        for (local, remote) in [(changed, base), (base, changed)] {
            let story = try TreeStory(base: base, local: local, remote: remote)
            #expect(story.result == changed)
            #expect(story.notes == [])
        }
    }

    @Test func `a file is renamed and back while a file of its name was made and moved away`()
        throws
    {
        // Trees are compared, not the steps: only the new file is a change.
        let base: TreeStory.Drawing = ["A": "a", "F": "f/"]
        let local: TreeStory.Drawing = ["A": "a", "F": "f/", "B": "f/a=1"]
        let story = try TreeStory(base: base, local: local, remote: base)
        #expect(story.result == local)
        #expect(story.plan.files.count == 1)
    }

    @Test func `a file is moved on device A and renamed on device B, then both sync`() throws {
        let base: TreeStory.Drawing = ["A": "a", "F": "f/"]
        let moved: TreeStory.Drawing = ["A": "f/a", "F": "f/"]
        let renamed: TreeStory.Drawing = ["A": "b", "F": "f/"]
        for (local, remote) in [(moved, renamed), (renamed, moved)] {
            let story = try TreeStory(base: base, local: local, remote: remote)
            #expect(story.result == ["A": "f/b", "F": "f/"])
            #expect(story.notes == [])
        }
    }

    @Test func `another client renames a file and back`() throws {
        let story = try TreeStory(base: ["A": "a"], local: ["A": "b=1"], remote: ["A": "a"])
        #expect(story.result == ["A": "b=1"])
    }

    @Test func `the client whose updates reached the server first names and places a file`() throws
    {
        let story = try TreeStory(
            base: ["A": "a", "F": "f/", "G": "g/"],
            local: ["A": "f/b", "F": "f/", "G": "g/"],
            remote: ["A": "g/c", "F": "f/", "G": "g/"]
        )
        #expect(story.result["A"] == "g/c")
        #expect(story.plan.notes.map(\.kind) == [.moveUndone, .renameUndone])
        #expect(story.plan.notes.last?.name?.text == "b")
    }

    @Test func `either client deleted a file and the other did not`() throws {
        for (local, remote) in [("†a", "b=2"), ("b=2", "†a")] {
            let story = try TreeStory(base: ["A": "a"], local: ["A": local], remote: ["A": remote])
            #expect(story.result["A"] == "†b=2")
            #expect(story.notes == [.deleted])
        }
        let unchanged = try TreeStory(base: ["A": "a"], local: ["A": "†a"], remote: ["A": "a"])
        #expect(unchanged.result == ["A": "†a"])
        #expect(unchanged.notes == [])
    }
}
