import Foundation
import LockbookAPI
import LockbookEngine
import LockbookTestSupport
import SwiftProtobuf
import Testing

/// A server that sends one content otherwise than it was written.
struct OtherContentTests {
    private let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    /// A phone that was told of `/bad.md`, and gets other bytes for it than `phone.tellTruth` would.
    private func lied() async throws -> (laptop: Device, phone: Device) {
        let (laptop, phone) = try await alice.twoDevices(holding: ["old.md": "old"])
        try laptop.write("/bad.md", "good words")
        try laptop.write("/fine.md", "fine")
        try await laptop.sync()
        phone.faults.lie("/v1/blobs") { body in
            var answer = try Lockbook_V1_BlobsResponse(serializedBytes: Data(body))
            // The first of those that were asked for, which is not the same in every run.
            if !answer.blobs.isEmpty { answer.blobs[0].content[0] ^= 1 }
            return Array(try answer.serializedData() as Data)
        }
        return (laptop, phone)
    }

    @Test func `is named by a sync, which does all the rest`() async throws {
        let (laptop, phone) = try await lied()
        try phone.write("/mine.md", "mine")

        let error = await #expect(throws: LockbookError.self) { try await phone.sync() }

        guard case .badContent(let path, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(["/bad.md", "/fine.md"].contains(path))
        try await laptop.sync()
        #expect(try await laptop.text("/mine.md") == "mine")
        phone.faults.tellTruth()
        try await phone.sync()
        #expect(try await phone.text("/bad.md") == "good words")
        #expect(try await phone.text("/fine.md") == "fine")
    }

    @Test func `is left out by an export, which writes all the rest`() async throws {
        let (_, phone) = try await lied()
        await #expect(throws: LockbookError.self) { try await phone.sync() }
        let place = FileManager.default.temporaryDirectory
            .appending(path: "lockbook-export-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: place) }

        let report = try await phone.lockbook.export(
            .path("/"),
            to: place.path,
            options: ExportOptions()
        ) { _ in }

        #expect(report.problems.map(\.path).allSatisfy { ["/bad.md", "/fine.md"].contains($0) })
        #expect(!report.problems.isEmpty)
        #expect(FileManager.default.fileExists(atPath: place.path + "/old.md"))
    }
}

/// The same of what somebody else shares.
struct OtherSharedContentTests: SharingStories {
    let people: Sharers

    init() throws {
        people = try Sharers()
    }

    @Test func `is named by a sync as well, by the path that the member has`() async throws {
        let (laptop, desk) = try await shared(holding: ["plan.md"])
        try laptop.write("/team/plan.md", "another plan")
        try await laptop.sync()
        try desk.move("/team", to: "/ours")
        desk.faults.lie("/v1/blobs") { body in
            var answer = try Lockbook_V1_BlobsResponse(serializedBytes: Data(body))
            if !answer.blobs.isEmpty { answer.blobs[0].content[0] ^= 1 }
            return Array(try answer.serializedData() as Data)
        }
        let error = await #expect(throws: LockbookError.self) { try await desk.sync() }
        guard case .badContent(let path, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(path == "/ours/plan.md")
        desk.faults.tellTruth()
        try await desk.sync()
        #expect(try await desk.text("/ours/plan.md") == "another plan")
    }
}
