import Foundation
import LockbookCrypto
import LockbookModel
import LockbookServer
import Testing

/// A collection on a disk that is nearly full: what it deletes would make room.
struct NarrowCollectionTests {
    @Test func `where there is little room less goes at a time, and all in the end`()
        async throws
    {
        let (server, store) = try TestServer.withFullStore()
        var ada = try TestPerson("ada", seed: 1)
        try await ada.register(at: server)
        let records = try (0..<40).map { try ada.record(ada.file("\($0).md")) }
        let blobs = (0..<6 as Range<UInt8>).map { [UInt8](repeating: $0, count: 100_000) }
        try await ada.stage(records, blobs: blobs, at: server)
        server.clock.advance(by: 3 * 86_400)
        store.mostRows = 4
        #expect(try await server.server.collect() == 46)
        for blob in blobs { #expect(try await !ada.finds(blob, at: server)) }
        let files = FileManager.default.enumerator(atPath: server.path + "/blobs")?
            .compactMap { $0 as? String }.filter { $0.utf8.count > 64 }
        #expect(files == [])
    }
}
