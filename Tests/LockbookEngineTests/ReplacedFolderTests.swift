import Foundation
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// The data folder is taken away while a command is at work, and a copy is put in its place.
struct ReplacedFolderTests {
    @Test(arguments: [1_000, 300_000])
    func `what is written meanwhile is refused, and not lost without a word`(count: Int)
        async throws
    {
        let laptop = try await Person("alice", on: TestServer()).firstDevice()
        let moved = laptop.directory + ".old"
        defer { try? FileManager.default.removeItem(atPath: moved) }
        var pieces = [[UInt8](repeating: 7, count: count)]
        let reason = "the account was removed from \(laptop.directory) meanwhile"

        #expect(throws: LockbookError.store(reason: reason)) {
            try laptop.lockbook.write(.path("/big"), append: false) {
                guard let piece = pieces.popLast() else { return nil }
                try FileManager.default.moveItem(atPath: laptop.directory, toPath: moved)
                try FileManager.default.copyItem(atPath: moved, toPath: laptop.directory)
                return piece
            }
        }
    }
}
