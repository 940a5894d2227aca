import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What was shared since the backup, and is not shared again, or taken back since.
extension RollbackSharedTests {
    /// Bob's words in `/team`, synced and not, which was shared with him since the backup.
    private func lostShare(_ change: (Device) async throws -> Void = { _ in }) async throws -> (
        laptop: Device, desk: Device
    ) {
        try await sharedSince { laptop, desk in
            try desk.write("/team/words.md", "words")
            try await desk.sync()
            try await laptop.sync()
            try desk.write("/team/late.md", "late")
            try await change(laptop)
        }
    }

    /// What ada shares, as bob's desk has it.
    private func shared(by laptop: Device, on desk: Device) throws -> LocalStore {
        let owner = laptop.lockbook.store.context.owner
        return try LocalStore(StoreContext(desk.lockbook.store, of: owner))
    }

    private func lines(_ report: SyncReport) -> [String] {
        report.notes.map { "\($0.kind) \($0.path)" }
    }

    /// Nothing is behind the link any more, and all that bob wrote is his own.
    private func isSettled(_ desk: Device, _ words: [String] = ["/late.md", "/words.md"])
        async throws
    {
        #expect(try desk.paths() == words)
        #expect(try await desk.text("/late.md") == "late")
        #expect(try await desk.text("/words.md") == "words")
        try await isWhole(bob, desk)
        #expect(try desk.lockbook.offers().isEmpty)
    }

    /// The words of bob are named, counted, read and kept.
    private func isWaiting(_ desk: Device, _ words: [String]) async throws {
        for _ in 1...2 {
            let notes = try await desk.sync().notes
            #expect(notes.map(\.kind) == [.notPushed])
            #expect(notes.map(\.path) == ["/team"])
            #expect(notes.allSatisfy { $0.detail.contains("until ada shares it again") })
        }
        let changes = try desk.lockbook.status().changes
        #expect(changes.map(\.path) == words)
        #expect(changes.allSatisfy { $0.heldBack?.contains("ada") ?? false })
        #expect(throws: LockbookError.self) { try desk.lockbook.logout(force: false) }
        #expect(try await desk.text("/team/late.md") == "late")
    }

    @Test func `what is taken back on the server that was put back leaves his words to a member`()
        async throws
    {
        let (laptop, desk) = try await lostShare()
        let before = try desk.paths()
        try await accept(laptop)
        try await takeBack(laptop)
        let error = await #expect(throws: LockbookError.self) { try await desk.sync() }
        guard case .rolledBack = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try desk.paths() == before)

