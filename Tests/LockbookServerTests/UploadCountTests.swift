import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf
import Testing

/// How many contents may be on their way at a time: each is a file.
struct UploadCountTests {
    private let server: TestServer
    private let ada: TestPerson
    private let bob: TestPerson

    /// Bob may write in a folder of ada's.
    init() async throws {
        server = try TestServer(uploadCount: 4)
        var (ada, bob, _) = try await TestPerson.three(at: server)
        var pub = try ada.file("pub", type: .folder)
        try await ada.push([ada.record(pub)], to: server)
        pub.scope = pub.id
        ada.head = try await ada.push(
            [
                ScopeChange(
                    scope: pub.id,
                    records: [ada.record(pub)],
                    grants: [ada.grant(pub.id, to: bob, .write)],
                    wraps: [ada.wrap(pub.id, for: bob)]
                )
            ],
            in: ada.account,
            after: try #require(ada.head),
            to: server
        )
        bob.folders = ada.folders
        (self.ada, self.bob) = (ada, bob)
    }

    private func begin(_ number: UInt8, of length: UInt64 = (1 << 20) + 1, by person: TestPerson)
        async throws
    {
        let segments = (0..<ContentFormat.segmentCount(of: length)).map { index in
            Hash256(sha256: [number, UInt8(index)])
        }
        let _: Lockbook_V1_UploadResponse = try await person.send(
            Lockbook_V1_UploadRequest.with {
                $0.name = Data(BlobName(length: length, segments: segments).hash.bytes)
                $0.length = length
                $0.segments = segments.map { Data($0.bytes) }
                $0.log = Data(ada.account.hash.bytes)
            },
            to: .upload,
            of: server
        )
    }

    @Test func `counts large ones, and others are none`() async throws {
        try await begin(1, by: ada)
        for length: UInt64 in [0, 1, 1 << 20] {
            await #expect(throws: Refused.malformed) {
                try await begin(2, of: length, by: ada)
            }
        }
    }

    @Test func `has an end, and a member leaves half of it to whose log it is`() async throws {
        try await begin(1, by: bob)
        try await begin(2, by: bob)
        await #expect(throws: Refused.tooLarge) { try await begin(3, by: bob) }
        try await begin(3, by: ada)
        try await begin(4, by: ada)
        await #expect(throws: Refused.tooLarge) { try await begin(5, by: ada) }
        // What has begun goes on.
        try await begin(4, by: ada)
        try await begin(1, by: bob)
    }
}
