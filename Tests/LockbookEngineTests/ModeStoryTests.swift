import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What a member may do in a share becomes more or less.
struct ModeStoryTests: SharingStories {
    let people: Sharers

    init() throws {
        people = try Sharers()
    }

    @Test(arguments: [ShareRight.read, .admin])
    func `he is told so by his next sync, once`(_ right: ShareRight) async throws {
        let (laptop, desk) = try await shared(.write)
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: right)
        try await laptop.sync()
        var options = SyncOptions()
        options.isDryRun = true
        for report in [try await desk.lockbook.sync(options), try await desk.sync()] {
            #expect(report.notes.map(\.kind) == [.modeChanged])
            #expect(report.notes.map(\.path) == ["/team"])
            #expect(report.notes.map(\.detail) == ["ada, \(right)"])
        }
        #expect(try await desk.sync().notes.isEmpty)
    }

    @Test func `an offer that was not answered is one of another mode`() async throws {
        let (laptop, desk) = try await shared(.write)
        try laptop.write("/more/x.md", "x")
        _ = try await laptop.lockbook.share(.path("/more"), with: "bob", mode: .read)
        try await laptop.sync()
        try await desk.sync()
        try laptop.lockbook.setShare(.path("/more"), of: "bob", to: .write)
        try await laptop.sync()
        #expect(try await desk.sync().notes.isEmpty)
        #expect(try desk.lockbook.offers().map(\.mode) == [.write])
    }
}
