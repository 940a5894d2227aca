import LockbookEngine
import LockbookTestSupport
import Testing

/// A large content whose upload was cut off, and what becomes of its document before the next sync.
struct PurgedUploadTests {
    private let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    /// A laptop of which a part of `/large.bin` is at the server, and no entry that lists it.
    private func interrupted() async throws -> (laptop: Device, phone: Device) {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "a"])
        try laptop.write("/large.bin", noise(11_000_000, seed: 3))
        // Of three requests with segments the second does not arrive.
        laptop.faults.before("/v1/upload/") { [faults = laptop.faults] in
            faults.next("/v1/upload/", .lost)
        }
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        _ = laptop.faults.takeRequests()
        return (laptop, phone)
    }

    private func uploads(of device: Device) -> Int {
        device.faults.takeRequests().filter { $0.hasPrefix("/v1/upload/") }.count
    }

    @Test func `what was purged is not sent any more`() async throws {
        let (laptop, phone) = try await interrupted()
        _ = try laptop.lockbook.purge([.path("/large.bin")])
        try laptop.write("/c.md", "c")

        let report = try await laptop.sync()

        #expect(uploads(of: laptop) == 0)
        #expect(report.pushed == ["/c.md"])
        #expect(try laptop.lockbook.status().changes == [])
        try await phone.sync()
        #expect(try phone.paths() == ["/a.md", "/c.md"])
    }

    @Test func `what was written anew is sent instead`() async throws {
        let (laptop, phone) = try await interrupted()
        try laptop.write("/large.bin", "small")

        try await laptop.sync()

        #expect(uploads(of: laptop) == 0)
        try await phone.sync()
        #expect(try await phone.text("/large.bin") == "small")
    }

    @Test func `what stayed as it was goes on where it stopped`() async throws {
        let (laptop, phone) = try await interrupted()
        try laptop.write("/c.md", "c")

        let report = try await laptop.sync()

        #expect(uploads(of: laptop) == 2)
        #expect(report.pushed.sorted() == ["/c.md", "/large.bin"])
        try await phone.sync()
        #expect(try await phone.text("/large.bin") == noise(11_000_000, seed: 3))
    }
}
