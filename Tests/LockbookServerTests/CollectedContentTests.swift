import Foundation
import HTTPTypes
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookServer
import SwiftProtobuf
import Testing

/// A content that a collection takes while somebody asks for it.
struct CollectedContentTests {
    private let log = TestLog()

    /// Whoever runs the server would look for a backup of it.
    @Test(arguments: [false, true])
    func `is not here, and is not told as lost`(isAlone: Bool) async throws {
        let (server, store) = try TestServer.withInterruptedStore(log: log)
        var ada = try TestPerson("ada", seed: 1)
        try await ada.register(at: server)
        let content = [UInt8](repeating: 7, count: 150_000)
        try await ada.stage([], blobs: [content], at: server)
        server.clock.advance(by: 3 * 86_400)
        // The account is looked up first, and then the content.
        store.interrupt(after: 2) { try await server.server.collect() }
        let name = BlobName(of: content)
        if isAlone {
            await #expect(throws: Refused.notFound) {
                _ = try await ada.raw(.get, "\(Endpoint.blob.path)/\(name)/0/1", of: server)
            }
        } else {
            let names = Lockbook_V1_BlobsRequest.with { $0.names = [Data(name.hash.bytes)] }
            let answer: Lockbook_V1_BlobsResponse = try await ada.send(
                names,
                to: .blobs,
                of: server
            )
            #expect(answer.blobs.isEmpty)
        }
        #expect(try await !ada.finds(content, at: server))
        #expect(log.lines.isEmpty)
    }
}
