import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookEngine
import LockbookModel
import LockbookTestSupport
import SwiftProtobuf
import Testing

/// Checkpoints that are old, of a later format, or none at all.
extension SharedCheckpointLiesTests {
    @Test func `an old checkpoint is none for a device that knew more`() async throws {
        try await letGo()
        let notebook = try await bob.device(named: "notebook", like: desk, synced: false)
        let kept = Seen()
        notebook.faults.lie("/v1/pull") { body in
            let response = try Lockbook_V1_PullResponse(serializedBytes: Data(body))
            for log in response.logs where log.hasCheckpoint {
                kept.add([Array(try log.checkpoint.serializedData() as Data)])
            }
            return body
        }
        try await notebook.sync()
        notebook.faults.tellTruth()
        let old = try Lockbook_V1_CheckpointPage(serializedBytes: try #require(kept.states.first))
        try laptop.write("/team/plan.md", "newer")
        try await laptop.sync()
        try await desk.sync()
        try await notebook.sync()
        try laptop.write("/team/plan.md", "newest")
        try await laptop.sync()
        try await letGo()
        try await isRefused(by: notebook) { $0 = old }
        try await notebook.sync()
        #expect(try await notebook.text("/team/plan.md") == "newest")
        try await converge(bob, desk, notebook)
    }

    @Test func `a checkpoint of a later format asks for an update, and nothing changes`()
        async throws
    {
        try await letGo()
        let notebook = try await bob.device(named: "notebook", like: desk, synced: false)
        notebook.lieAboutLogs { log in
            if log.hasCheckpoint { log.checkpoint.checkpoint[0] = 3 }
        }
        await #expect {
            try await notebook.sync()
        } throws: { error in
            if case LockbookError.updateNeeded = error { true } else { false }
        }
        notebook.faults.tellTruth()
        try await notebook.sync()
        try await converge(bob, desk, notebook)
    }

    @Test func `a server that knows no checkpoint of shares keeps nobody from syncing`()
        async throws
    {
        let signing = try laptop.again(signingAfter: 1)
        signing.faults.refuse("/v1/checkpoint") { _ in
            let answer = Lockbook_V1_ErrorResponse.with { $0.code = .updateNeeded }
            return (426, Array(try answer.serializedData() as Data))
        }
        try signing.write("/team/plan.md", "one")
        try await signing.sync()
        try signing.write("/team/plan.md", "two")
        try await signing.sync()
        try await desk.sync()
        #expect(try await desk.text("/team/plan.md") == "two")
        // It is tried again when as much lies behind as before.
        for number in 0..<4 { try laptop.write("/more/\(number).md", "") }
        try await letGo()
        #expect(try await people.server.bodiesFrom("ada") > 0)
        try await converge(ada, laptop)
    }

    @Test func `no header is taken in from behind the entry that a checkpoint is of`()
        async throws
    {
        try await letGo()
        let phone = try await ada.device(named: "phone", like: laptop, synced: false)
        let pages = Seen()
        try await isRefused(by: phone) { page in
            pages.add([Array(page.checkpoint)])
            guard let bytes = page.headers.last else { return }
            let last = try EntryHeader(Array(bytes))
            // By somebody whom this device does not know, whose signature it cannot check.
            var made = try EntryHeader(Array(last.bytes.prefix(33)) + Self.behind(last))
            for _ in 0..<3 {
                page.headers.append(Data(made.bytes))
                made = try EntryHeader(Array(made.bytes.prefix(33)) + Self.behind(made))
            }
            page.items = []
            page.complete = false
        }
        #expect(pages.states.count == 1)
    }

    /// What a header that nobody signed has after format and log, where it stands behind another one.
    private static func behind(_ last: EntryHeader) -> [UInt8] {
        let position = last.position + 1
        let bytes = (0..<8).reversed().map { UInt8(truncatingIfNeeded: position >> (8 * $0)) }
        let unknown = Array(repeating: UInt8(7), count: 225 - 33 - 8 - 32)
        return bytes + last.hash.bytes + unknown
    }

    @Test func `a checkpoint that its owner has not signed is none`() async throws {
        try await letGo()
        let notebook = try await bob.device(named: "notebook", like: desk, synced: false)
        try await isRefused(by: notebook) { page in
            // The author's device: behind format, log, head, states and author.
            let index = page.checkpoint.count - 64 - 4 - 8 - 1
            page.checkpoint[index] ^= 1
        }
        // A header that is not of the head that he signed, or none.
        try await isRefused(by: notebook) { $0.headers[0][200] ^= 1 }
        try await isRefused(by: notebook) { $0.headers = [] }
    }
}
