import LockbookEngine
import LockbookTestSupport
import Testing

/// Links that have the owner's name for what they lead to, when he renames it.
struct FollowedNameTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers(pageByteCount: 300) }

    /// The name comes with the first part of what is new, which is merged before the next comes.
    @Test(arguments: 1...3)
    func `follow him also where the sync that brings the name breaks off`(pull: Int) async throws {
        let (laptop, all) = try await shared()
        try laptop.move("/team", to: "/crew")
        try await laptop.sync()
        for number in 0..<5 {
            try laptop.write("/crew/\(number).md", "\(number)")
            try await laptop.sync()
        }
        let desk = try all.again(holding: 0)
        for _ in 1..<pull { desk.faults.before("/v1/pull") {} }
        let faults = desk.faults
        faults.before("/v1/pull") { faults.next("/v1/pull", .lost) }
        for _ in 0..<pull { _ = try? await desk.sync() }

        try await desk.sync()
        #expect(try desk.paths().first == "/crew")
        #expect(try !desk.paths().contains("/team"))
        try await converge(bob, desk)
    }

    @Test func `are named by the sync of every device`() async throws {
        let (laptop, desk) = try await shared()
        let phone = try await bob.device(named: "phone", like: desk)
        try laptop.move("/team", to: "/daily")
        try await laptop.sync()
        for device in [desk, phone] {
            let notes = try await device.sync().notes
            let told = notes.map { "\($0.kind) \($0.path) \($0.detail)" }
            #expect(told == ["linkRenamed /daily /team"], "\(device.name)")
        }
    }

    /// - Parameter isRenamed: whether the sync came to name the link, and was killed before it said so.
    @Test(arguments: [false, true])
    func `follow him, and are named, also where the sync is killed between two stores`(
        isRenamed: Bool
    ) async throws {
        let (laptop, desk) = try await shared()
        try laptop.move("/team", to: "/crew")
        try await laptop.sync()
        func kill(_ isKilled: Bool) throws {
            if isRenamed {
                try desk.refuseToNoteNews(isKilled)
            } else {
                try desk.refuseToChangeFiles(isKilled)
            }
        }
        try kill(true)
        await #expect(throws: (any Error).self) { try await desk.sync() }
        try kill(false)
        #expect(try desk.paths() == ["/team", "/team/plan.md"])

        let notes = try await desk.syncAsForetold().notes
        #expect(notes.map { "\($0.kind) \($0.path) \($0.detail)" } == ["linkRenamed /crew /team"])
        #expect(try desk.paths() == ["/crew", "/crew/plan.md"])
        #expect(try await desk.sync().notes == [])
        try await converge(bob, desk)
    }

    @Test func `what goes into a share by its path is said once in each place`() async throws {
        let (laptop, desk) = try await shared()
        try desk.write("/own.md", "own")
        let places: [FileReference] = [.path("/own.md"), .path("/team/new.md"), .path("/none.md")]
        #expect(try desk.lockbook.untoldShares(at: places) == ["/team"])
        #expect(try desk.lockbook.untoldShares(at: places) == ["/team"])
        try desk.lockbook.noteTold(shares: ["/team"])
        #expect(try desk.lockbook.untoldShares(at: places) == [])
        try laptop.move("/team", to: "/daily")
        try await laptop.sync()
        try await desk.sync()
        #expect(try desk.lockbook.untoldShares(at: [.path("/daily/today.md")]) == ["/daily"])
        try desk.lockbook.noteTold(shares: ["/daily"])
        #expect(try desk.lockbook.untoldShares(at: [.path("/daily")]) == [])
    }
}
