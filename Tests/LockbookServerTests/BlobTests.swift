import Foundation
import HTTPTypes
import LockbookAPI
import LockbookCrypto
import LockbookModel
import NIOCore
import SwiftProtobuf
import Testing

@testable import LockbookServer

struct BlobTests {
    let server: TestServer
    var ada: TestPerson
    // Two whole segments and a bit.
    let large = [1 << 20, 1 << 20, 1_000].enumerated().flatMap { index, count in
        [UInt8](repeating: UInt8(index + 1), count: count)
    }

    init() async throws {
        server = try TestServer()
        ada = try await TestPerson.ada(at: server)
    }

    private var segments: [ArraySlice<UInt8>] {
        stride(from: 0, to: large.count, by: 1 << 20).map {
            large[$0..<min($0 + 1 << 20, large.count)]
        }
    }

    private func begin(at server: TestServer) async throws -> Int {
        try await begin(large, by: ada, at: server)
    }

    private func begin(_ bytes: [UInt8], by person: TestPerson, at server: TestServer)
        async throws -> Int
    {
        var request = Lockbook_V1_UploadRequest()
        request.name = Data(BlobName(of: bytes).hash.bytes)
        request.length = UInt64(bytes.count)
        request.segments = stride(from: 0, to: bytes.count, by: 1 << 20).map {
            Data(Hash256(sha256: bytes[$0..<min($0 + 1 << 20, bytes.count)]).bytes)
        }
        let response: Lockbook_V1_UploadResponse = try await person.send(
            request,
            to: .upload,
            of: server
        )
        return Int(response.nextSegment)
    }

    private func put(_ first: Int, _ bytes: some Sequence<UInt8>, at server: TestServer)
        async throws -> Int
    {
        let bytes = try await ada.raw(
            .put,
            "\(Endpoint.upload.path)/\(BlobName(of: large))/\(first)",
            body: Array(bytes),
            of: server
        )
        return Int(try Lockbook_V1_UploadResponse(serializedBytes: bytes).nextSegment)
    }

    private func get(_ first: Int, _ count: Int, at server: TestServer? = nil) async throws
        -> [UInt8]
    {
        try await ada.raw(
            .get,
            "\(Endpoint.blob.path)/\(BlobName(of: large))/\(first)/\(count)",
            of: server ?? self.server
        )
    }

    @Test mutating func `a large blob comes in segments and goes out in segments`() async throws {
        #expect(try await begin(at: server) == 0)
        #expect(try await put(0, segments[0], at: server) == 1)
        #expect(try await put(0, segments[0], at: server) == 1, "again")
        #expect(try await put(1, segments[1] + segments[2], at: server) == 3)
        #expect(try await begin(at: server) == 3)
        #expect(try await get(0, 4) == large)
        #expect(try await get(2, 1) == Array(segments[2]))
        var names = Lockbook_V1_SegmentsRequest()
        names.name = Data(BlobName(of: large).hash.bytes)
        let found: Lockbook_V1_SegmentsResponse = try await ada.send(
            names,
            to: .segments,
            of: server
        )
        #expect(found.length == UInt64(large.count))
        #expect(found.segments == segments.map { Data(Hash256(sha256: $0).bytes) })
        var file = try ada.file("large.bin", blob: large)
        file.content?.blobSize = UInt64(large.count)
        let response = try await ada.push([ada.record(file)], to: server)
        #expect(response.outcome == .accepted(Lockbook_V1_Accepted()))
    }

