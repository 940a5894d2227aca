import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookEngine
import LockbookModel
import LockbookTestSupport
import SwiftProtobuf
import Synchronization
import Testing

/// Entries of which one answer holds only a part of the records, as those of a large shared folder.
struct EntryPartsTests {
    let server: TestServer
    let laptop: Device
    let desk: Device

    init() async throws {
        server = try TestServer(pageByteCount: 2_000)
        laptop = try await Person("ada", on: server).firstDevice()
        for number in 1...20 { try laptop.write("/team/\(number).md", "note \(number)") }
        try await laptop.sync()
        desk = try await Person("bob", on: server).firstDevice(named: "desk")
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
        try await laptop.sync()
    }

    private func accept() async throws {
        try await desk.sync()
        let offer = try #require(try desk.lockbook.offers().first)
        _ = try desk.lockbook.acceptShare(id: offer.id)
        try await desk.sync()
    }

    /// The texts of the 20 notes in a folder.
    private func texts(in folder: String, on device: Device) async throws -> [String] {
        var texts: [String] = []
        for number in 1...20 { texts.append(try await device.text("\(folder)/\(number).md")) }
        return texts
    }

    private static let written = (1...20).map { "note \($0)" }

    @Test func `arrive whole at members and at new devices of the owner`() async throws {
        _ = desk.faults.takeRequests()
        try await accept()
        #expect(try await texts(in: "/team", on: desk) == Self.written)
        #expect(desk.faults.takeRequests().count { $0 == "/v1/pull" } > 5)
        #expect(try desk.lockbook.validate().isEmpty)

        let phone = try await Person("ada", on: server).device(named: "phone", like: laptop)
        #expect(try await texts(in: "/team", on: phone) == Self.written)
        #expect(try phone.lockbook.validate().isEmpty)
    }

    /// What was not shared yet is newer than nothing that was shared since.
    @Test func `of a log that came to be shared are read in many answers`() async throws {
        try await accept()
        for number in 1...20 {
            try laptop.write("/team/later \(number).md", "later \(number)")
            try await laptop.sync()
        }
        try desk.write("/team/1.md", "bob's")
        try await desk.sync()
        try await laptop.sync()
        let phone = try await Person("ada", on: server).device(named: "phone", like: laptop)
        #expect(try await phone.snapshot() == laptop.snapshot())
        #expect(try phone.lockbook.validate().isEmpty)
        try phone.write("/team/2.md", "from the phone")
        try await phone.sync()
        try await desk.sync()
        #expect(try await desk.text("/team/2.md") == "from the phone")
    }

