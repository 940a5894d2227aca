import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// What the earlier owner's sync brings into the new share, where a content comes late, or never.
struct BroughtOverTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    @Test func `what both changed is brought over once where another content is fetched first`()
        async throws
    {
        let (laptop, desk) = try await changedOnBothSides("late")
        let report = try await laptop.sync()
        #expect(report.notes.count { $0.kind == .keptBoth } == changed.count)
        try await desk.sync()
        #expect(try desk.paths().filter { $0.contains("-") } == copies)
        #expect(try await desk.text("/team/late.md") == "late")
        #expect(try await desk.text("/team/1-1.md") == "ada's")
    }

    @Test func `a note that was brought over is on the device that did it`() async throws {
        let devices = try await members(holding: ["plan.md"])
        let (laptop, desk) = (devices[0], devices[1])
        try await give(laptop, desk)
        try await take(desk)
        try await desk.sync()
        try laptop.write("/team/plan.md", "ada's")
        try await laptop.sync()

        let brought = try laptop.lockbook.info(.path("/team/plan.md"))
        #expect(brought.isHere && !brought.isChanged)
        #expect(try await laptop.text("/team/plan.md") == "ada's")
    }

    @Test func `what is written while all is brought over comes along`() async throws {
        let devices = try await members(holding: ["plan.md"])
        let (laptop, desk) = (devices[0], devices[1])
        let once = Once()
        let lettingGo = try laptop.again(random: once.random)
        try await give(laptop, desk)
        try await take(desk)
        try await desk.sync()
        // More than is sealed in memory.
        try laptop.write("/team/large.txt", String(repeating: "a", count: 300_000))
        once.atDraw(of: 8) { try laptop.write("/team/late.md", "late") }

        let report = try await lettingGo.sync()

        #expect(report.notes.contains { $0.kind == .transferred })
        #expect(try await laptop.text("/team/late.md") == "late")
        try await desk.sync()
        #expect(
            try desk.paths() == ["/team/", "/team/large.txt", "/team/late.md", "/team/plan.md"]
        )
        #expect(try await desk.text("/team/late.md") == "late")
    }

    /// Removes the file of the one content that is too large for the server's database.
    private func loseContent() throws {
        let folder = people.server.path + "/blobs"
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder).filter {
            ($0 as NSString).lastPathComponent.utf8.count == 64
        }
        try #require(files.count == 1)
        for file in files { try FileManager.default.removeItem(atPath: "\(folder)/\(file)") }
    }

    @Test func `what the server lost stays with the earlier owner, and all else is brought over`()
        async throws
    {
        let (laptop, desk) = try await changedOnBothSides(noise(100_000, seed: 1))
        try loseContent()

        for _ in 0..<3 {
            let reason = "the server does not have a content it promised"
            await #expect(
                throws: LockbookError.badContent(path: "/team/late.md", reason: reason)
            ) {
                try await laptop.sync()
            }
            try await desk.sync()
            #expect(try desk.paths().filter { $0.contains("-") } == copies)
            #expect(try laptop.lockbook.status().transfers == nil)
        }
        #expect(try await laptop.text("/team/late.md") == "late.md")
        #expect(try laptop.lockbook.trash().map(\.path) == ["/team"])
    }
}

extension SharingStories {
    /// Names of the notes that `changedOnBothSides` makes two of.
    var changed: [String] { (1...9).map(String.init) }
    /// Where the earlier owner's words are then.
    var copies: [String] { changed.map { "/team/\($0)-1.md" } }

    /// Ada's laptop and bob's desk, who has taken over `/team`: both have written the same notes in it
    /// since, and carol one more in the old share, which the laptop does not have yet.
    func changedOnBothSides(_ late: String) async throws -> (laptop: Device, desk: Device) {
        let devices = try await members(holding: changed.map { "\($0).md" } + ["late.md"])
        let (laptop, desk, tablet) = (devices[0], devices[1], devices[2])
        try await give(laptop, desk)
        try await take(desk)
        try tablet.write("/team/late.md", late)
        try await tablet.sync()
        for name in changed {
            try laptop.write("/team/\(name).md", "ada's")
            try desk.write("/team/\(name).md", "bob's")
        }
        try await desk.sync()
        return (laptop, desk)
    }
}
