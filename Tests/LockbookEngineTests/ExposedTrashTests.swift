import LockbookEngine
import LockbookTestSupport
import Testing

/// What lies deleted in a folder when somebody is let into it, or when it comes into a share.
struct ExposedTrashTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    /// Ada's laptop, where three files of `/team` and one of `/old` are deleted, and bob's desk.
    func devices() async throws -> (laptop: Device, desk: Device) {
        let (laptop, _, desk, _) = try await people.devices(
            holding: [
                "team/plan.md": "plan", "team/a.md": "a", "team/deep/b.md": "b",
                "old/c.md": "c", "old/d.md": "d",
            ]
        )
        for path in ["/team/a.md", "/team/deep", "/old/c.md"] { try laptop.delete(path) }
        try await laptop.sync()
        return (laptop, desk)
    }

    func letIn(_ user: String, by device: Device, _ mode: ShareRight) async throws -> Int? {
        try await device.lockbook.share(.path("/team"), with: user, mode: mode).deleted
    }

    func invite(_ device: Device) async throws -> Int {
        try await device.lockbook.invite(.path("/team"), mode: .read, lasting: 86_400_000).deleted
    }

    @Test func `who lets somebody in is told how many deleted files that one reads`() async throws {
        let (laptop, desk) = try await devices()
        #expect(try await letIn("bob", by: laptop, .admin) == 3)
        try await laptop.sync()
        try await desk.sync()
        let offer = try #require(try desk.lockbook.offers().first)
        _ = try desk.lockbook.acceptShare(id: offer.id)
        try await desk.sync()
        #expect(
            try desk.lockbook.trash(isRecursive: true).map(\.path)
                == ["/team/a.md", "/team/deep", "/team/deep/b.md"]
        )
        #expect(try await letIn("carol", by: desk, .read) == 3)
        #expect(try await invite(desk) == 3)

        #expect(try await invite(laptop) == 3)
        #expect(try laptop.lockbook.emptyTrash([.path("/team")]) == 3)
        #expect(try await invite(laptop) == 0)
        #expect(try laptop.lockbook.trash().map(\.path) == ["/old/c.md"])
    }

    @Test func `what is purged before the sync that shares it is read by nobody`() async throws {
        let (laptop, desk) = try await devices()
        _ = try await letIn("bob", by: laptop, .write)
        #expect(try laptop.lockbook.emptyTrash([.path("/team")]) == 3)
        try await laptop.sync()
        try await desk.sync()
        let offer = try #require(try desk.lockbook.offers().first)
        _ = try desk.lockbook.acceptShare(id: offer.id)
        #expect(try desk.lockbook.trash() == [])
    }

    @Test func `a move tells of deleted files that others see by it, and of no others`()
        async throws
    {
        let (laptop, _) = try await devices()
        func exposed(_ path: String, to destination: String) throws -> [Int] {
            try laptop.lockbook.move([.path(path)], to: destination).map(\.exposed)
        }
        _ = try laptop.lockbook.create(path: "/team/in/")
        #expect(try exposed("/old", to: "/team") == [0])
        #expect(try exposed("/team/old", to: "/") == [0])
        // From here on the next sync lets bob in.
        _ = try await letIn("bob", by: laptop, .read)
        #expect(try exposed("/old", to: "/team") == [1])
        #expect(try exposed("/team/old", to: "/team/in") == [0])
        _ = try await laptop.lockbook.share(.path("/team/in"), with: "carol", mode: .read)
        #expect(try exposed("/team/in/old", to: "/team") == [0])
        #expect(try exposed("/team/old", to: "/team/in") == [1])
        try await laptop.sync()
        #expect(try exposed("/team/in/old", to: "/") == [0])
        #expect(try exposed("/old", to: "/team/in") == [1])
        #expect(try exposed("/team/plan.md", to: "/team/in") == [0])
    }

    @Test func `a move tells of deleted files that somebody who is invited will see`() async throws
    {
        let (laptop, _) = try await devices()
        _ = try await invite(laptop)
        #expect(try laptop.lockbook.move([.path("/old")], to: "/team").map(\.exposed) == [1])
    }
}