        // That the server shows him nothing of it any more is signed by nobody.
        try await accept(desk)
        try await isWaiting(desk, ["/team/late.md", "/team/words.md"])
        try await accept(desk)
        try await isWaiting(desk, ["/team/late.md", "/team/words.md"])
        try await isLeft(desk)
    }

    /// Leaves what waits for ada.
    private func isLeft(_ desk: Device) async throws {
        try desk.lockbook.leaveShare(.path("/team"))
        let report = try await desk.sync()
        #expect(lines(report) == ["keptOwn /late.md", "keptOwn /words.md"])
        // By what ada calls it, as no link leads there any more.
        #expect(report.notes.map(\.detail) == ["team/late.md", "team/words.md"])
        try await isSettled(desk)
    }

    @Test func `what waits for its owner is given back where its link was deleted`() async throws {
        let (laptop, desk) = try await lostShare { try await takeBack($0) }
        try await accept(laptop)
        try await accept(desk)
        try desk.delete("/team")
        _ = try desk.lockbook.emptyTrash()
        #expect(try await desk.sync().notes.contains { $0.kind == .keptOwn })
        try await isSettled(desk)
    }

    @Test func `what an earlier program went back in to its beginning waits, too`() async throws {
        let (laptop, desk) = try await lostShare()
        try await accept(desk)
        try await accept(laptop)
        try await takeBack(laptop)
        try shared(by: laptop, on: desk).write { _ = try $0.rewind(to: nil) }
        try await isWaiting(desk, ["/team/late.md", "/team/words.md"])
        try await accept(desk)
        try await isWaiting(desk, ["/team/late.md", "/team/words.md"])
        try await isLeft(desk)
    }

    @Test func `what is taken back after a member had accepted is named until he leaves it`()
        async throws
    {
        let (laptop, desk) = try await lostShare()
        try await accept(desk)
        try await isWaiting(desk, ["/team/late.md"])
        try await accept(laptop)
        try await takeBack(laptop)
        try await isWaiting(desk, ["/team/late.md"])
        try await accept(desk)
        try await isWaiting(desk, ["/team/late.md", "/team/words.md"])
        try await isLeft(desk)
    }

    @Test func `what was taken back before the server was put back waits until it is left`()
        async throws
    {
        let (laptop, desk) = try await lostShare { try await takeBack($0) }
        try await accept(laptop)
        for _ in 1...2 { try await accept(desk) }
        try await isWaiting(desk, ["/team/late.md"])
        try desk.write("/team/later.md", "later")
        try await isWaiting(desk, ["/team/late.md", "/team/later.md"])

        try desk.lockbook.leaveShare(.path("/team"))
        let report = try await desk.sync()
        #expect(
            lines(report) == ["keptOwn /late.md", "keptOwn /later.md", "keptOwn /words.md"]
        )
        try await isSettled(desk, ["/late.md", "/later.md", "/words.md"])
    }

    @Test func `what waits for its owner is found, and stays in a mirror`() async throws {
        let (laptop, desk) = try await lostShare()
        let place = try Place()
        let mirror = ExportOptions.mirroring
        try await place.export(desk, mirror)
        let before = try place.facts().keys.sorted()
        #expect(before.contains("team/late.md"))
        try await accept(desk)
        try await isWaiting(desk, ["/team/late.md"])

        #expect(try await place.export(desk, mirror).removed == 0)
        #expect(try place.facts().keys.sorted() == before)
        // Shared again it is what it was.
        try await accept(laptop)
        #expect(try await desk.sync().notes.isEmpty)
        try await isWhole(bob, desk)
        try await laptop.sync()
        #expect(try await laptop.text("/team/late.md") == "late")
    }

    /// Bob's words in `/club` and `/team`, of both of which the server that was put back knows nothing.
    /// - Parameter isFollowed: whether he has something else of ada's, which it knows.
    private func lostShares(isFollowed: Bool) async throws -> (laptop: Device, desk: Device) {
        let laptop = try await ada.firstDevice()
        let desk = try await bob.firstDevice(named: "desk")
        for path in ["/club/plan.md", "/kept.md", "/team/plan.md"] {
            try laptop.write(path, "plan")
        }
        try await laptop.sync()
        if isFollowed { try await share("/kept.md", .read, laptop, desk) }
        try await losing {
            try await share(["/club", "/team"], .write, laptop, desk)
            try desk.write("/club/more.md", "more")
            try desk.write("/team/words.md", "words")
            try await desk.sync()
            try await laptop.sync()
            try desk.write("/team/late.md", "late")
        }
        try await accept(desk)
        return (laptop, desk)
    }

    @Test(arguments: [false, true], [false, true])
    func `of two shares that wait for their owner one is left, and the other one waits`(
        isFollowed: Bool,
        isKilled: Bool
    ) async throws {
        let (laptop, desk) = try await lostShares(isFollowed: isFollowed)
        try desk.lockbook.leaveShare(.path("/team"))
        let store = try shared(by: laptop, on: desk)
        let followed = try desk.lockbook.store.read { try $0.followed() }
        #expect(followed.contains(store.context.owner) == isFollowed)
        if isKilled {
            // A sync came as far as this.
            let owner = store.context.owner
            let links = Set(try desk.lockbook.store.read { try $0.links(to: owner) }.keys)
            try store.write { try $0.letGoOfLeft(besides: links, isFollowed: isFollowed) }
        }
        let left = try await desk.sync()
        #expect(lines(left) == ["notPushed /club", "keptOwn /late.md", "keptOwn /words.md"])
        #expect(try await desk.text("/late.md") == "late")
        #expect(try await desk.text("/words.md") == "words")
        #expect(try await desk.text("/club/more.md") == "more")
        #expect(try await lines(desk.sync()) == ["notPushed /club"])
        #expect(try desk.lockbook.validate() == [])

        // Shared again that is what it was, and what was left stays bob's own.
        try await accept(laptop)
        try await desk.sync()
        try await laptop.sync()
        #expect(try await laptop.text("/club/more.md") == "more")
        #expect(try await desk.text("/late.md") == "late")
        #expect(try desk.lockbook.status().changes == [])
    }

    @Test(arguments: [false, true])
    func `shares that wait for their owner are left one after the other`(isFollowed: Bool)
        async throws
    {
        let (_, desk) = try await lostShares(isFollowed: isFollowed)
        for (path, words) in [("/team", ["/late.md", "/words.md"]), ("/club", ["/more.md"])] {
            try desk.lockbook.leaveShare(.path(path))
            let kept = try await desk.sync().notes.filter { $0.kind == .keptOwn }.map(\.path)
            #expect(kept == words)
        }
        let rest = isFollowed ? ["/kept.md"] : []
        let own = (["/late.md", "/more.md", "/words.md"] + rest).sorted()
        #expect(try desk.paths() == own)
        try await isWhole(bob, desk)
    }
}
