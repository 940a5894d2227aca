import LockbookEngine
import LockbookTestSupport
import Testing

/// More of what is shared by itself was changed than one entry has room for.
struct ManyScopesTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    @Test func `it is pushed, and purged, by several entries`() async throws {
        let first = try await ada.firstDevice()
        let laptop = try first.again(ofScopes: 2)
        let desk = try await bob.firstDevice(named: "desk")
        let paths = (1...5).map { "/\($0).md" }
        for path in paths { try laptop.write(path, "old") }
        try await laptop.sync()
        try await share(paths, .write, laptop, desk)
        func pushes() -> Int { laptop.faults.takeRequests().count { $0 == "/v1/push" } }

        for path in paths { try laptop.write(path, "new") }
        _ = pushes()
        #expect(try await laptop.sync().pushed == paths)
        #expect(pushes() == 3)
        try await desk.sync()
        for path in paths { #expect(try await desk.text(path) == "new") }

        _ = try laptop.lockbook.purge(paths.map { .path($0) })
        #expect(try await Set(laptop.sync().purged) == Set(paths))
        #expect(pushes() == 3)
        try await desk.sync()
        #expect(try desk.paths() == [])
        try await converge(bob, desk)
        try await converge(ada, first)
    }

    @Test func `what wants the name of one that has no room waits for it`() async throws {
        let first = try await ada.firstDevice()
        let laptop = try first.again(ofScopes: 2)
        let desk = try await bob.firstDevice(named: "desk")
        let paths = (1...3).map { "/\($0).md" }
        for path in paths { try laptop.write(path, path) }
        try await laptop.sync()
        try await share(paths, .write, laptop, desk)

        try laptop.write("/1.md", "new")
        try laptop.move("/2.md", to: "/other.md")
        try laptop.move("/3.md", to: "/2.md")
        try laptop.move("/other.md", to: "/3.md")
        _ = laptop.faults.takeRequests()
        #expect(try await laptop.sync().notes == [])
        #expect(laptop.faults.takeRequests().count { $0 == "/v1/push" } == 2)
        let phone = try await ada.device(named: "phone", like: first)
        try await phone.sync()
        #expect(try await phone.text("/1.md") == "new")
        #expect(try await phone.text("/2.md") == "/3.md")
        #expect(try await phone.text("/3.md") == "/2.md")
    }
}
