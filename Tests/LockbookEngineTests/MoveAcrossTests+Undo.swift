import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What was done to several accounts' trees by one command is taken back by one undo, or not at all.
extension MoveAcrossTests {
    @Test func `what is deleted in several trees is counted, and taken back by one undo`()
        async throws
    {
        let (laptop, desk) = try await shared(.write, holding: ["plan.md", "old/a.md"])
        try desk.write("/a.md", "a")
        #expect(
            try desk.lockbook.delete([
                .path("/a.md"), .path("/team/old"), .path("/team/old/a.md"), .path("/team/plan.md"),
            ]) == 4
        )
        #expect(try desk.paths() == ["/team"])

        let command = try #require(try desk.lockbook.commands().first)
        #expect(command.files == 3)
        #expect(
            Set(try desk.lockbook.undo().changes.map(\.path)) == [
                "/a.md", "/team/old", "/team/plan.md",
            ]
        )
        try await desk.sync()
        try await laptop.sync()
        #expect(try await laptop.text("/team/old/a.md") == "old/a.md")
        #expect(try await desk.text("/a.md") == "a")
    }

    @Test(arguments: [true, false])
    func `undo takes a move over a border back in both trees, and once more`(isSynced: Bool)
        async throws
    {
        let (laptop, desk) = try await shared(.write)
        try desk.write("/idea.md", "idea")
        try await desk.sync()
        _ = try move(desk, ["/idea.md"], to: "/team/")
        if isSynced { try await desk.sync() }
        let before = try await desk.snapshot()

        let tried = try desk.lockbook.undo(isDryRun: true)
        #expect(try await desk.snapshot() == before)
        let done = try desk.lockbook.undo()
        #expect(done.changes == tried.changes)
        #expect(
            Set(done.changes.map { "\($0.change) \($0.path)" }) == [
                "restored /idea.md", "deleted /team/idea.md",
            ]
        )
        #expect(try desk.paths() == ["/idea.md", "/team", "/team/plan.md"])
        #expect(try trash(desk) == ["/team/idea.md"])
        _ = try desk.lockbook.undo()
        #expect(try await desk.snapshot() == before)
        let last = try #require(try desk.lockbook.commands().first)
        _ = try desk.lockbook.undo(last.number, of: last.owner)
        try await desk.sync()
        try await laptop.sync()
        #expect(try laptop.paths() == ["/team/", "/team/plan.md"])
        #expect(try await desk.text("/idea.md") == "idea")
    }

    @Test func `a move of which one side was changed since, or is gone, is not taken back`()
        async throws
    {
        let (laptop, desk) = try await shared(.write)
        for note in ["one.md", "two.md"] { try desk.write("/\(note)", note) }
        _ = try move(desk, ["/one.md"], to: "/team/")
        let first = try #require(try desk.lockbook.commands().first)
        try desk.write("/team/one.md", "changed")
        #expect(throws: LockbookError.cannotUndo(reason: "/team/one.md was changed since")) {
            try desk.lockbook.undo(first.number, of: first.owner)
        }
        #expect(try trash(desk) == ["/one.md"])

        _ = try move(desk, ["/two.md"], to: "/team/")
        let second = try #require(try desk.lockbook.commands().first)
        try await desk.sync()
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        try await desk.sync()
        #expect(throws: LockbookError.self) {
            try desk.lockbook.undo(second.number, of: second.owner)
        }
        #expect(try trash(desk).contains("/two.md"))
        _ = try desk.lockbook.restore([.path("/two.md")])
        #expect(try await desk.text("/two.md") == "two.md")
    }
}
