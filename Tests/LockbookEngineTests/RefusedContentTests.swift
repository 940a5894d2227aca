import LockbookEngine
import LockbookTestSupport
import Testing

/// An account without room: what fits is synced, what does not stays here and is told.
struct RefusedContentTests {
    @Test(arguments: [60_000, 600_000, 3_000_000])
    func `one file too large keeps nothing else from being synced`(size: Int) async throws {
        let alice = Person("alice", on: try TestServer(quota: 50_000))
        let (laptop, phone) = try await alice.twoDevices(holding: ["old.md": "old", "b.md": "b"])
        try laptop.write("/a.md", "a")
        try laptop.write("/f/large", noise(size, seed: 1))
        try laptop.write("/z.md", "z")
        try laptop.write("/old.md", "new")
        try laptop.delete("/b.md")
        let report = try await laptop.sync()
        #expect(report.pushed.sorted() == ["/a.md", "/b.md", "/f", "/old.md", "/z.md"])
        #expect(report.notes.map(\.kind) == [.notPushed])
        #expect(report.notes.map(\.path) == ["/f/large"])
        #expect(report.notes.allSatisfy { $0.detail.contains("no room is left") })
        let changes = try laptop.lockbook.status().changes
        #expect(changes.map(\.path) == ["/f/large"])
        #expect(changes.allSatisfy { $0.refused?.contains("no room is left") == true })
        try await phone.sync()
        #expect(try phone.paths() == ["/a.md", "/f/", "/old.md", "/z.md"])

        // Edits go on being synced, both ways, and the file stays whole.
        try phone.write("/z.md", "zz")
        try await phone.sync()
        try laptop.write("/a.md", "aa")
        #expect(try await laptop.sync().pushed == ["/a.md"])
        #expect(try await laptop.text("/z.md") == "zz")
        #expect(try await laptop.text("/f/large") == noise(size, seed: 1))
        try laptop.delete("/f/large")
        #expect(try laptop.lockbook.emptyTrash() == 2)
        try await laptop.sync()
        #expect(try laptop.lockbook.status().changes == [])
        try await converge(alice, laptop, phone)
    }

    @Test func `a member is told that it is the owner who has no room left`() async throws {
        let server = try TestServer(quota: 100_000)
        let laptop = try await Person("ada", on: server).firstDevice()
        let desk = try await Person("bob", on: server).firstDevice(named: "desk")
        try laptop.write("/team/plan.md", "plan")
        try laptop.write("/mine", noise(60_000, seed: 1))
        try await laptop.sync()
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
        try await laptop.sync()
        try await desk.sync()
        let offer = try #require(try desk.lockbook.offers().first)
        _ = try desk.lockbook.acceptShare(id: offer.id)
        try desk.write("/team/large", noise(60_000, seed: 2))
        let told = try await desk.sync().notes
        #expect(told.map(\.path) == ["/team/large"])
        #expect(told.allSatisfy { $0.detail.contains("no room is left for what is ada's") })
        let refused = try desk.lockbook.status().changes.compactMap(\.refused)
        #expect(refused == told.map(\.detail))
    }

    @Test func `what was refused and deleted then is told no more, and comes back from the trash`()
        async throws
    {
        let alice = Person("alice", on: try TestServer(quota: 50_000))
        let laptop = try await alice.firstDevice()
        try laptop.write("/large", noise(60_000, seed: 1))
        try laptop.write("/f/large", noise(60_000, seed: 2))
        #expect(try await laptop.sync().notes.map(\.kind) == [.notPushed, .notPushed])
        try laptop.delete("/large")
        try laptop.delete("/f")
        for _ in 0..<2 { #expect(try await laptop.sync().notes == []) }
        _ = try laptop.lockbook.restore([.path("/large"), .path("/f")])
        #expect(try await laptop.text("/large") == noise(60_000, seed: 1))
        #expect(try await laptop.text("/f/large") == noise(60_000, seed: 2))
        #expect(try await laptop.sync().notes.map(\.path).sorted() == ["/f/large", "/large"])
    }

    @Test func `of many new files as many as fit are synced, the smallest first`() async throws {
        let alice = Person("alice", on: try TestServer(quota: 100_000))
        let laptop = try await alice.firstDevice()
        for number in 1...40 {
            try laptop.write("/\(number)", noise(number * 500, seed: UInt64(number)))
        }
        let report = try await laptop.sync()
        let left = report.notes.filter { $0.kind == .notPushed }
        #expect(report.pushed.count + left.count == 40)
        #expect((10...30).contains(report.pushed.count), "\(report.pushed.count)")
        #expect(
            Set(report.pushed) == Set((1...report.pushed.count).map { "/\($0)" })
        )
        #expect(report.traffic.requests < 40)
        let phone = try await alice.device(named: "phone", like: laptop)
        #expect(try phone.paths().count == report.pushed.count)
        // The next one finds nothing that fits either, and is as good as done.
        #expect(try await laptop.sync().pushed.isEmpty)
    }
}
