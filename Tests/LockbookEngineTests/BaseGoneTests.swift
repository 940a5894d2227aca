import LockbookEngine
import LockbookTestSupport
import Testing

/// What was agreed is gone from the server, and was never on this device.
struct BaseGoneTests {
    let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    @Test func `two versions of a document stay when nobody has what both were made of`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        let phone = try await alice.device(named: "phone", like: laptop)
        try laptop.write("/a.md", "the first text\n")
        try await laptop.sync()
        // It comes to know the document, and not its text.
        phone.faults.next("/v1/blobs", .lost)
        await #expect(throws: LockbookError.self) { try await phone.sync() }
        try phone.write("/a.md", "written on the phone\n")
        for version in 0..<21 {
            try laptop.write("/a.md", "version \(version)\n")
            try await laptop.sync()
        }
        // So much that a checkpoint is signed, behind which the server lets go.
        for number in 0..<300 { try laptop.write("/more/\(number).md", "") }
        try await laptop.sync()
        try await alice.server.collect(afterDays: 100)

        let report = try await phone.sync()

        #expect(report.notes.map(\.kind) == [.keptBoth])
        #expect(try await phone.text("/a.md") == "version 20\n")
        #expect(try await phone.text("/a-1.md") == "written on the phone\n")
        try await laptop.sync()
        #expect(try await laptop.snapshot() == phone.snapshot())
    }

    /// Of a log that takes several answers, each was merged by itself, and the sync could never
    /// end.
    @Test func `a version that was purged later in the log keeps no sync back`() async throws {
        let alice = Person("alice", on: try TestServer(pageByteCount: 300))
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "one\ntwo\nthree\n"])
        try phone.write("/a.md", "one, on the phone\ntwo\nthree\n")
        try laptop.write("/a.md", "one\ntwo\nthree, on the laptop\n")
        try await laptop.sync()
        for number in 0..<5 {
            try laptop.write("/\(number).md", "\(number)")
            try await laptop.sync()
        }
        _ = try laptop.lockbook.purge([.path("/a.md")])
        try await laptop.sync()
        try await alice.server.collect(afterDays: 100)

        let report = try await phone.sync()

        #expect(report.notes.map(\.kind) == [.rescued])
        _ = try phone.lockbook.restore([.path("/a.md")])
        #expect(try await phone.text("/a.md") == "one, on the phone\ntwo\nthree\n")
        try await phone.sync()
        try await laptop.sync()
        #expect(try await laptop.snapshot() == phone.snapshot())
        #expect(try phone.lockbook.validate().isEmpty)
    }
}
