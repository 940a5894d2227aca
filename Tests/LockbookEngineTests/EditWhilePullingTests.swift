import LockbookEngine
import LockbookTestSupport
import Testing

/// A document that is open in an editor while a sync tells of another device's version, whose
/// content it has not brought yet.
struct EditWhilePullingTests {
    @Test func `a save fetches what it has to be merged with`() async throws {
        let alice = Person("alice", on: try TestServer())
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "one\ntwo\nthree\n"])
        try phone.write("/a.md", "one\ntwo\nthree, there\n")
        try await phone.sync()
        var session = try await laptop.lockbook.beginEdit(.path("/a.md"))
        let edited = Array("one, here\ntwo\nthree\n".utf8)
        laptop.faults.next("/v1/blobs", .lost)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        #expect(throws: LockbookError.contentNotHere(path: "/a.md")) {
            try laptop.lockbook.save(&session, bytes: edited)
        }
        let result = try await laptop.lockbook.saveFetching(&session, bytes: edited)
        #expect(result == .merged(conflicts: 0))
        #expect(try await laptop.text("/a.md") == "one, here\ntwo\nthree, there\n")
        try await converge(alice, laptop, phone)
    }

    @Test(arguments: [1, 300_000])
    func `what is to be added is kept while that is fetched to which it is added`(size: Int)
        async throws
    {
        let alice = Person("alice", on: try TestServer())
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "one\n"])
        try phone.write("/a.md", "one\ntwo\n")
        try await phone.sync()
        laptop.faults.next("/v1/blobs", .lost)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        var source: [UInt8]? = [UInt8](repeating: UInt8(ascii: "x"), count: size)
        // As another process does.
        func fetch() throws { try laptop.write("/a.md", "fetched\n") }
        try laptop.lockbook.write(.path("/a.md"), append: true, fetching: fetch) {
            defer { source = nil }
            return source
        }
        let text = try await laptop.text("/a.md")
        #expect(text == "fetched\n" + String(repeating: "x", count: size))
    }
}
