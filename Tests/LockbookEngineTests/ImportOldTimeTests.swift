import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// Files that are changed, and get the time back that they had.
struct ImportOldTimeTests {
    let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    @Test(arguments: [false, true])
    func `a change under the old time is named where the note was changed, too`(isLarge: Bool)
        async throws
    {
        let laptop = try await alice.firstDevice()
        // Every file was written long ago.
        laptop.clock.pass(days: 1)
        let place = try Place()
        let rest = isLarge ? String(repeating: " long", count: 100_000) : ""
        func write(_ text: String) throws {
            try place.write("note.md", text + rest)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)],
                ofItemAtPath: place.url.path + "/note.md"
            )
        }
        func take() throws -> TransferReport {
            try laptop.lockbook.importFromDisk(["\(place.url.path)/."], to: "/") { _ in }
        }
        try write("taken in")
        #expect(try take().created == 1)
        try laptop.write("/note.md", "changed here")
        // As it was taken in, nothing happened to it.
        try write("taken in")
        #expect(try take().unchanged == 1)

        try write("changed there")
        for _ in 0..<2 {
            let report = try take()
            #expect(report.unchanged == 0)
            #expect(
                report.problems.map(\.reason) == [
                    "the note was changed in the lockbook; --force takes the file's text"
                ]
            )
            #expect(try await laptop.text("/note.md") == "changed here")
        }
    }
}
