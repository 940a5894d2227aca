import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// Files of contents that nothing names any more.
struct SweepLaterTests {
    let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    @Test func `go when they are old enough, also with a sync that has nothing to do`() async throws
    {
        let laptop = try await alice.firstDevice()
        // Random, or it would be small.
        var random = SystemRandomNumberGenerator()
        let large = (0..<400_000).map { _ in "\(UInt8.random(in: 0...255, using: &random))" }
            .joined()
        try laptop.write("/large", large)
        try await laptop.sync()
        func files() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: laptop.directory + "/blobs").count
        }
        #expect(try files() == 1)
        _ = try laptop.lockbook.purge([.path("/large")])
        #expect(try await laptop.sync().purged == ["/large"])
        // Another process may be about to name a young one.
        try await laptop.sync()
        #expect(try files() == 1)
        laptop.clock.pass(days: 1)
        let report = try await laptop.sync()
        #expect(report.pushed.isEmpty && report.pulled.isEmpty)
        #expect(try files() == 0)
    }
}
