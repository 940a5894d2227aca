import Foundation
import HTTPTypes
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf
import Testing

@testable import LockbookServer

/// What a disk did not take it says once: whoever asks again is told that all is well.
struct FailedSynchronizingTests {
    let server: TestServer
    let ada: TestPerson
    let name: BlobName
    let segments: [Hash256]
    let content = [UInt8](repeating: 7, count: (1 << 20) + 1)

    init() async throws {
        server = try TestServer()
        ada = try await TestPerson.ada(at: server)
        segments = [content[..<(1 << 20)], content[(1 << 20)...]].map { Hash256(sha256: Array($0)) }
        name = BlobName(length: UInt64(content.count), segments: segments)
    }

    private var path: String { server.folder.blobs.uploadPath(name, of: ada.account) }

    /// Puts something in the place of an upload that can be written, and not be made durable.
    private func spoil() throws {
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(
            atPath: path,
            withDestinationPath: "/dev/null"
        )
    }

    private var isThere: Bool { SystemFolder.exists(path) }

    @Test func `an upload that a disk does not take is thrown away`() throws {
        let blobs = server.folder.blobs
        #expect(try blobs.begin(name, of: ada.account))
        try spoil()
        #expect(throws: SystemFailure.self) { try blobs.flush(name, of: ada.account) }
        #expect(!isThere)
        #expect(try blobs.begin(name, of: ada.account))
        try spoil()
        #expect(throws: SystemFailure.self) { try blobs.finish(name, of: ada.account) }
        #expect(!isThere)
        #expect(blobs.state(of: name, of: ada.account) == nil)
    }

    @Test func `so is what came into a folder that a disk does not take`() throws {
        let blobs = server.folder.blobs
        #expect(try blobs.begin(name, of: ada.account))
        // A folder that cannot be made durable.
        #expect(throws: SystemFailure.self) {
            try blobs.synchronize(["/proc/self"], of: ada.account, holding: [path])
        }
        #expect(!isThere)
    }

    @Test func `an upload that could not be ended comes anew`() async throws {
        let request = Lockbook_V1_UploadRequest.with {
            $0.name = Data(name.hash.bytes)
            $0.length = UInt64(content.count)
            $0.segments = segments.map { Data($0.bytes) }
        }
        let address = "\(Endpoint.upload.path)/\(name)"
        func begin() async throws -> UInt32 {
            let begun: Lockbook_V1_UploadResponse = try await ada.send(
                request,
                to: .upload,
                of: server
            )
            return begun.nextSegment
        }
        #expect(try await begin() == 0)
        let first = Array(content.prefix(1 << 20))
        _ = try await ada.raw(.put, "\(address)/0", body: first, of: server)
        #expect(try await begin() == 1)
        try spoil()
        await #expect(throws: Refused.unavailable) {
            _ = try await ada.raw(.put, "\(address)/1", body: [7], of: server)
        }
        #expect(try await begin() == 0)
        let end = try await ada.raw(.put, "\(address)/0", body: content, of: server)
        #expect(try Lockbook_V1_UploadResponse(serializedBytes: end).nextSegment == 2)
    }
}
