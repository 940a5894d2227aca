import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// What goes over the wire, and what happens when it does not arrive.
struct SyncTrafficTests {
    /// Six segments when it is sealed: those of two requests.
    private static let large = noise(6_800_000, seed: 7)

    let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    @Test func `edit and undo, rename and back push nothing and leave the status clean`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "one", "f/": ""])

        try laptop.write("/a.md", "two")
        try laptop.write("/a.md", "one")
        try laptop.move("/a.md", to: "/b.md")
        try laptop.move("/b.md", to: "/f/")
        try laptop.move("/f/b.md", to: "/a.md")

        #expect(try laptop.lockbook.status().changes == [])
        _ = laptop.faults.takeRequests()
        try await laptop.sync()
        #expect(laptop.faults.takeRequests() == ["/v1/pull"])
        try await converge(alice, laptop, phone)
    }

    @Test func `a sync with nothing to do is one request, an edited note two`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "one"])

        _ = laptop.faults.takeRequests()
        try await laptop.sync()
        #expect(laptop.faults.takeRequests() == ["/v1/pull"])
        try laptop.write("/a.md", "two")
        try await laptop.sync()
        #expect(laptop.faults.takeRequests() == ["/v1/pull", "/v1/push"])
        try await phone.sync()
        #expect(try await phone.text("/a.md") == "two")
    }

    @Test func `a push whose answer is lost is not pushed twice`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "one"])

        try laptop.write("/a.md", "two")
        laptop.faults.next("/v1/push", .answerLost)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        let report = try await laptop.sync()

        #expect(report.notes.isEmpty)
        #expect(report.pushed == ["/a.md"])
        try await converge(alice, laptop, phone)
        #expect(try laptop.lockbook.status().position == 2)
    }

    @Test func `what is edited after a push whose answer is lost is pushed as well`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "one"])

        try laptop.write("/a.md", "two")
        laptop.faults.next("/v1/push", .answerLost)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        try laptop.write("/a.md", "three")
        try laptop.write("/b.md", "new")
        let report = try await laptop.sync()

        #expect(report.notes.isEmpty)
        try await converge(alice, laptop, phone)
        #expect(try await phone.text("/a.md") == "three")
    }

    @Test func `what is edited after a push that never arrived is pushed as well`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "one"])

        try laptop.write("/a.md", "two")
        laptop.faults.next("/v1/push", .lost)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        try laptop.write("/a.md", "three")
        try await laptop.sync()

        try await converge(alice, laptop, phone)
        #expect(try await phone.text("/a.md") == "three")
    }

    @Test func `a lost push that another device overtook is merged`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "1\n2\n3\n"])

        try laptop.write("/a.md", "one\n2\n3\n")
        laptop.faults.next("/v1/push", .lost)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        try phone.write("/a.md", "1\n2\nthree\n")
        try await phone.sync()

        try await converge(alice, laptop, phone)
        #expect(try await phone.text("/a.md") == "one\n2\nthree\n")
    }

    @Test func `a race between pull and push ends with both changes`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "1\n2\n3\n"])

        try laptop.write("/a.md", "one\n2\n3\n")
        try phone.write("/a.md", "1\n2\nthree\n")
        laptop.faults.before("/v1/push") { try await phone.sync() }
        try await laptop.sync()

        try await converge(alice, laptop, phone)
        #expect(try await phone.text("/a.md") == "one\n2\nthree\n")
    }

    @Test func `an edit in the middle of a sync is not lost`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "one"])

        try laptop.write("/a.md", "two")
        laptop.faults.before("/v1/push") { try laptop.write("/a.md", "three") }
        try await laptop.sync()

        try await converge(alice, laptop, phone)
        #expect(try await phone.text("/a.md") == "three")
    }

    @Test func `registration whose answer is lost is repeated`() async throws {
        let laptop = try await alice.firstDevice(registered: false)
        laptop.faults.next("/v1/register", .answerLost)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        #expect(try !laptop.lockbook.accountInfo().registered)

        try await laptop.sync()
        #expect(try laptop.lockbook.accountInfo().registered)
        try await converge(alice, laptop)
    }

    @Test func `a thousand notes take few requests, and a new device starts from a checkpoint`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        for number in 0..<1_000 { try laptop.write("/\(number % 10)/\(number).md", "n \(number)") }
        _ = laptop.faults.takeRequests()
        try await laptop.sync()

        #expect(laptop.faults.takeRequests() == ["/v1/pull", "/v1/push", "/v1/checkpoint"])
        try laptop.write("/0/0.md", "after")
        try await laptop.sync()
        let phone = try await alice.device(named: "phone", like: laptop)
        #expect(phone.faults.takeRequests().count <= 6)
        try await converge(alice, laptop, phone)
    }

    @Test func `a large document goes in segments, and a broken transfer goes on`() async throws {
        let (laptop, phone) = try await alice.twoDevices()
        try laptop.write("/big.bin", Self.large)
        _ = laptop.faults.takeSent()
        laptop.faults.next("/v1/upload/", .answerLost)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        try await laptop.sync()
        #expect(laptop.faults.takeSent() < 6_600_000)

        var options = SyncOptions()
        options.full = true
        phone.faults.next("/v1/blob/", .lost)
        await #expect(throws: LockbookError.self) { try await phone.sync(options) }
        try await phone.sync(options)
        #expect(try await phone.text("/big.bin") == Self.large)

        try phone.move("/big.bin", to: "/large.bin")
        _ = phone.faults.takeSent()
        try await phone.sync()
        #expect(phone.faults.takeSent() < 20_000)
        try await converge(alice, laptop, phone)
    }

    @Test func `a download that a power cut left with holes goes on from the first of them`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices()
        try laptop.write("/big.bin", Self.large)
        try await laptop.sync()
        var options = SyncOptions()
        options.full = true
        let faults = phone.faults
        faults.before("/v1/blob/") { faults.next("/v1/blob/", .lost) }
        await #expect(throws: LockbookError.self) { try await phone.sync(options) }

        // Its length is there, but a block of the second segment was never written.
        let folder = URL(filePath: phone.directory + "/blobs")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let part = try #require(names.first { $0.hasPrefix("part-") })
        let file = try FileHandle(forUpdating: folder.appending(path: part))
        #expect(try file.seekToEnd() == 4 << 20)
        try file.seek(toOffset: 1_200_000)
        try file.write(contentsOf: Data(count: 4_096))
        try file.close()

        _ = faults.takeRequests()
        try await phone.sync(options)
        let blobs = faults.takeRequests().filter { $0.hasPrefix("/v1/blob/") }
        #expect(blobs.map { $0.suffix(4) } == ["/1/4", "/5/1"])
        #expect(try await phone.text("/big.bin") == Self.large)
    }
}
