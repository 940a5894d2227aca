import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// Files of contents beside another account's tree that nothing names any more.
struct SharedSweepTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    @Test func `go like one's own`() async throws {
        let (_, desk) = try await shared()
        let shares = desk.directory + "/shares"
        let owner = try #require(FileManager.default.contentsOfDirectory(atPath: shares).first)
        let blobs = "\(shares)/\(owner)/blobs"
        try FileManager.default.createDirectory(
            atPath: blobs,
            withIntermediateDirectories: true
        )
        // It was fetched when the link broke, and has another content since.
        let left = blobs + "/part-" + String(repeating: "0a", count: 32)
        try Data("left".utf8).write(to: URL(filePath: left))
        try desk.write("/own.md", "own")
        try await desk.sync()
        // Another process may be at it.
        #expect(FileManager.default.fileExists(atPath: left))
        desk.clock.pass(days: 1)
        let report = try await desk.sync()
        #expect(report.pushed.isEmpty && report.pulled.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: left))
    }
}
