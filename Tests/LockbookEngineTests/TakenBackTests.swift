import LockbookEngine
import LockbookTestSupport
import Testing

/// What a member did and may not do any more when he syncs: it is taken back, and what he did around
/// it gives way.
struct TakenBackTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    @Test(arguments: [false, true])
    func `what lives again because its deletion is taken back has the words of its owner`(
        isSharedByItself: Bool
    ) async throws {
        let (laptop, desk) = try await shared()
        try desk.delete("/team/plan.md")
        try laptop.write("/team/plan.md", "ada's new words")
        if isSharedByItself {
            _ = try await laptop.lockbook.share(.path("/team/plan.md"), with: "bob", mode: .write)
        } else {
            try laptop.lockbook.setShare(.path("/team"), of: "bob", to: .read)
        }
        try await laptop.sync()

        let report = try await desk.sync()
        #expect(report.notes.map(\.kind).contains(.undone))
        #expect(try desk.lockbook.validate() == [])
        #expect(
            try desk.lockbook.list(.path("/team/plan.md"), recursive: false).map(\.isHere) == [true]
        )
        #expect(try await desk.text("/team/plan.md") == "ada's new words")
        try await converge(bob, desk)
        try await converge(ada, laptop)
    }

    @Test(arguments: [false, true])
    func `a deleted folder that is shared by itself since comes back with all that is in it`(
        isTheRestTakenBack: Bool
    ) async throws {
        let (laptop, desk) = try await shared(holding: ["part/a.md", "part/b.md", "plan.md"])
        try desk.write("/team/part/b.md", "bob's words")
        try desk.delete("/team/part")
        if isTheRestTakenBack {
            try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        }
        _ = try await laptop.lockbook.share(.path("/team/part"), with: "bob", mode: .write)
        try await laptop.sync()

        let report = try await desk.sync()
        #expect(report.notes.map(\.kind).contains(.undone))
        #expect(try desk.lockbook.validate() == [])
        let part = try laptop.lockbook.info(.path("/team/part")).id
        #expect(try await desk.text("id:\(part)/a.md") == "part/a.md")
        #expect(try await desk.text("id:\(part)/b.md") == "bob's words")
        try await laptop.sync()
        #expect(try await laptop.text("/team/part/b.md") == "bob's words")
        try await converge(bob, desk)
        try await converge(ada, laptop)
    }

    @Test func `what was made in the place of what comes back has another name`() async throws {
        let (laptop, desk) = try await shared(holding: ["plan.md", "part/a.md"])
        try desk.delete("/team/part")
        try desk.write("/team/part/mine.md", "bob's own words")
        try desk.move("/team/plan.md", to: "/team/old.md")
        try desk.write("/team/plan.md", "bob's own plan")
        for path in ["/team/part", "/team/plan.md"] {
            _ = try await laptop.lockbook.share(.path(path), with: "bob", mode: .write)
        }
        try await laptop.sync()

        let report = try await desk.sync()
        let renamed = report.notes.filter { $0.kind == .renamed }
        #expect(renamed.map(\.path).sorted() == ["/team/part-1", "/team/plan-1.md"])
        #expect(renamed.map(\.detail).sorted() == ["part", "plan.md"])
        #expect(report.notes.filter { $0.kind == .undone }.count == 2)
        try await laptop.sync()
        #expect(
            try laptop.paths() == [
                "/team/", "/team/part/", "/team/part/a.md", "/team/part-1/",
                "/team/part-1/mine.md", "/team/plan-1.md", "/team/plan.md",
            ]
        )
        #expect(try await laptop.text("/team/part-1/mine.md") == "bob's own words")
        #expect(try await laptop.text("/team/plan-1.md") == "bob's own plan")
        try await converge(bob, desk)
        try await converge(ada, laptop)
    }

    @Test(arguments: [false, true])
    func `what a copy of the data folder pushed, and is gone since, is not pushed again`(
        isInFolder: Bool
    ) async throws {
        let (laptop, desk) = try await shared()
        let top = isInFolder ? "/team/new" : "/team/new.md"
        try desk.write(isInFolder ? "/team/new/new.md" : "/team/new.md", "new")
        let copy = try desk.twin()
        if isInFolder { try copy.write("/team/new/more.md", "more") }
        try await desk.sync()
        try await laptop.sync()
        try laptop.move(top, to: "/")
        try await laptop.sync()

        let report = try await copy.sync()
        let kinds = report.notes.map(\.kind)
        #expect(kinds.contains(.rescued) && !kinds.contains(.notPushed))
        // What it had told nobody stays with those who saw the folder.
        #expect(try copy.paths().contains("/team/more.md") == isInFolder)
        #expect(try copy.lockbook.status().changes == [])
        try await converge(bob, copy, desk)
        try await converge(ada, laptop)
    }

    @Test(arguments: [false, true])
    func `what moved out of a share into one that is taken back then is not there any more`(
        isNested: Bool
    ) async throws {
        let laptop = try await ada.firstDevice()
        for note in ["team/part/a.md", "team/part/b.md", "other/c.md"] {
            try laptop.write("/\(note)", note)
        }
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        let end = isNested ? "/team" : "/other"
        for path in ["/team/part", end] { try await share(path, .write, laptop, desk) }
        try desk.write("/part/b.md", "bob's words")
        try laptop.move("/team/part/b.md", to: end)
        try await laptop.sync()
        try laptop.lockbook.setShare(.path(end), of: "bob", to: nil)
        try await laptop.sync()

        let report = try await desk.sync()
        #expect(report.notes.allSatisfy { $0.kind != .damaged })
        #expect(try desk.lockbook.validate() == [])
        #expect(try desk.paths() == ["/part", "/part/a.md"])
        let rescued = try #require(report.notes.first { $0.kind == .rescued })
        _ = try desk.lockbook.restore([.id(prefix: rescued.id)])
        #expect(try await desk.text("/part/b.md") == "bob's words")
        try await converge(bob, desk)
        try await converge(ada, laptop)
    }

    @Test(arguments: [false, true])
    func `words in a folder that its owner deleted are kept when it may only be read after`(
        isDeletedHere: Bool
    ) async throws {
        let laptop = try await ada.firstDevice()
        try laptop.write("/all/team/plan.md", "plan")
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        try await share("/all/team", .write, laptop, desk)
        try desk.write("/team/new/new.md", "new words")
        try desk.write("/team/plan.md", "bob's words")
        if isDeletedHere {
            try desk.delete("/team/new")
            try desk.delete("/team/plan.md")
        }
        try laptop.lockbook.setShare(.path("/all/team"), of: "bob", to: nil)
        try laptop.delete("/all/team")
        _ = try await laptop.lockbook.share(.path("/all"), with: "bob", mode: .read)
        try await laptop.sync()

        try await desk.sync()
        #expect(try desk.paths() == (isDeletedHere ? [] : ["/new.md", "/plan.md"]))
        if !isDeletedHere {
            #expect(try await desk.text("/plan.md") == "bob's words")
            #expect(try await desk.text("/new.md") == "new words")
        }
        try await converge(bob, desk)
        try await converge(ada, laptop)
    }

    @Test func `what was deleted here stays deleted when it leaves a share and comes back to it`()
        async throws
    {
        let (laptop, desk) = try await shared(holding: ["deep/a.md", "plan.md"])
        try desk.delete("/team/deep/a.md")
        try laptop.move("/team/deep", to: "/")
        try laptop.move("/deep/a.md", to: "/team/")
        try await laptop.sync()
        try await desk.sync()
        try await laptop.sync()

        #expect(try desk.paths() == ["/team", "/team/plan.md"])
        #expect(try laptop.paths() == ["/deep/", "/team/", "/team/plan.md"])
        try await converge(bob, desk)
        try await converge(ada, laptop)
    }

    @Test(arguments: ["/team/b/", "/team/b/new/"])
    func `a folder that was moved into what comes back below it is moved out again`(place: String)
        async throws
    {
        let (laptop, desk) = try await shared(holding: ["a/b/note.md", "a/plan.md"])
        try desk.move("/team/a/b", to: "/team/")
        try desk.write("\(place)new.md", "new")
        try desk.move("/team/a", to: place)
        try desk.write("/team/a.md", "bob's words")
        try desk.move("/team/a.md", to: "/team/a")
        _ = try await laptop.lockbook.share(.path("/team/a/b"), with: "bob", mode: .write)
        try await laptop.sync()

        let report = try await desk.sync()
        #expect(report.notes.filter { $0.kind == .moveUndone }.map(\.path) == ["/team/a-1"])
        #expect(try await desk.text("/team/a-1/b/note.md") == "a/b/note.md")
        #expect(try await desk.text("/team/a-1/plan.md") == "a/plan.md")
        #expect(try desk.lockbook.validate() == [])
        try await laptop.sync()
        #expect(try await laptop.text("/team/a") == "bob's words")
        try await converge(bob, desk)
        try await converge(ada, laptop)
    }
}
