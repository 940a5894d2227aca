import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// Files of contents that somebody removed, here or at the server: each is named, and keeps nothing
/// else from being synced.
struct LostContentTests {
    private let server: TestServer
    private let alice: Person

    init() throws {
        server = try TestServer()
        alice = Person("alice", on: server)
    }

    /// Removes what is in the device's folder of contents, as where a database was put back without it.
    private func loseContents(of device: Device) throws {
        let folder = device.directory + "/blobs"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        try #require(!names.isEmpty)
        for name in names { try FileManager.default.removeItem(atPath: folder + "/" + name) }
    }

    /// Its content is of one segment, and of several.
    @Test(arguments: [100_000, 1_500_000])
    func `what is lost before it was pushed stays here, and all else goes`(size: Int) async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/large.txt", noise(size, seed: 1))
        try loseContents(of: laptop)
        try laptop.write("/other.md", "other")
        let report = try await laptop.sync()
        #expect(report.pushed == ["/other.md"])
        #expect(report.notes.map(\.kind) == [.notPushed])
        #expect(report.notes.map(\.path) == ["/large.txt"])
        #expect(report.notes.first?.detail == "its content cannot be read on this device")

        try laptop.write("/large.txt", "new")
        #expect(try await laptop.sync().pushed == ["/large.txt"])
        let phone = try await alice.device(named: "phone", like: laptop)
        #expect(try phone.paths() == ["/large.txt", "/other.md"])
        #expect(try await phone.text("/large.txt") == "new")
    }

    @Test(arguments: [100_000, 1_500_000])
    func `what is lost while its entry waits is left out of the next one`(size: Int) async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/other.md", "other")
        try laptop.write("/large.txt", noise(size, seed: 1))
        laptop.faults.next(size > 1 << 20 ? "/v1/upload" : "/v1/push", .lost)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        try loseContents(of: laptop)
        try laptop.write("/third.md", "third")
        var pushed: Set<String> = []
        for _ in 0..<2 { pushed.formUnion(try await laptop.sync().pushed) }
        #expect(pushed == ["/other.md", "/third.md"])
        #expect(try await laptop.sync().notes.map(\.path) == ["/large.txt"])
    }

    @Test func `where another device wrote a version, that one is taken`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "base"])
        try laptop.write("/a.md", noise(100_000, seed: 1))
        try loseContents(of: laptop)
        try laptop.write("/other.md", "other")
        try phone.write("/a.md", "of the phone")
        try await phone.sync()
        try await laptop.sync()
        #expect(try await laptop.text("/a.md") == "of the phone")
        try await phone.sync()
        #expect(try await phone.text("/other.md") == "other")
        #expect(try await phone.snapshot() == laptop.snapshot())
    }

    @Test(arguments: [100_000, 1_500_000])
    func `what the server lost is named, and everything else comes`(size: Int) async throws {
        let laptop = try await alice.firstDevice()
        for number in 1...3 {
            try laptop.write("/\(number).txt", noise(size, seed: UInt64(number)))
        }
        try await laptop.sync()
        let blobs = server.path + "/blobs"
        let files = try FileManager.default.subpathsOfDirectory(atPath: blobs).filter {
            ($0 as NSString).lastPathComponent.utf8.count == 64
        }
        try FileManager.default.removeItem(atPath: blobs + "/" + #require(files.min()))
        let phone = try await alice.device(named: "phone", like: laptop, synced: false)
        var options = SyncOptions()
        options.full = true
        for _ in 0..<2 {
            var named: String?
            do {
                try await phone.sync(options)
            } catch LockbookError.badContent(let path, let reason) {
                named = path
                #expect(reason == "the server does not have a content it promised")
            }
            let lost = try #require(named)
            var read: Set<String> = []
            for path in try phone.paths() where path != lost {
                #expect(try await phone.text(path) == laptop.text(path))
                read.insert(path)
            }
            #expect(read.count == 2)
        }
        // What is written there goes on.
        try phone.write("/new.md", "new")
        await #expect(throws: LockbookError.self) { try await phone.sync(options) }
        try await laptop.sync()
        #expect(try await laptop.text("/new.md") == "new")
    }
}
