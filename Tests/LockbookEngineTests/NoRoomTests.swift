import LockbookAPI
import LockbookTestSupport
import SwiftProtobuf
import Testing

@testable import LockbookEngine

/// What is too much for the server, or for what stands in front of it, keeps nothing else back.
struct NoRoomTests {
    private let alice: Person

    init() throws { alice = Person("alice", on: try TestServer()) }

    private static func diskFull() throws -> [UInt8] {
        let answer = Lockbook_V1_ErrorResponse.with {
            $0.code = .unavailable
            $0.message = "its disk is full"
        }
        return try answer.serializedBytes()
    }

    /// Nothing is taken of so many bytes.
    private func refuse(_ status: Int, _ body: [UInt8], over most: Int, to device: Device) {
        for path in ["/v1/push", "/v1/stage"] {
            device.faults.refuse(path) { $0.count > most ? (status, body) : nil }
        }
    }

    @Test func `what the server has no room for is not sent any more once it was purged`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        let phone = try await alice.device(named: "phone", like: laptop)
        try laptop.write("/large.bin", noise(200_000, seed: 1))
        refuse(503, try Self.diskFull(), over: 100_000, to: laptop)
        let error = await #expect(throws: LockbookError.self) { try await laptop.sync() }
        guard case .unavailable(_, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason == "its disk is full")
        _ = try laptop.lockbook.purge([.path("/large.bin")])
        try laptop.write("/small.md", "small")

        #expect(try await laptop.sync().pushed == ["/small.md"])
        laptop.faults.tellTruth()
        try await converge(alice, laptop, phone)
    }

    @Test func `what a proxy does not take is not sent any more once it was purged`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        try laptop.write("/large.bin", noise(200_000, seed: 1))
        refuse(413, [], over: 100_000, to: laptop)
        let error = await #expect(throws: LockbookError.self) { try await laptop.sync() }
        guard case .notALockbookServer(_, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason == ServerClient.stranger(status: 413))
        _ = try laptop.lockbook.purge([.path("/large.bin")])
        try laptop.write("/small.md", "small")

        #expect(try await laptop.sync().pushed == ["/small.md"])
        laptop.faults.tellTruth()
        try await converge(alice, laptop)
    }

    /// The server may be at work on it still.
    @Test func `an entry is kept where a proxy alone says that it cannot now`() async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/a.md", "a")
        refuse(503, [], over: 0, to: laptop)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        #expect(try laptop.lockbook.store.read { try $0.hasPending() })
        laptop.faults.tellTruth()
        #expect(try await laptop.sync().pushed == ["/a.md"])
        try await converge(alice, laptop)
    }

    @Test func `many notes pass a proxy that takes little at once`() async throws {
        let laptop = try await alice.firstDevice()
        for number in 0..<60 {
            try laptop.write("/\(number).bin", noise(10_000, seed: UInt64(number)))
        }
        refuse(413, [], over: 200_000, to: laptop)
        _ = laptop.faults.takeRequests()

        #expect(try await laptop.sync().pushed.count == 60)
        #expect(laptop.faults.takeRequests().count < 30)
        laptop.faults.tellTruth()
        try await converge(alice, laptop)
    }
}
