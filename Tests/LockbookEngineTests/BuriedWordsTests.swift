import LockbookEngine
import LockbookTestSupport
import Testing

/// What a member wrote in what is shared by itself, when its owner moved that into a folder that the
/// member deleted.
struct BuriedWordsTests: SharingStories {
    let people: Sharers

    init() throws {
        people = try Sharers()
    }

    @Test(arguments: [false, true])
    func `what was written in a share that came into a folder deleted here is one's own`(
        isMoved: Bool
    ) async throws {
        let (laptop, desk) = try await shared(.admin, holding: ["x/b.md", "z/a.md"])
        for path in ["/team/z", "/team/z/a.md"] {
            _ = try await laptop.lockbook.share(.path(path), with: "bob", mode: .admin)
        }
        try await laptop.sync()
        try await desk.sync()
        try desk.write("/team/z/a.md", "mine")
        if isMoved { try desk.move("/team/x", to: "/") } else { try desk.delete("/team/x") }
        try laptop.move("/team/z", to: "/team/x")
        try await laptop.sync()

        let report = try await desk.sync()
        #expect(report.notes.contains { $0.kind == .keptOwn && $0.path == "/a.md" })

        try await desk.sync()
        try await laptop.sync()
        try await desk.sync()
        #expect(try await desk.text("/a.md") == "mine")
        #expect(try await desk.sync().pushed.isEmpty)
    }
}
