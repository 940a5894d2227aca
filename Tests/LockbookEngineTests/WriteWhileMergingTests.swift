import LockbookEngine
import LockbookTestSupport
import Testing

/// What is changed on a device while its sync is at work.
struct WriteWhileMergingTests {
    let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    /// Of three conflicts one is joined already when the notes are written anew, two are not.
    @Test func `a note that is written after its conflict was joined keeps what was written`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(
            holding: ["a.md": "old", "b.md": "old", "c.md": "old"]
        )
        for path in ["/a.md", "/b.md", "/c.md"] {
            try laptop.write(path, "here \(path)")
            try phone.write(path, "there \(path)")
        }
        try await phone.sync()

        laptop.faults.before("/v1/blobs") {}
        laptop.faults.before("/v1/blobs") {
            for path in ["/a.md", "/b.md", "/c.md"] { try laptop.write(path, "newest \(path)") }
        }
        try await laptop.sync()

        try await converge(alice, laptop, phone)
        for path in ["/a.md", "/b.md", "/c.md"] {
            let text = try await phone.text(path)
            #expect(text.contains("newest \(path)"))
            #expect(text.contains("there \(path)"))
        }
    }

    @Test func `what is moved back while its move is pushed stays where it is`() async throws {
        let (laptop, phone) = try await alice.twoDevices(
            holding: ["/left/": "", "/right/": "", "/left/a.md": "text", "/left/b.md": "text"]
        )
        try laptop.move("/left/a.md", to: "/right/")
        try laptop.write("/left/b.md", "changed")
        laptop.faults.before("/v1/push") {
            try laptop.move("/right/a.md", to: "/left/")
            try laptop.write("/left/b.md", "text")
        }
        try await laptop.sync()

        try await converge(alice, laptop, phone)
        #expect(try phone.paths() == ["/left/", "/left/a.md", "/left/b.md", "/right/"])
        #expect(try await phone.text("/left/b.md") == "text")
    }
}
