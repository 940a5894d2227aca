import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// What was made and deleted after the backup of a server that was put back.
@Suite struct RollbackTrashTests {
    private let server: TestServer
    private let alice: Person
    private let laptop: Device
    private let phone: Device

    /// The laptop made notes and deleted them; the phone heard of that and never had them.
    init() async throws {
        server = try TestServer()
        alice = Person("alice", on: server)
        (laptop, phone) = try await alice.twoDevices(holding: ["old.md": "old"])
        let backup = try server.backup()
        defer { try? FileManager.default.removeItem(atPath: backup) }
        try laptop.write("/temp.md", "temp")
        try laptop.write("/folder/inner.md", "inner")
        try await laptop.sync()
        try laptop.delete("/temp.md")
        try laptop.delete("/folder")
        try await laptop.sync()
        try await phone.sync()
        #expect(try phone.lockbook.trash().map(\.path).contains("/temp.md"))
        try server.restore(backup)
    }

    private var accepting: SyncOptions {
        var options = SyncOptions()
        options.acceptsRollback = true
        return options
    }

    private func isAgreed() async throws {
        try await converge(alice, laptop, phone)
        for device in [laptop, phone] {
            #expect(try device.paths() == ["/old.md"])
            #expect(try device.lockbook.conflicts().isEmpty)
            #expect(try device.lockbook.trash().map(\.path).contains("/temp.md"))
        }
        // Who had the words has brought them back for both.
        _ = try phone.lockbook.restore([.path("/temp.md")])
        try await converge(alice, laptop, phone)
        #expect(try await phone.text("/temp.md") == "temp")
    }

    @Test func `what is dead and never came here is no change that waits for ever`() async throws {
        try await phone.sync(accepting)
        for _ in 0..<2 {
            #expect(try phone.lockbook.status().changes == [])
            let report = try await phone.sync()
            #expect(report.pushed.isEmpty && report.notes.isEmpty)
        }
        #expect(try phone.lockbook.trash().map(\.path).contains("/temp.md") == false)
        // The laptop comes later, with all that was in them.
        #expect(try await laptop.sync(accepting).notes == [])
        #expect(try await phone.sync().notes == [])
        try await isAgreed()
    }

    @Test func `who has what was in it may come first`() async throws {
        #expect(try await laptop.sync(accepting).notes == [])
        #expect(try await phone.sync(accepting).notes == [])
        try await isAgreed()
    }

    @Test func `what was deleted here and cannot be pushed is no change either`() async throws {
        // Made elsewhere, too large to come, deleted here, and the server knows nothing of it.
        let server = try TestServer()
        let alice = Person("alice", on: server)
        let (laptop, phone) = try await alice.twoDevices()
        let backup = try server.backup()
        defer { try? FileManager.default.removeItem(atPath: backup) }
        try laptop.write("/large.txt", noise(12_000_000, seed: 1))
        try await laptop.sync()
        #expect(try await phone.sync().leftOnServer == 1)
        try phone.delete("/large.txt")
        try server.restore(backup)

        try await phone.sync(accepting)
        #expect(try phone.lockbook.status().changes == [])
        #expect(try await phone.sync().notes == [])
        // Nothing of that takes back the wish that it be gone.
        #expect(try phone.lockbook.trash().map(\.path) == ["/large.txt"])
    }
}
