import LockbookEngine
import LockbookTestSupport
import Testing

/// How a member's move is told that does not hold.
struct UndoneMoveTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    @Test func `a move out of what became a share of its own is told by paths that lead somewhere`()
        async throws
    {
        let (laptop, desk) = try await shared(holding: ["z.md"])
        try laptop.write("/team/in/list.md", "one\ntwo\nthree\n")
        try await laptop.sync()
        try await desk.sync()
        _ = try await carol.firstDevice(named: "tablet")
        _ = try await laptop.lockbook.share(.path("/team/in"), with: "carol", mode: .read)
        try laptop.write("/team/in/list.md", "one\ntwo\nthree\nfour\n")
        try await laptop.sync()
        try desk.move("/team/in/list.md", to: "/team/")
        try desk.write("/team/list.md", "zero\none\ntwo\nthree\n")

        let report = try await desk.sync()
        #expect(
            report.notes.map { "\($0.kind) \($0.path) \($0.detail)" }
                == ["merged /team/in/list.md ", "moveUndone /team/in/list.md /team/list.md"]
        )
        #expect(try await desk.text("/team/in/list.md") == "zero\none\ntwo\nthree\nfour\n")
    }

    @Test func `a move that is undone before the server is lost is told by that sync`()
        async throws
    {
        let (laptop, desk) = try await shared(holding: ["part/a.md", "b.md", "c.md"])
        try desk.move("/team/b.md", to: "/team/part/")
        try desk.write("/team/c.md", "more")
        _ = try await laptop.lockbook.share(.path("/team/part"), with: "bob", mode: .write)
        try await laptop.sync()
        desk.faults.next("/v1/push", .lost)

        var told: [SyncReport.Note] = []
        await #expect(throws: LockbookError.self) {
            _ = try await desk.lockbook.sync(unfinished: { told = $0.notes })
        }
        #expect(
            told.map { "\($0.kind) \($0.path) \($0.detail)" }
                == ["moveUndone /team/b.md /team/part/b.md"]
        )
        let report = try await desk.sync()
        #expect(report.notes == [] && report.pushed == ["/team/c.md"])
        try await laptop.sync()
        #expect(try await laptop.text("/team/b.md") == "b.md")
        try await converge(bob, desk)
    }
}
