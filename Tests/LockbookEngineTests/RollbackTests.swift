import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// A server that was honestly restored from a backup, and devices that had synced since.
@Suite struct RollbackTests {
    private let server: TestServer
    private let laptop: Device
    private let phone: Device
    private let backup: Backup

    /// Removed with the test.
    private final class Backup {
        let path: String
        init(_ server: TestServer) throws { path = try server.backup() }
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    init() async throws {
        server = try TestServer()
        (laptop, phone) = try await Person("alice", on: server).twoDevices(holding: [
            "/a.md": "one\ntwo\nthree\n", "/b.md": "bee\n", "/folder/": "", "/folder/c.md": "sea\n",
            "/d.md": "dee\n",
        ])
        backup = try Backup(server)
    }

    private var accepting: SyncOptions {
        var options = SyncOptions()
        options.acceptsRollback = true
        return options
    }

    /// Both devices meet a wall and change nothing.
    private func isRefused(_ device: Device) async throws {
        let before = try await device.snapshot()
        let error = await #expect(throws: LockbookError.self) { try await device.sync() }
        guard case .rolledBack = error else {
            Issue.record("\(device.name): \(String(describing: error))")
            return
        }
        #expect(try await device.snapshot() == before)
    }

    private func settled() async throws -> [String] {
        for device in [laptop, phone, laptop, phone] { try await device.sync() }
        let here = try await laptop.snapshot()
        #expect(try await phone.snapshot() == here)
        #expect(try laptop.lockbook.validate().isEmpty)
        #expect(try phone.lockbook.validate().isEmpty)
        let fresh = try await Person("alice", on: server).device(named: "fresh", like: laptop)
        #expect(try await fresh.snapshot() == here)
        return here
    }

    @Test func `what the server lost is pushed again`() async throws {
        try laptop.write("/a.md", "one\ntwo\nthree\nfour\n")
        try laptop.write("/new.md", "new\n")
        try laptop.move("/b.md", to: "/folder/")
        try laptop.delete("/d.md")
        try await laptop.sync()
        let before = try await laptop.snapshot()
        try server.restore(backup.path)
        try await isRefused(laptop)
        let report = try await laptop.sync(accepting)
        #expect(report.rollback?.files == 4)
        #expect(report.pushed.count == 4)
        #expect(report.notes.isEmpty)
        #expect(try await laptop.snapshot() == before)
        #expect(try await settled() == before)
    }

    @Test func `a version that never came here gives way to what its writer has made of it`()
        async throws
    {
        try laptop.write("/a.md", "one\ntwo\nthree and four\n")
        try await laptop.sync()
        // What is in the trash is not fetched.
        try phone.delete("/a.md")
        try await phone.sync()
        try server.restore(backup.path)
        try laptop.write("/a.md", "one\ntwo\nfive\n")
        try await laptop.sync(accepting)
        try await phone.sync(accepting)
        try phone.write("/mine.md", "mine\n")
        try await phone.sync()
        #expect(try await settled().contains { $0.contains("mine.md") })
    }

    @Test func `two devices ahead by different amounts lose nothing`() async throws {
        try laptop.write("/a.md", "one\ntwo\nthree, laptop\n")
        try laptop.write("/laptop.md", "laptop\n")
        try await laptop.sync()
        try await phone.sync()
        try phone.write("/b.md", "bee, phone\n")
        try phone.write("/folder/phone.md", "phone\n")
        try phone.move("/d.md", to: "/folder/")
        try await phone.sync()
        try phone.write("/a.md", "one, phone\ntwo\nthree, laptop\n")
        try phone.delete("/folder/c.md")
        try await phone.sync()
        try laptop.write("/unsynced.md", "unsynced\n")
        try server.restore(backup.path)
        try await isRefused(laptop)
        try await isRefused(phone)
        try await laptop.sync(accepting)
        try await isRefused(phone)
        try await phone.sync(accepting)
        let paths = try await settled().map { String($0.split(separator: " ")[1]) }
        #expect(
            paths == [
                "/a.md", "/b.md", "/folder", "/folder/d.md", "/folder/phone.md", "/laptop.md",
                "/unsynced.md",
            ]
        )
        #expect(try await laptop.text("/a.md") == "one, phone\ntwo\nthree, laptop\n")
        #expect(try await laptop.text("/b.md") == "bee, phone\n")
    }

    @Test func `what another device wrote after the restore is merged`() async throws {
        try laptop.write("/a.md", "one, laptop\ntwo\nthree\n")
        try laptop.write("/b.md", "lost\n")
        try await laptop.sync()
        try server.restore(backup.path)
        try phone.write("/a.md", "one\ntwo\nthree, phone\n")
        try phone.write("/b.md", "found\n")
        for _ in 0..<3 {
            try await phone.sync()
            try phone.write("/more.md", "\(try phone.paths().count)\n")
        }
        try await isRefused(laptop)
        let report = try await laptop.sync(accepting)
        #expect(report.notes.map(\.kind).contains(.markers))
        _ = try await settled()
        #expect(try await phone.text("/a.md") == "one, laptop\ntwo\nthree, phone\n")
        let both = try await phone.text("/b.md")
        #expect(both.contains("lost\n") && both.contains("found\n"))
    }

