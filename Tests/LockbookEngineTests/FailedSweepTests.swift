import Foundation
import LockbookAPI
import LockbookEngine
import LockbookTestSupport
import SwiftProtobuf
import Testing

/// What is left over of contents, where syncs fail of something that keeps nothing else.
struct FailedSweepTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    @Test func `goes also with a sync that fails in the end`() async throws {
        let (_, desk) = try await shared()
        desk.faults.lie("/v1/pull") { body in
            var response = try Lockbook_V1_PullResponse(serializedBytes: Data(body))
            // No certificate.
            response.offers = [Data([7])]
            return Array(try response.serializedData() as Data)
        }
        let folder = desk.directory + "/blobs"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        let file = folder + "/" + String(repeating: "0", count: 64)
        try Data([1]).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)],
            ofItemAtPath: file
        )
        try desk.write("/own.md", "own")
        await #expect(throws: LockbookError.self) { try await desk.sync() }
        #expect(!FileManager.default.fileExists(atPath: file))
    }
}
