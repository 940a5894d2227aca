import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookServer
import SwiftProtobuf
import Testing

/// A push of which something was read before other things were deleted.
struct PushWhileCollectingTests {
    @Test func `a push gets through between two collections, each time`() async throws {
        let (server, store) = try TestServer.withCollectingStore()
        var ada = try await TestPerson.ada(at: server)
        store.isCollecting = true
        // Of which one is a row, and one a file.
        for (name, size) in [("a.md", 100), ("b.md", 100_000)] {
            let words = [UInt8](repeating: 7, count: size)
            let record = try ada.record(ada.file(name, blob: words))
            let response = try await ada.push([record], blobs: [words], to: server)
            #expect(response.outcome == .accepted(Lockbook_V1_Accepted()))
            #expect(try await ada.finds(words, at: server))
        }
        let staged = try ada.record(ada.file("c.md"))
        try await ada.stage([staged], at: server)
        let response = try await ada.push([staged], inline: false, to: server)
        #expect(response.outcome == .accepted(Lockbook_V1_Accepted()))
        #expect(try await ada.pull(after: nil, from: server).entries.count == 4)
    }

    @Test func `an account that is deleted makes nobody else begin anew`() async throws {
        let server = try TestServer()
        let eve = try await TestPerson.three(at: server).eve
        let before = try await server.folder.store.read { try $0.collectionMark() }
        let end = try AccountEnd(created: Timestamp(milliseconds: 7), by: eve.keys)
        let _: Lockbook_V1_EndResponse = try await eve.send(
            Lockbook_V1_EndRequest.with { $0.end = Data(end.bytes) },
            to: .end,
            of: server
        )
        let after = try await server.folder.store.read { try $0.collectionMark() }
        #expect(after == before)
    }
}
