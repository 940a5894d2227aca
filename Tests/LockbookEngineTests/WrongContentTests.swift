import Foundation
import LockbookAPI
import LockbookEngine
import LockbookTestSupport
import SwiftProtobuf
import Synchronization
import Testing

/// A server that sends something else for what is to be merged, or refuses it, does not make two
/// notes of one.
struct WrongContentTests {
    private let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    /// Two devices with other lines of one note each, of which the phone has not seen the laptop's.
    private func edited() async throws -> (laptop: Device, phone: Device) {
        let (laptop, phone) = try await alice.twoDevices(holding: [
            "n.md": "one\ntwo\nthree\nfour\n"
        ])
        try laptop.write("/n.md", "one, on the laptop\ntwo\nthree\nfour\n")
        try await laptop.sync()
        try phone.write("/n.md", "one\ntwo\nthree\nfour, on the phone\n")
        return (laptop, phone)
    }

    private func merge(_ laptop: Device, _ phone: Device) async throws {
        #expect(try await phone.sync().notes.map(\.kind) == [.merged])
        try await converge(alice, laptop, phone)
        #expect(try phone.paths() == ["/n.md"])
        #expect(
            try await phone.text("/n.md") == "one, on the laptop\ntwo\nthree\nfour, on the phone\n"
        )
    }

    @Test func `bytes that come wrong once are asked for again`() async throws {
        let (laptop, phone) = try await edited()
        let lies = Countdown(1)
        phone.faults.lie("/v1/blobs") { body in try lies.take() ? spoilt(body) : body }
        try await merge(laptop, phone)
        #expect(!lies.take(), "no content was asked for")
    }

    @Test func `bytes that come wrong each time keep nothing else, and the sync fails of them`()
        async throws
    {
        let (laptop, phone) = try await edited()
        try laptop.write("/theirs.md", "a")
        try await laptop.sync()
        try phone.write("/mine.md", "b")
        phone.faults.lie("/v1/blobs") { try spoilt($0) }
        await #expect(
            throws: LockbookError.integrity(
                reason: "the server sends another content than was written to /n.md"
            )
        ) {
            try await phone.sync()
        }
        phone.faults.tellTruth()
        try await converge(alice, laptop, phone)
        let paths = try laptop.paths()
        #expect(paths.count == 4 && Set(paths).isSuperset(of: ["/n.md", "/mine.md", "/theirs.md"]))
        let texts = try await [laptop.text("/n.md"), laptop.text("/n-1.md")].joined()
        #expect(texts.contains("one, on the laptop") && texts.contains("four, on the phone"))
    }

    @Test func `bytes that come wrong each time do not have others given up at once`()
        async throws
    {
        let (before, byLaptop) = ("one\ntwo\nthree\n", "one, on the laptop\ntwo\nthree\n")
        let (laptop, phone) = try await alice.twoDevices(
            holding: ["/m.md": before, "/n.md": before]
        )
        try laptop.write("/n.md", byLaptop)
        try await laptop.sync()
        for path in ["/m.md", "/n.md"] { try phone.write(path, "one\ntwo\nthree, on the phone\n") }
        // One is asked for three times, and then the other one, which came meanwhile.
        let lies = Countdown(4)
        phone.faults.lie("/v1/blobs") { body in try lies.take() ? spoilt(body) : body }
        phone.faults.before("/v1/push") {
            try laptop.write("/m.md", byLaptop)
            try await laptop.sync()
        }
        await #expect(throws: LockbookError.self) { try await phone.sync() }
        #expect(try Set(phone.paths()) == ["/m.md", "/n.md", "/n-1.md"])
        #expect(
            try await phone.text("/m.md") == "one, on the laptop\ntwo\nthree, on the phone\n"
        )
        try await converge(alice, laptop, phone)
    }

    /// The device that wrote in what it never had here asks for what both were made of as well.
    @Test func `a refusal does not say that what both were made of is gone`() async throws {
        let laptop = try await alice.firstDevice()
        let phone = try await alice.device(named: "phone", like: laptop)
        try laptop.write("/n.md", "one\ntwo\nthree\nfour\n")
        try await laptop.sync()
        phone.faults.next("/v1/blobs", .lost)
        await #expect(throws: LockbookError.self) { try await phone.sync() }
        try phone.write("/n.md", "one\ntwo\nthree\nfour, on the phone\n")
        try laptop.write("/n.md", "one, on the laptop\ntwo\nthree\nfour\n")
        try await laptop.sync()
        let before = try await phone.snapshot()
        let refusal: [UInt8] = try Lockbook_V1_ErrorResponse.with {
            $0.code = .tooLarge
            $0.message = "not today"
        }.serializedBytes()
        // What the laptop wrote comes first.
        let answers = Countdown(1)
        phone.faults.refuse("/v1/blobs") { _ in
            guard !answers.take() else { return nil }
            return (413, refusal)
        }

        await #expect(throws: LockbookError.refused(reason: "not today")) {
            try await phone.sync()
        }

        #expect(try await phone.snapshot() == before)
        phone.faults.tellTruth()
        try await merge(laptop, phone)
    }

    /// Of a large content the segments are asked for.
    @Test func `a refusal does not say that a large content is gone`() async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/large.txt", noise(1_500_000, seed: 1))
        try await laptop.sync()
        let phone = try await alice.device(named: "phone", like: laptop, synced: false)
        let refusal: [UInt8] = try Lockbook_V1_ErrorResponse.with {
            $0.code = .notPermitted
            $0.message = "not today"
        }.serializedBytes()
        phone.faults.refuse("/v1/segments") { _ in (403, refusal) }
        var options = SyncOptions()
        options.full = true
        await #expect(throws: LockbookError.refused(reason: "not today")) {
            try await phone.sync(options)
        }
        phone.faults.tellTruth()
        try await phone.sync(options)
        #expect(try phone.lockbook.status().notHere == 0)
    }

    enum SegmentLie: CaseIterable { case length, digest, count, byte, end }

    @Test(arguments: SegmentLie.allCases)
    func `of a large content no segment is taken that is not one of its name`(lie: SegmentLie)
        async throws
    {
        let large = noise(1_500_000, seed: 1)
        let laptop = try await alice.firstDevice(holding: ["/large.txt": large])
        let phone = try await alice.device(named: "phone", like: laptop, synced: false)
        phone.faults.lie("/v1/segments") { body in
            var answer = try Lockbook_V1_SegmentsResponse(serializedBytes: Data(body))
            switch lie {
            case .length: answer.length += 1
            case .digest: answer.segments[0][0] ^= 1
            case .count: answer.segments.removeLast()
            case .byte, .end: break
            }
            return Array(try answer.serializedData() as Data)
        }
        phone.faults.lie("/v1/blob/") { body in
            switch lie {
            case .byte: body.prefix(body.count - 1) + [body[body.count - 1] ^ 1]
            case .end: body + [0]
            case .length, .digest, .count: body
            }
        }
        var options = SyncOptions()
        options.full = true
        await #expect(
            throws: LockbookError.badContent(
                path: "/large.txt",
                reason: "the server sends another content"
            )
        ) {
            try await phone.sync(options)
        }
        phone.faults.tellTruth()
        try await phone.sync(options)
        #expect(try await phone.text("/large.txt") == large)
    }
}

