import Foundation
import HTTPTypes
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookServer
import SwiftProtobuf
import Testing

/// The end of an upload that takes a disk long.
struct LargeUploadTests {
    /// Under the hold in which files and rows are brought together nobody else can place a content.
    @Test(.timeLimit(.minutes(60)))
    func `while a disk writes what came of an upload others place theirs`() async throws {
        var slow: SlowBlobStore?
        let server = try TestServer(blobs: { real in
            let store = SlowBlobStore(real)
            slow = store
            return store
        })
        let store = try #require(slow)
        let (ada, bob, _) = try await TestPerson.three(at: server)
        let content = [UInt8](repeating: 7, count: (1 << 20) + 1)
        let parts = [content[..<(1 << 20)], content[(1 << 20)...]]
        let segments = parts.map { Hash256(sha256: Array($0)) }
        let name = BlobName(length: UInt64(content.count), segments: segments)
        let request = Lockbook_V1_UploadRequest.with {
            $0.name = Data(name.hash.bytes)
            $0.length = UInt64(content.count)
            $0.segments = segments.map { Data($0.bytes) }
        }
        let begun: Lockbook_V1_UploadResponse = try await ada.send(
            request,
            to: .upload,
            of: server
        )
        #expect(begun.nextSegment == 0)
        let path = "\(Endpoint.upload.path)/\(name)/0"
        async let answer = ada.raw(.put, path, body: content, of: server)
        await store.waitForFlush()
        let other = [UInt8](repeating: 8, count: 100_000)
        try await bob.stage([], blobs: [other], at: server)
        #expect(try await bob.finds(other, at: server))
        store.goOn()
        let ended = try await Lockbook_V1_UploadResponse(serializedBytes: answer)
        #expect(ended.nextSegment == 2)
    }
}
