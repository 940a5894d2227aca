import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What is decided of the members of an inner share while all of it gets another owner.
extension NestedTransferTests {
    @Test(arguments: [false, true])
    func `who is taken out of the inner one, or may do less there, is not let in as before`(
        isShared: Bool
    ) async throws {
        try await give(laptop, desk)
        try await take(desk)
        if isShared { try await desk.sync() }
        try laptop.lockbook.setShare(.path("/team/sub"), of: "carol", to: nil)
        try laptop.lockbook.setShare(.path("/team/sub"), of: "dan", to: .read)
        try await laptop.sync()
        for _ in 0..<3 { for device in devices { try await device.sync() } }
        #expect(try members() == ["dan read"])
        #expect(try tablet.paths() == ["/from ada/"])
        #expect(try tablet.lockbook.offers().isEmpty)
        try await settle()
    }

    @Test func `who is let into the inner one meanwhile is in the copy`() async throws {
        let paper = try await paper()
        try await give(laptop, desk)
        try await take(desk)
        _ = try await laptop.lockbook.share(.path("/team/sub"), with: "eve", mode: .read)
        try await laptop.sync()
        try await paper.sync()
        let offer = try #require(try paper.lockbook.offers().first)
        _ = try paper.lockbook.acceptShare(id: offer.id)
        try await sync(paper)
        #expect(try members() == ["carol write", "dan write", "eve read"])
        #expect(try await paper.text("/sub/note.md") == "note")
        #expect(try !paper.paths().contains { $0.contains("plan") })
        try await isHandedOver()
    }

    @Test func `another device of the old owner decides of the inner one, and knows of nothing`()
        async throws
    {
        let second = try await people.ada.device(named: "second", like: laptop)
        try await give(laptop, desk)
        try await take(desk)
        for device in [desk, laptop] { try await device.sync() }
        try second.lockbook.setShare(.path("/team/sub"), of: "carol", to: nil)
        let report = try await second.sync()
        #expect(!report.notes.contains { $0.kind == .notDone })
        for _ in 0..<3 { for device in devices + [second] { try await device.sync() } }
        #expect(try members() == ["dan write"])
        #expect(try tablet.paths() == ["/from ada/"])
        #expect(try await second.snapshot() == laptop.snapshot())
        try await settle()
    }

    /// What waits for a move out of the share is taken back after that, and what is in it after both.
    @Test func `that the inner one ends with the rest is no decision to another device`()
        async throws
    {
        let second = try await people.ada.device(named: "second", like: laptop)
        try await give(laptop, desk)
        try await take(desk)
        try await desk.sync()
        try laptop.move("/team/plan.md", to: "/")
        await cutOff(laptop, at: 1)
        try await second.sync()
        for _ in 0..<3 { for device in devices + [second] { try await device.sync() } }
        #expect(try members() == ["carol write", "dan write"])
        #expect(try laptop.lockbook.shares().isEmpty)
        #expect(try await tablet.text("/from ada/part/note.md") == "note")
        try await settle()
    }

    private func paper() async throws -> Device {
        try await Person("eve", on: people.server).firstDevice(named: "paper")
    }

    /// Everybody's syncs often enough, with one more.
    private func sync(_ more: Device) async throws {
        for _ in 0..<4 { for device in devices + [more] { try await device.sync() } }
    }

    @Test func `who comes into the inner one by an invitation meanwhile is in the copy`()
        async throws
    {
        let paper = try await paper()
        let code = try await laptop.lockbook.invite(
            .path("/team/sub"),
            mode: .write,
            lasting: 86_400_000
        ).code
        try await give(laptop, desk)
        try await take(desk)
        try await desk.sync()
        _ = try await paper.lockbook.acceptInvitation(code)
        try await sync(paper)
        #expect(try members() == ["carol write", "dan write", "eve write"])
        #expect(try await paper.text("/sub/note.md") == "note")
        #expect(try !paper.paths().contains { $0.contains("plan") })
    }

    @Test func `what an admin of the inner one decides meanwhile holds in the copy`() async throws {
        let paper = try await paper()
        try laptop.lockbook.setShare(.path("/team/sub"), of: "carol", to: .admin)
        try await settle()
        try await give(laptop, desk)
        try await take(desk)
        try await desk.sync()
        let part = FileReference("/from ada/part")
        _ = try await tablet.lockbook.share(part, with: "eve", mode: .read)
        try tablet.lockbook.setShare(part, of: "dan", to: nil)
        try await tablet.sync()
        try await sync(paper)
        #expect(try members() == ["carol admin", "eve read"])
        #expect(try paper.lockbook.offers().map(\.name) == ["sub"])
        // Dan reads it with all the rest.
        #expect(throws: LockbookError.readOnly(path: "/team/sub/note.md")) {
            try phone.write("/team/sub/note.md", "by dan")
        }
        try await isHandedOver()
    }

    @Test(arguments: [false, true])
    func `the inner one is deleted meanwhile`(isTaken: Bool) async throws {
        try await give(laptop, desk)
        if isTaken {
            try await take(desk)
            try await desk.sync()
        }
        try laptop.delete("/team/sub")
        try await laptop.sync()
        for device in [tablet, desk] { try await device.sync() }
        if !isTaken { try await take(desk) }
        for _ in 0..<3 { for device in devices { try await device.sync() } }
        #expect(try laptop.lockbook.shares().isEmpty)
        #expect(try laptop.lockbook.status().transfers == nil)
        if isTaken { return try await isHandedOver() }
        #expect(try desk.paths() == ["/team/", "/team/plan.md"])
        #expect(try tablet.paths() == ["/from ada/"])
        try await settle()
    }

    @Test func `what the new owner alone had inside is no share any more`() async throws {
        _ = try await laptop.lockbook.share(.path("/team/plan.md"), with: "bob", mode: .read)
        try await settle()
        try await give(laptop, desk)
        try await take(desk)
        #expect(try desk.lockbook.offers().isEmpty)
        // It is looked for in the copy of what is around it alone.
        let plan = LinkTarget(
            owner: try laptop.lockbook.store.read { $0.owner },
            file: try #require(FileID(hex: try laptop.lockbook.info(.path("/team/plan.md")).id))
        )
        try desk.lockbook.store.read { tree in
            let found = try tree.copy(of: plan, by: 1)
            let elsewhere = try tree.copy(of: plan, by: 1) { _ in false }
            #expect(found != nil && elsewhere == nil)
        }
        for device in [desk, laptop] { try await device.syncAsForetold() }
        let notes = try await desk.syncAsForetold().notes
        #expect(
            notes.map { "\($0.kind) \($0.path)" }.sorted() == [
                "transferred /team", "transferred /team/plan.md",
            ]
        )
        try await isHandedOver()
        #expect(try desk.lockbook.shares(of: .path("/team/plan.md")).isEmpty)
    }
}
