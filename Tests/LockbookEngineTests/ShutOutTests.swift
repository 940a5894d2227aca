import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What was written here, and not synced yet, of what another member signs nonsense over.
struct ShutOutTests: SharingStories {
    let people: Sharers

    init() throws {
        people = try Sharers()
    }

    private func members() async throws -> (laptop: Device, desk: Device, intruder: Intruder) {
        let (laptop, desk) = try await shared(holding: ["plan.md", "sub/a.md"])
        let cafe = try await bob.device(named: "cafe", like: desk)
        return (laptop, desk, try Intruder(cafe, in: "/team"))
    }

    private func everything(on device: Device) async throws -> String {
        var all = ""
        for path in try device.paths() where path.hasSuffix(".md") && !path.contains("damaged-") {
            all += try await device.text(path)
        }
        return all
    }

    @Test func `words in a note stay, in a file of their own`() async throws {
        let (laptop, desk, intruder) = try await members()
        try desk.write("/team/plan.md", "words of the desk")
        try await intruder.write(.body, over: "plan.md")

        let report = try await desk.sync()

        #expect(report.notes.contains { $0.kind == .rescued })
        #expect(try await everything(on: desk).contains("words of the desk"))
        try await laptop.sync()
        try await desk.sync()
        try await laptop.sync()
        #expect(try await everything(on: desk).contains("words of the desk"))
        #expect(try await laptop.text("/team/plan.md") == "plan.md")
        #expect(try await everything(on: laptop).contains("words of the desk"))
    }

    @Test(arguments: [Intruder.Nonsense.wrappedKey, .body])
    func `a new note in a folder stays, and ends no sync`(_ nonsense: Intruder.Nonsense)
        async throws
    {
        let (laptop, desk, intruder) = try await members()
        try desk.write("/team/sub/new.md", "new words")
        try desk.write("/team/sub/more/newer.md", "newer words")
        _ = try desk.lockbook.create(path: "/team/sub/empty.md")
        try await intruder.write(nonsense, over: "sub")

        try await desk.sync()

        #expect(try await everything(on: desk).contains("new words"))
        #expect(try await everything(on: desk).contains("newer words"))
        try await laptop.sync()
        try await desk.sync()
        try await laptop.sync()
        #expect(try laptop.paths().contains { $0.hasSuffix("/empty.md") })
        #expect(try await laptop.text("/team/sub/a.md") == "sub/a.md")
        #expect(try await everything(on: laptop).contains("new words"))
        #expect(try await everything(on: laptop).contains("newer words"))
    }
}
