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
