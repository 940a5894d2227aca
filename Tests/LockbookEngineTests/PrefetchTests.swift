import LockbookEngine
import LockbookTestSupport
import Testing

/// Contents of a new device come while it merges; what goes wrong then is asked for again.
struct PrefetchTests {
    private let alice: Person
    private let contents = (0..<6).map { noise(400_000, seed: UInt64(40 + $0)) }

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    private func filled() async throws -> Device {
        let laptop = try await alice.firstDevice()
        for (number, content) in contents.enumerated() {
            try laptop.write("/\(number).bin", content)
        }
        try await laptop.sync()
        return laptop
    }

    private func expectAll(on device: Device) async throws {
        _ = device.faults.takeRequests()
        for (number, content) in contents.enumerated() {
            #expect(try await device.text("/\(number).bin") == content)
        }
        #expect(device.faults.takeRequests().isEmpty)
    }

    @Test func `a new device asks for every content once`() async throws {
        let laptop = try await filled()
        let phone = try await alice.device(named: "phone", like: laptop, synced: false)
        _ = phone.faults.takeRequests()

        try await phone.sync()

        let requests = phone.faults.takeRequests()
        #expect(requests.filter { $0 == "/v1/blobs" }.count == 1)
        try await expectAll(on: phone)
        #expect(try phone.lockbook.status().notHere == 0)
    }

    @Test func `contents that do not come the first time come the second`() async throws {
        let laptop = try await filled()
        let phone = try await alice.device(named: "phone", like: laptop, synced: false)
        phone.faults.next("/v1/blobs", .lost)
        _ = phone.faults.takeRequests()

        try await phone.sync()

        #expect(phone.faults.takeRequests().filter { $0 == "/v1/blobs" }.count == 2)
        try await expectAll(on: phone)
    }

    @Test func `a server that sends another content is caught, and a later sync goes on`()
        async throws
    {
        let laptop = try await filled()
        let phone = try await alice.device(named: "phone", like: laptop, synced: false)
        phone.faults.lie("/v1/blobs") { bytes in
            var bytes = bytes
            bytes[bytes.count - 1] ^= 1
            return bytes
        }
        let error = await #expect(throws: LockbookError.self) { try await phone.sync() }
        guard case .badContent = error else {
            Issue.record("no bad content: \(String(describing: error))")
            return
        }
        phone.faults.tellTruth()
        try await phone.sync()
        try await expectAll(on: phone)
    }

    @Test func `a dry run fetches none`() async throws {
        let laptop = try await filled()
        let phone = try await alice.device(named: "phone", like: laptop, synced: false)
        _ = phone.faults.takeRequests()
        var options = SyncOptions()
        options.isDryRun = true
        try await phone.sync(options)
        #expect(!phone.faults.takeRequests().contains("/v1/blobs"))
    }
}