    @Test func `that take something back arrive whole at who stays`() async throws {
        try await accept()
        let other = try await Person("eve", on: server).firstDevice(named: "other")
        _ = try await laptop.lockbook.share(.path("/team"), with: "eve", mode: .read)
        try await laptop.sync()
        try laptop.lockbook.setShare(.path("/team"), of: "eve", to: nil)
        try await laptop.sync()
        try laptop.write("/team/1.md", "news")
        try await laptop.sync()
        try await desk.sync()
        try await other.sync()
        #expect(
            try await texts(in: "/team", on: desk) == ["news"] + Self.written.dropFirst()
        )
        #expect(try desk.lockbook.validate().isEmpty)
        #expect(try other.paths().allSatisfy { !$0.contains("team") })
    }

    @Test func `of several logs are asked for one log after the other`() async throws {
        try await accept()
        let other = try await Person("eve", on: server).firstDevice(named: "other")
        for number in 1...20 { try other.write("/club/\(number).md", "note \(number)") }
        try await other.sync()
        _ = try await other.lockbook.share(.path("/club"), with: "bob", mode: .write)
        try await other.sync()
        try await accept()
        for number in 1...20 {
            try laptop.write("/team/new/\(number).md", "team \(number)")
            try other.write("/club/new/\(number).md", "club \(number)")
            try desk.write("/own/\(number).md", "own \(number)")
        }
        try await laptop.sync()
        try await other.sync()
        let phone = try await Person("bob", on: server).device(named: "phone", like: desk)
        try await desk.sync()
        #expect(try await texts(in: "/team/new", on: desk) == (1...20).map { "team \($0)" })
        #expect(try await texts(in: "/club/new", on: desk) == (1...20).map { "club \($0)" })
        try await phone.sync()
        #expect(try await phone.snapshot() == desk.snapshot())
    }

    /// A device that takes all of that in one answer does the same: `TakenBackTests`.
    @Test func `are merged together with what takes them back`() async throws {
        try laptop.write("/other/plan.md", "plan")
        try await laptop.sync()
        try await accept()
        _ = try await laptop.lockbook.share(.path("/other"), with: "bob", mode: .write)
        try await laptop.sync()
        try await accept()
        try desk.write("/team/1.md", "bob's words")
        try laptop.move("/team/1.md", to: "/other")
        try await laptop.sync()
        try laptop.lockbook.setShare(.path("/other"), of: "bob", to: nil)
        try await laptop.sync()

        let report = try await desk.sync()
        let rescued = try #require(report.notes.first { $0.kind == .rescued })
        #expect(!report.notes.map(\.kind).contains(.keptOwn))
        _ = try desk.lockbook.restore([.id(prefix: rescued.id)])
        #expect(try await desk.text("/team/1.md") == "bob's words")
        #expect(try desk.lockbook.validate().isEmpty)
    }

    @Test func `begin anew when the log was shortened meanwhile`() async throws {
        let asked = Counter()
        desk.faults.lie("/v1/pull") { body in
            var response = try Lockbook_V1_PullResponse(serializedBytes: Data(body))
            for index in response.logs.indices
            where response.logs[index].entries.isEmpty && !response.logs[index].records.isEmpty {
                guard asked.next() == 3 else { continue }
                response.logs[index].records = []
                response.logs[index].clearNext()
            }
            return Array(try response.serializedData() as Data)
        }
        try await accept()
        #expect(try await texts(in: "/team", on: desk) == Self.written)
        #expect(asked.next() > 6)
    }

    // MARK: A server that lies

    /// Bob's first sync stops, and his next one has everything.
    private func isRefused(
        _ lie: @escaping @Sendable (inout Lockbook_V1_LogUpdate) -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let asked = Counter()
        desk.faults.lie("/v1/pull") { body in
            // A server that never comes to an end is met by a device that does.
            guard asked.next() < 200 else { throw LockbookError.integrity(reason: "no end") }
            var response = try Lockbook_V1_PullResponse(serializedBytes: Data(body))
            for index in response.logs.indices where !response.logs[index].records.isEmpty {
                lie(&response.logs[index])
            }
            return Array(try response.serializedData() as Data)
        }
        await #expect(sourceLocation: sourceLocation) {
            try await desk.sync()
        } throws: { error in
            if case LockbookError.integrity(let reason, _) = error {
                reason != "no end"
            } else {
                false
            }
        }
        #expect(try desk.paths().isEmpty, sourceLocation: sourceLocation)
        desk.faults.tellTruth()
        try await accept()
        #expect(
            try await texts(in: "/team", on: desk) == Self.written,
            sourceLocation: sourceLocation
        )
    }

    @Test func `without an end are refused`() async throws {
        try await isRefused { update in
            update.next = .with {
                $0.position = 2
                $0.recordsAfter = 1
            }
        }
    }

    @Test func `that go on with nothing are refused`() async throws {
        try await isRefused { update in
            guard update.entries.isEmpty else { return }
            update.records = []
        }
    }

    @Test func `with a record left out are refused`() async throws {
        try await isRefused { update in
            guard update.entries.isEmpty else { return }
            update.records.removeLast()
            update.clearNext()
        }
    }

    @Test func `with a record of another file are refused`() async throws {
        try await isRefused { update in
            guard update.entries.isEmpty else { return }
            update.records[0] = Data(repeating: 1, count: update.records[0].count)
        }
    }
}

/// Counts what is asked.
private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
