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
        #expect(try await laptop.syncAsForetold().notes.map(\.kind) == [.notShared])
        // He is waited for alone.
        let eve = try await Person("eve", on: people.server).firstDevice(named: "netbook")
        try await eve.sync()
        _ = try await laptop.lockbook.share(.path("/team"), with: "eve", mode: .read)
        let shared = try await laptop.syncAsForetold()
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

    @Test func `that somebody else has the name of who is not back is said until it is blocked`()
        async throws
    {
        let laptop = try await ada.firstDevice()
        try laptop.write("/team/plan.md", "plan")
        try laptop.write("/other.md", "other")
        try await laptop.sync()
        try await losing {
            let desk = try await bob.firstDevice(named: "desk")
            try await share("/team", .write, laptop, desk)
        }
        let other = try await Person("bob", on: people.server).firstDevice(named: "other")
        try laptop.write("/other.md", "other, later")

        let changed = LockbookError.keyChanged(username: "bob")
        await #expect(throws: changed) { try await accept(laptop) }
        var trying = SyncOptions()
        trying.isDryRun = true
        await #expect(throws: changed) { try await laptop.sync(trying) }
        var told: [SyncReport] = []
        await #expect(throws: changed) {
            _ = try await laptop.lockbook.sync(unfinished: { told.append($0) })
        }
        let sentence =
            "with bob: the server has other keys under that name than those that were met first; "
            + "the next sync tries again"
        #expect(told.flatMap(\.notes).map(\.detail) == [sentence])
        // All else is done, and who has the name now is offered nothing.
        let phone = try await ada.device(named: "phone", like: laptop)
        #expect(try await phone.text("/other.md") == "other, later")
        try await other.sync()
        #expect(try other.lockbook.offers().isEmpty)

        try await laptop.lockbook.block("bob")
        #expect(try await laptop.syncAsForetold().notes.map(\.detail) == [sentence])
    }

    @Test(arguments: [false, true])
    func `what is thought of who is not back yet waits, and keeps nothing else`(isBlocked: Bool)
        async throws
    {
        let laptop = try await ada.firstDevice()
        try await laptop.sync()
        let tablet = try await carol.firstDevice(named: "tablet")
        try tablet.write("/c.md", "c")
        try await tablet.sync()
        var stranger: Device?
        try await losing {
            let desk = try await bob.firstDevice(named: "desk")
            for note in ["/b.md", "/later.md"] { try desk.write(note, "b") }
            _ = try await desk.lockbook.share(.path("/b.md"), with: "ada", mode: .read)
            try await desk.sync()
            try await laptop.sync()
            let offer = try #require(try laptop.lockbook.offers().first)
            if isBlocked {
                try await laptop.lockbook.block("bob")
            } else {
                try laptop.lockbook.rejectShare(id: offer.id)
            }
            stranger = desk
        }
        let desk = try #require(stranger)

        try await accept(laptop)
        try await laptop.lockbook.block("carol")
        #expect(try await laptop.sync().notes.isEmpty)

        _ = try await tablet.lockbook.share(.path("/c.md"), with: "ada", mode: .read)
        #expect(try await tablet.sync().notes.map(\.kind) == [.notShared])
        // He is told of as soon as he is there.
        try await accept(desk)
        try await laptop.sync()
        _ = try await desk.lockbook.share(.path("/later.md"), with: "ada", mode: .read)
        let later = try await desk.sync()
        let refused: [SyncReport.Note.Kind] = isBlocked ? [.notShared] : []
        #expect(later.notes.map(\.kind) == refused)
    }

    @Test func `who was blocked since the backup is kept out again`() async throws {
        let laptop = try await ada.firstDevice()
        let desk = try await bob.firstDevice(named: "desk")
        try desk.write("/b.md", "b")
        for device in [laptop, desk] { try await device.sync() }
        try await losing {
            try await laptop.lockbook.block("bob")
            try await laptop.sync()
        }
        try await accept(laptop)
        _ = try await desk.lockbook.share(.path("/b.md"), with: "ada", mode: .read)
        #expect(try await desk.sync().notes.map(\.kind) == [.notShared])
    }
}