/// The same behind a link.
struct WrongSharedContentTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    @Test func `the sync fails of the path that the member has`() async throws {
        let (laptop, desk) = try await shared(holding: ["n.md"])
        try laptop.write("/team/n.md", "of ada\n")
        try await laptop.sync()
        try desk.move("/team", to: "/ours")
        try desk.write("/ours/n.md", "of bob\n")
        desk.faults.lie("/v1/blobs") { try spoilt($0) }
        await #expect(
            throws: LockbookError.integrity(
                reason: "the server sends another content than was written to /ours/n.md"
            )
        ) {
            try await desk.sync()
        }
        desk.faults.tellTruth()
        for device in [desk, laptop, desk] { try await device.sync() }
        let texts = try await [laptop.text("/team/n.md"), laptop.text("/team/n-1.md")]
        #expect(Set(texts) == ["of ada\n", "of bob\n"])
    }
}

/// An answer whose first content has another bit.
private func spoilt(_ body: [UInt8]) throws -> [UInt8] {
    var answer = try Lockbook_V1_BlobsResponse(serializedBytes: Data(body))
    if !answer.blobs.isEmpty { answer.blobs[0].content[0] ^= 1 }
    return Array(try answer.serializedData() as Data)
}

/// So many times, and no more.
private final class Countdown: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) { left = Mutex(count) }

    func take() -> Bool {
        left.withLock { left in
            left -= 1
            return left >= 0
        }
    }
}
