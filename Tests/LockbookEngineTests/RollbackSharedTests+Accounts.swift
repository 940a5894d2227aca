import LockbookEngine
import LockbookTestSupport
import Testing

/// A backup from before a member had an account.
extension RollbackSharedTests {
    @Test func `what is shared with who is not back yet waits for him`() async throws {
        let laptop = try await ada.firstDevice()
        try laptop.write("/team/plan.md", "plan")
        try laptop.write("/other.md", "other")
        try await laptop.sync()
        var member: Device?
        try await losing {
            let desk = try await bob.firstDevice(named: "desk")
            try await share("/team", .write, laptop, desk)
            try desk.write("/team/words.md", "words")
            try await desk.sync()
            try await laptop.sync()
            try laptop.write("/other.md", "other, later")
            try await laptop.sync()
            member = desk
        }
        let desk = try #require(member)
        try desk.write("/own.md", "own")

        let report = try await accept(laptop)
        #expect(report.notes.contains { $0.kind == .notShared && $0.path == "/team" })
        #expect(try await laptop.sync().notes.map(\.kind) == [.notShared])
        // He is waited for alone.
        let eve = try await Person("eve", on: people.server).firstDevice(named: "netbook")
        try await eve.sync()
        _ = try await laptop.lockbook.share(.path("/team"), with: "eve", mode: .read)
        let shared = try await laptop.sync()
        #expect(
            shared.notes.map(\.detail)
                == ["with bob: there is no such account here; the next sync tries again"]
        )
        try await eve.sync()
        #expect(try eve.lockbook.offers().map(\.name) == ["team"])
        // His account is there again, of what is shared the server knows nothing yet.
        await #expect(throws: LockbookError.self) { try await accept(desk) }

        #expect(try await laptop.sync().notes.isEmpty)
        _ = try await accept(desk)
        try await laptop.sync()
        try await isWhole(bob, desk)
        try await isWhole(ada, laptop)
        #expect(try await laptop.text("/team/words.md") == "words")
        #expect(try await laptop.text("/other.md") == "other, later")
    }
}
