import LockbookEngine
import LockbookTestSupport
import Testing

/// What stood unsynced in a data folder when that was copied, and was pushed and deleted since.
struct TwinDeletionTests: SharingStories {
    let people: Sharers

    init() throws {
        people = try Sharers()
    }

    /// A copy of ada's data folder with `/team/new.md` unsynced, which she has pushed since and bob
    /// has deleted.
    private func twin() async throws -> (laptop: Device, twin: Device) {
        let (laptop, desk) = try await shared()
        try laptop.write("/team/new.md", "one")
        let twin = try laptop.twin()
        try await laptop.sync()
        try await desk.sync()
        try desk.delete("/team/new.md")
        try await desk.sync()
        return (laptop, twin)
    }

    @Test func `what a member deleted stays deleted for a copied data folder that had it unsynced`()
        async throws
    {
        let (laptop, twin) = try await twin()

        try await twin.sync()

        #expect(try twin.paths() == ["/team/", "/team/plan.md"])
        #expect(try twin.lockbook.trash().map(\.path) == ["/team/new.md"])
        try await laptop.sync()
        #expect(try laptop.paths() == ["/team/", "/team/plan.md"])
    }

    @Test func `words that were written to it since in the copy are in the trash with it`()
        async throws
    {
        let (_, twin) = try await twin()
        try twin.write("/team/new.md", "two")

        try await twin.sync()

        #expect(try twin.paths() == ["/team/", "/team/plan.md"])
        let trash = try twin.lockbook.trash()
        #expect(trash.allSatisfy { $0.path.hasPrefix("/team/new") })
        var words: [String] = []
        for file in trash {
            for restored in try twin.lockbook.restore([.id(prefix: file.id)]) {
                words.append(try await twin.text(restored.path))
            }
        }
        #expect(words.contains { $0.contains("two") })
        #expect(words.contains { $0.contains("one") })
    }

    /// - Parameter isTold: whether the copy that has it in the trash says so before the other one syncs.
    @Test(arguments: [false, true])
    func `what one copy took out of a folder that was deleted elsewhere lives in the other too`(
        isTold: Bool
    ) async throws {
        let (laptop, phone) = try await ada.twoDevices(holding: ["k/": "", "k/a.md": "a"])
        try laptop.write("/k/new.md", "precious")
        let twin = try laptop.twin()
        try laptop.move("/k/new.md", to: "/")
        try phone.delete("/k")
        try await phone.sync()
        if isTold {
            try await twin.sync()
        } else {
            twin.faults.next("/v1/push", .lost)
            await #expect(throws: LockbookError.self) { try await twin.sync() }
        }
        #expect(try twin.lockbook.conflicts().map(\.path) == ["/k/new.md"])

        try await laptop.sync()
        try await twin.sync()
        for device in [laptop, twin] {
            #expect(try await device.text("/new.md") == "precious")
            #expect(try device.lockbook.conflicts() == [])
        }
        try await converge(ada, laptop, twin, phone)
        #expect(try await phone.text("/new.md") == "precious")
    }

    /// - Parameters:
    ///   - isTold: whether the copy that has it in the trash says so before the other one syncs.
    ///   - moved: what the other copy took out.
    @Test(arguments: [false, true], ["/k/new", "/k/new/sub"])
    func `so does a new folder that one copy took out of there, with what is in it`(
        isTold: Bool,
        moved: String
    ) async throws {
        let (laptop, phone) = try await ada.twoDevices(holding: ["k/": "", "k/a.md": "a"])
        for path in ["/k/new/", "/k/new/sub/"] { _ = try laptop.lockbook.create(path: path) }
        try laptop.write("/k/new/sub/n.md", "precious")
        let twin = try laptop.twin()
        try laptop.move(moved, to: "/")
        try phone.delete("/k")
        try await phone.sync()
        if isTold {
            try await twin.sync()
        } else {
            twin.faults.next("/v1/push", .lost)
            await #expect(throws: LockbookError.self) { try await twin.sync() }
        }
        #expect(try twin.lockbook.conflicts().map(\.path) == ["/k/new/sub/n.md"])

        try await laptop.sync()
        try await twin.sync()
        let folders = moved == "/k/new" ? ["/new/", "/new/sub/"] : ["/sub/"]
        let note = (folders.last ?? "") + "n.md"
        try await converge(ada, laptop, twin, phone)
        for device in [laptop, twin, phone] {
            #expect(try device.paths() == folders + [note])
            #expect(try await device.text(note) == "precious")
            #expect(try device.lockbook.conflicts() == [])
        }
    }

    @Test func `a new folder that somebody deleted with the one around it stays deleted`()
        async throws
    {
        let laptop = try await ada.firstDevice(holding: ["k/": "", "k/a.md": "a"])
        _ = try laptop.lockbook.create(path: "/k/new/")
        try laptop.write("/k/new/n.md", "precious")
        let twin = try laptop.twin()
        try laptop.move("/k/new", to: "/")
        try twin.delete("/k")
        try await twin.sync()

        try await laptop.sync()
        #expect(try laptop.paths() == [])
        try await converge(ada, laptop, twin)
    }
}