    @Test func `an upload goes on where it stopped, in a new process too`() async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "lockbook-upload-\(UUID().uuidString)").path
        var first: TestServer? = try TestServer(at: path)
        let folder = path + "-copy"
        var ada = ada
        if let first {
            try await ada.register(at: first)
            #expect(try await begin(at: first) == 0)
            #expect(try await put(0, segments[0], at: first) == 1)
            #expect(try await put(2, segments[2], at: first) == 1, "what is missing is named")
            try FileManager.default.copyItem(atPath: path, toPath: folder)
        }
        first = nil
        let second = try TestServer(at: folder)
        #expect(try await begin(at: second) == 1)
        #expect(try await put(1, segments[1], at: second) == 2, "what came apart is not counted")
        #expect(try await put(2, segments[2], at: second) == 3)
    }

    @Test mutating func `of more uploads than there is room to know of each goes on`() async throws
    {
        let server = try TestServer(uploadSegmentCount: 5)
        var ben = try TestPerson("ben", seed: 2)
        try await ada.register(at: server)
        try await ben.register(at: server)
        let other = [UInt8](repeating: 9, count: 2 << 20)
        let account = try await server.folder.store.read { [ada] in
            try $0.account(id: ada.account)?.key
        }
        let key = try #require(account)
        func isKnown() async -> Bool {
            await server.server.uploads.progress(of: BlobName(of: large), for: key) != nil
        }
        #expect(try await begin(at: server) == 0)
        #expect(try await put(0, segments[0], at: server) == 1)
        #expect(await isKnown())
        #expect(try await begin(other, by: ben, at: server) == 0, "five are known")
        #expect(await isKnown())

        #expect(try await begin(other, by: ada, at: server) == 0)

        #expect(await !isKnown(), "who has the most gives it up")
        #expect(try await put(2, segments[2], at: server) == 1)
        #expect(await isKnown())
        #expect(try await put(1, segments[1] + segments[2], at: server) == 3)
        #expect(try await get(0, 4, at: server) == large)
    }

    @Test func `an upload that was given up for two days begins again`() async throws {
        #expect(try await begin(at: server) == 0)
        #expect(try await put(0, segments[0], at: server) == 1)
        server.clock.advance(by: 49 * 3_600)
        try await server.server.collect()
        await #expect(throws: Refused.notFound) {
            try await put(1, segments[1] + segments[2], at: server)
        }
        #expect(try await begin(at: server) == 0, "its file is gone")
        #expect(try await put(1, segments[1] + segments[2], at: server) == 0)
        #expect(try await put(0, segments[0], at: server) == 3)
        #expect(try await get(0, 4) == large)
    }

    @Test func `an upload that takes longer than two days goes on`() async throws {
        #expect(try await begin(at: server) == 0)
        for (index, segment) in segments.enumerated() {
            server.clock.advance(by: 40 * 3_600)
            try await server.server.collect()
            #expect(try await put(index, segment, at: server) == index + 1)
        }
        #expect(try await get(0, 4) == large)
    }

    @Test func `an upload whose row could not be written goes on when there is room`()
        async throws
    {
        let (server, store) = try TestServer.withFullStore()
        var ada = ada
        try await ada.register(at: server)
        #expect(try await begin(at: server) == 0)
        #expect(try await put(0, segments[0] + segments[1], at: server) == 2)
        store.isFull = true
        await #expect(throws: Refused.unavailable) { try await put(2, segments[2], at: server) }
        await #expect(throws: Refused.unavailable) { try await begin(at: server) }
        store.isFull = false

        // Its file has the name of a whole one, and this part alone must not take its place.
        await #expect(throws: Refused.notFound) { try await put(2, segments[2], at: server) }
        #expect(try await begin(at: server) == 3)
        #expect(try await get(0, 4, at: server) == large)
    }

    @Test func `a segment that comes when the upload is finished changes nothing`() async throws {
        #expect(try await begin(at: server) == 0)
        #expect(try await put(0, segments[0] + segments[1], at: server) == 2)
        #expect(try await put(2, segments[2], at: server) == 3)
        let bytes = ByteBuffer(bytes: segments[2]).readableBytesView
        let isWritten = try server.folder.blobs.write(
            bytes,
            at: 2 << 20,
            to: BlobName(of: large),
            of: ada.account
        )
        #expect(!isWritten)
        #expect(try await get(0, 4) == large)
        let uploads = server.path + "/blobs/uploads"
        #expect(try FileManager.default.contentsOfDirectory(atPath: uploads).isEmpty)
    }

    @Test func `segments that were not announced are refused`() async throws {
        await #expect(throws: Refused.notFound) { try await put(0, segments[0], at: server) }
        _ = try await begin(at: server)
        await #expect(throws: Refused.malformed) { try await put(1, segments[0], at: server) }
        await #expect(throws: Refused.malformed) {
            try await put(0, segments[0].dropLast(), at: server)
        }
        await #expect(throws: Refused.malformed) { try await put(3, segments[2], at: server) }
        await #expect(throws: Refused.malformed) { try await put(2, segments[2] + [0], at: server) }
        await #expect(throws: Refused.malformed) { try await put(0, [], at: server) }
        #expect(try await begin(at: server) == 0)
    }

    @Test func `a name that is not its segments' is refused`() async throws {
        var request = Lockbook_V1_UploadRequest()
        request.name = Data(BlobName(of: large).hash.bytes)
        request.length = UInt64(large.count) - 1
        request.segments = segments.map { Data(Hash256(sha256: $0).bytes) }
        await #expect(throws: Refused.malformed) {
            let _: Lockbook_V1_UploadResponse = try await ada.send(
                request,
                to: .upload,
                of: server
            )
        }
        request.length = Wire.maximumBlobByteCount + 1
        await #expect(throws: Refused.tooLarge) {
            let _: Lockbook_V1_UploadResponse = try await ada.send(
                request,
                to: .upload,
                of: server
            )
        }
    }

    @Test func `a blob of somebody else is not there`() async throws {
        _ = try await begin(at: server)
        _ = try await put(0, large, at: server)
        var bob = try TestPerson("bob", seed: 2)
        try await bob.register(at: server)
        await #expect(throws: Refused.notFound) {
            try await bob.raw(
                .get,
                "\(Endpoint.blob.path)/\(BlobName(of: large))/0/1",
                of: server
            )
        }
        var names = Lockbook_V1_BlobsRequest()
        names.names = [Data(BlobName(of: large).hash.bytes)]
        let found: Lockbook_V1_BlobsResponse = try await bob.send(names, to: .blobs, of: server)
        #expect(found.blobs.isEmpty)
    }

    @Test(arguments: [1, 64 << 10, (64 << 10) + 1, 1 << 20])
    func `small blobs come back, from rows and from files`(_ size: Int) async throws {
        let blob = [UInt8](repeating: 7, count: size)
        try await ada.stage([], blobs: [blob], at: server)
        try await ada.stage([], blobs: [blob], at: server)
        var names = Lockbook_V1_BlobsRequest()
        names.names = [Data(BlobName(of: blob).hash.bytes)]
        let found: Lockbook_V1_BlobsResponse = try await ada.send(names, to: .blobs, of: server)
        #expect(found.blobs == [Lockbook_V1_Blob(of: blob)])
        #expect(
            try await ada.raw(
                .get,
                "\(Endpoint.blob.path)/\(BlobName(of: blob))/0/1",
                of: server
            ) == blob
        )
    }

    @Test func `an answer of blobs ends where it is full`() async throws {
        var names = Lockbook_V1_BlobsRequest()
        for number in 0..<10 {
            let blob = [UInt8](repeating: UInt8(number), count: 1 << 20)
            try await ada.stage([], blobs: [blob], at: server)
            names.names.append(Data(BlobName(of: blob).hash.bytes))
        }
        let found: Lockbook_V1_BlobsResponse = try await ada.send(names, to: .blobs, of: server)
        #expect(found.blobs.map(\.name) == Array(names.names.prefix(7)))
    }

    @Test func `a large one among small ones is refused`() async throws {
        await #expect(throws: Refused.tooLarge) {
            try await ada.stage([], blobs: [large], at: server)
        }
    }
}