    @Test(arguments: [true, false])
    func `what was edited and deleted leaves nothing to decide`(isWriterFirst: Bool) async throws {
        try laptop.write("/b.md", "bee, edited\n")
        for device in [laptop, phone] { try await device.sync() }
        try laptop.delete("/b.md")
        for device in [laptop, phone] { try await device.sync() }
        try server.restore(backup.path)
        for device in isWriterFirst ? [laptop, phone] : [phone, laptop] {
            try await device.sync(accepting)
        }
        for device in [laptop, phone] { #expect(try device.lockbook.conflicts().isEmpty) }
        _ = try await settled()
        for device in [laptop, phone] { #expect(try device.lockbook.conflicts().isEmpty) }
    }

    @Test func `what was purged is purged again`() async throws {
        _ = try laptop.lockbook.purge([FileReference("/folder")])
        try await laptop.sync()
        try laptop.write("/folder", "a document now\n")
        try await laptop.sync()
        try server.restore(backup.path)
        let report = try await laptop.sync(accepting)
        #expect(report.purged.isEmpty == false)
        let here = try await settled()
        #expect(!here.contains { $0.contains("c.md") })
        #expect(try await phone.text("/folder") == "a document now\n")
        #expect(try phone.lockbook.trash().isEmpty)
    }

    @Test func `nothing is asked of a server that has everything`() async throws {
        try laptop.write("/a.md", "changed\n")
        let report = try await laptop.sync(accepting)
        #expect(report.rollback == nil)
        #expect(report.pushed == ["/a.md"])
    }

    @Test func `a dry run tells what would be pushed again and changes nothing`() async throws {
        try laptop.write("/a.md", "changed\n")
        try laptop.write("/new.md", "new\n")
        try await laptop.sync()
        try server.restore(backup.path)
        var options = accepting
        options.isDryRun = true
        let prospect = try await laptop.sync(options)
        #expect(prospect.rollback?.files == 2)
        #expect(prospect.pushed.sorted() == ["/a.md", "/new.md"])
        try await isRefused(laptop)
        let report = try await laptop.sync(accepting)
        #expect(report.agrees(with: prospect))
        #expect(report.rollback == prospect.rollback)
    }

    @Test func `a lost answer on the way costs nothing`() async throws {
        try laptop.write("/a.md", "changed\n")
        try await laptop.sync()
        try server.restore(backup.path)
        laptop.faults.next("/v1/push", .answerLost)
        await #expect(throws: LockbookError.self) { try await laptop.sync(accepting) }
        // The log is one that this device knows again: an ordinary sync goes on, and tells of it.
        let report = try await laptop.sync()
        #expect(report.rollback?.files == 1)
        #expect(report.pushed == ["/a.md"])
        #expect(try await settled().count == 5)
    }

    @Test func `a server that forgot the account is told of it again`() async throws {
        let empty = try TestServer()
        let nothing = try Backup(empty)
        try laptop.write("/a.md", "changed\n")
        let before = try await laptop.snapshot()
        try await laptop.sync()
        try await phone.sync()
        try server.restore(nothing.path)
        await #expect(throws: LockbookError.unknownAccount(server: "http://127.0.0.1:7654")) {
            try await laptop.sync()
        }
        let report = try await laptop.sync(accepting)
        #expect(report.rollback?.common == nil)
        // The root is no file of anybody's.
        #expect(report.rollback?.files == report.pushed.count)
        #expect(try await laptop.snapshot() == before)
        try await isRefused(phone)
        try await phone.sync(accepting)
        #expect(try await settled() == before)
    }

    @Test func `a content that only the server had is named and left out`() async throws {
        let large = noise(12_000_000, seed: 1)
        try laptop.write("/large.bin", large)
        try laptop.write("/new.md", "new\n")
        try await laptop.sync()
        let report = try await phone.sync()
        #expect(report.leftOnServer == 1)
        try server.restore(backup.path)
        let after = try await phone.sync(accepting)
        #expect(after.notes.map(\.kind) == [.notPushed])
        #expect(after.notes.map(\.path) == ["/large.bin"])
        #expect(after.pushed == ["/new.md"])
        // It is still there for who has it.
        #expect(try await phone.sync(options(full: true)).notes.map(\.path) == ["/large.bin"])
        try await laptop.sync(accepting)
        _ = try await phone.sync(options(full: true))
        _ = try await settled()
        #expect(try await phone.text("/large.bin") == large)
    }

    private func options(full: Bool) -> SyncOptions {
        var options = SyncOptions()
        options.full = full
        return options
    }

    @Test func `what was deleted before the restore stays deleted without being asked`()
        async throws
    {
        for number in 0..<30 { try laptop.write("/many/\(number).md", "\(number)\n") }
        try await laptop.sync()
        try await phone.sync()
        let fuller = try Backup(server)
        try laptop.delete("/many")
        try await laptop.sync()
        try server.restore(fuller.path)
        try await laptop.sync(accepting)
        #expect(try laptop.paths().contains("/many/") == false)
        var sure = SyncOptions()
        sure.acceptDeletions = true
        try await phone.sync(sure)
        _ = try await settled()
    }

    @Test func `a share that was taken back is taken back again, with new keys`() async throws {
        let bob = Person("bob", on: server)
        let desk = try await bob.firstDevice(named: "desk")
        _ = try await laptop.lockbook.share(FileReference("/folder"), with: "bob", mode: .read)
        try await laptop.sync()
        try await desk.sync()
        let shared = try Backup(server)
        try laptop.lockbook.setShare(FileReference("/folder"), of: "bob", to: nil)
        try await laptop.sync()
        try laptop.write("/folder/secret.md", "not for bob\n")
        try laptop.write("/folder/c.md", "sea, changed\n")
        try await laptop.sync()
        try await desk.sync()
        try server.restore(shared.path)
        try await laptop.sync(accepting)
        let again = try await desk.sync(accepting)
        #expect(!again.pulled.contains { $0.contains("secret") })
        try await phone.sync()
        #expect(try await phone.text("/folder/secret.md") == "not for bob\n")
        #expect(try desk.lockbook.offers().isEmpty)
        _ = try await settled()
    }
}
