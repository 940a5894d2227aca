import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// A server whose database was put back from a backup, and whose files of contents are newer.
struct RollbackContentTests {
    private let server: TestServer
    private let laptop: Device
    private let phone: Device
    private let desk: Device
    private let backup: Backup
    /// So large that it comes to a device only when it is asked for.
    private let text = noise(12_000_000, seed: 1)

    /// Removed with the test.
    private final class Backup {
        let path: String
        init(_ server: TestServer) throws { path = try server.backup() }
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    /// The laptop writes it after the backup, the phone hears of it, and the desk does not.
    init() async throws {
        server = try TestServer()
        let alice = Person("alice", on: server)
        (laptop, phone) = try await alice.twoDevices(holding: ["/a.md": "a"])
        desk = try await alice.device(named: "desk", like: laptop)
        backup = try Backup(server)
        try laptop.write("/large.txt", text)
        try await laptop.sync()
        #expect(try await phone.sync().leftOnServer == 1)
    }

    private func options(accepting: Bool = false, full: Bool = false, dry: Bool = false)
        -> SyncOptions
    {
        var options = SyncOptions()
        (options.acceptsRollback, options.full, options.isDryRun) = (accepting, full, dry)
        return options
    }

    /// The desk, and whoever else has nothing of it, gets the content from the server.
    private func isFetched() async throws {
        for device in [desk, phone] {
            try await device.sync(options(full: true))
            #expect(try await device.text("/large.txt") == text)
        }
        #expect(try await desk.snapshot() == phone.snapshot())
    }

    @Test func `a content of which the server has the only copy is pushed by who never had it`()
        async throws
    {
        // The laptop is never seen again.
        try server.restoreDatabase(backup.path)
        // It takes some weeks until the next one comes.
        try await server.collect(afterDays: 0)
        try await server.collect(afterDays: 29)

        let report = try await phone.sync(options(accepting: true))

        #expect(report.pushed == ["/large.txt"])
        #expect(report.notes == [])
        #expect(try await server.usage(of: "alice") > 10_000_000)
        try await server.collect(afterDays: 200)
        try await isFetched()
    }

    @Test func `a dry run tells of it and takes nothing`() async throws {
        try server.restoreDatabase(backup.path)
        let before = try await server.usage(of: "alice")
        let prospect = try await phone.sync(options(accepting: true, dry: true))
        #expect(prospect.pushed == ["/large.txt"])
        #expect(prospect.notes == [])
        #expect(try await server.usage(of: "alice") == before)
    }

    @Test(arguments: [WireFaults.Fault.lost, .answerLost])
    func `where the push breaks off the next sync goes on`(fault: WireFaults.Fault) async throws {
        try server.restoreDatabase(backup.path)
        phone.faults.next("/v1/push", fault)
        await #expect(throws: LockbookError.self) {
            try await phone.sync(options(accepting: true))
        }
        #expect(try await phone.sync().pushed == ["/large.txt"])
        try await isFetched()
    }

    @Test func `one that the disk damaged is left out until who has it sends it`() async throws {
        try server.restoreDatabase(backup.path)
        let blobs = server.path + "/blobs"
        for name in try FileManager.default.subpathsOfDirectory(atPath: blobs)
        where (name as NSString).lastPathComponent.utf8.count == 64 {
            let file = URL(fileURLWithPath: "\(blobs)/\(name)")
            var bytes = try Data(contentsOf: file)
            bytes[bytes.count / 2] ^= 1
            try bytes.write(to: file)
        }
        try phone.write("/new.md", "new")

        let report = try await phone.sync(options(accepting: true))

        #expect(report.pushed == ["/new.md"])
        #expect(report.notes.map(\.kind) == [.notPushed])
        #expect(report.notes.map(\.path) == ["/large.txt"])
        try await laptop.sync(options(accepting: true))
        try await phone.sync()
        try await isFetched()
    }
}
