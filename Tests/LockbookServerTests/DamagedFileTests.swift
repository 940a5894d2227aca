import Foundation
import Glibc
import HTTPTypes
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookServer
import SwiftProtobuf
import Testing

/// Files of contents that a disk lost or damaged: each counts as not there, and keeps nothing else back.
struct DamagedFileTests {
    /// What may be wrong with a file.
    enum Harm: CaseIterable {
        case gone
        case cut
        case empty
        case folder
        case link
        case pipe
        case socket

        /// What the log says of it.
        var reason: String {
            switch self {
            case .gone: "open: No such file or directory"
            case .cut: "it ends after 1000 bytes"
            case .empty: "it ends after 0 bytes"
            case .folder: "read: Is a directory"
            case .link: "open: Too many levels of symbolic links"
            case .pipe: "read: Illegal seek"
            case .socket: "open: No such device or address"
            }
        }

        func happen(to path: String) throws {
            let url = URL(fileURLWithPath: path)
            let bytes = try Data(contentsOf: url)
            switch self {
            case .gone: try FileManager.default.removeItem(at: url)
            case .cut: try bytes.prefix(1_000).write(to: url)
            case .empty: try Data().write(to: url)
            case .folder:
                try FileManager.default.removeItem(at: url)
                try FileManager.default.createDirectory(
                    at: url,
                    withIntermediateDirectories: false
                )
            case .link:
                try FileManager.default.removeItem(at: url)
                try FileManager.default.createSymbolicLink(
                    atPath: path,
                    withDestinationPath: url.lastPathComponent
                )
            case .pipe: try replace(path, by: S_IFIFO)
            case .socket: try replace(path, by: S_IFSOCK)
            }
        }

        private func replace(_ path: String, by kind: mode_t) throws {
            try FileManager.default.removeItem(atPath: path)
            try #require(mknod(path, kind | 0o600, 0) == 0)
        }
    }

    private let log = TestLog()
    private let server: TestServer
    private let ada: TestPerson

    init() async throws {
        server = try TestServer(log: log)
        ada = try await TestPerson.ada(at: server)
    }

    private func content(_ byte: UInt8, _ count: Int = 150_000) -> [UInt8] {
        [UInt8](repeating: byte, count: count)
    }

    private func path(of blob: [UInt8]) -> String {
        let name = BlobName(of: blob).description
        let owner = ada.account.description.prefix(32)
        return "\(server.path)/blobs/\(owner)/\(name.prefix(2))/\(name)"
    }

    private func found(_ blobs: [[UInt8]]) async throws -> [Lockbook_V1_Blob] {
        var names = Lockbook_V1_BlobsRequest()
        names.names = blobs.map { Data(BlobName(of: $0).hash.bytes) }
        let found: Lockbook_V1_BlobsResponse = try await ada.send(names, to: .blobs, of: server)
        return found.blobs
    }

    private func get(_ blob: [UInt8], _ first: Int, _ count: Int) async throws -> [UInt8] {
        try await ada.raw(
            .get,
            "\(Endpoint.blob.path)/\(BlobName(of: blob))/\(first)/\(count)",
            of: server
        )
    }

    /// Sends a blob of at most four segments.
    private func upload(_ blob: [UInt8]) async throws {
        var request = Lockbook_V1_UploadRequest()
        request.name = Data(BlobName(of: blob).hash.bytes)
        request.length = UInt64(blob.count)
        request.segments = stride(from: 0, to: blob.count, by: 1 << 20).map {
            Data(Hash256(sha256: blob[$0..<min($0 + 1 << 20, blob.count)]).bytes)
        }
        let _: Lockbook_V1_UploadResponse = try await ada.send(request, to: .upload, of: server)
        _ = try await ada.raw(
            .put,
            "\(Endpoint.upload.path)/\(BlobName(of: blob))/0",
            body: blob,
            of: server
        )
    }

    private func line(_ blob: [UInt8], _ reason: String) -> String {
        "the file of a content is missing or damaged: put it back from a copy of the folder "
            + "file=\(BlobName(of: blob)) reason=\(reason)"
    }

    @Test(arguments: Harm.allCases)
    func `one is left out among others, and the log names it`(_ harm: Harm) async throws {
        let blobs = [content(1), content(2), content(3)]
        try await ada.stage([], blobs: blobs, at: server)
        try harm.happen(to: path(of: blobs[0]))

        #expect(try await found(blobs) == blobs.dropFirst().map(Lockbook_V1_Blob.init(of:)))

        #expect(log.lines == [line(blobs[0], harm.reason)])
        await #expect(throws: Refused.notFound) { try await get(blobs[0], 0, 1) }
    }

    @Test(arguments: Harm.allCases)
    func `of a large one no part is there`(_ harm: Harm) async throws {
        let blob = content(1, 2_500_000)
        try await upload(blob)
        #expect(try await get(blob, 0, 3) == blob)
        try harm.happen(to: path(of: blob))
        await #expect(throws: Refused.notFound) { try await get(blob, 0, 3) }
        #expect(log.lines == [line(blob, harm.reason)])
        await #expect(throws: Refused.notFound) { try await get(blob, 2, 1) }
    }

    @Test func `of a large one that was cut off what is there still comes`() async throws {
        let blob = content(1, 2_500_000)
        try await upload(blob)
        let url = URL(fileURLWithPath: path(of: blob))
        try Data(blob.prefix(2_000_000)).write(to: url)
        #expect(try await get(blob, 0, 1) == Array(blob.prefix(1 << 20)))
        await #expect(throws: Refused.notFound) { try await get(blob, 1, 1) }
        #expect(log.lines == [line(blob, "it ends after 2000000 bytes")])
    }

    @Test(arguments: Harm.allCases.filter { $0 != .folder })
    func `one that is sent again takes its place`(_ harm: Harm) async throws {
        let blob = content(1)
        try await ada.stage([], blobs: [blob], at: server)
        try harm.happen(to: path(of: blob))
        try await ada.stage([], blobs: [blob], at: server)
        #expect(try await found([blob]) == [Lockbook_V1_Blob(of: blob)])
        #expect(log.lines.isEmpty)
    }

    @Test func `one with other bytes gives way to what is sent again, too`() async throws {
        let blob = content(1)
        try await ada.stage([], blobs: [blob], at: server)
        var bytes = blob
        bytes[70_000] ^= 1
        try Data(bytes).write(to: URL(fileURLWithPath: path(of: blob)))
        try await ada.stage([], blobs: [blob], at: server)
        #expect(try await found([blob]) == [Lockbook_V1_Blob(of: blob)])
    }

    @Test(arguments: [Harm.pipe, .socket])
    func `what is in the place of one that nothing names begins no upload`(_ harm: Harm)
        async throws
    {
        let blob = content(1, 2_500_000)
        try server.folder.blobs.put([(BlobName(of: blob), content(2))], of: ada.account)
        try harm.happen(to: path(of: blob))
        try await upload(blob)
        #expect(try await get(blob, 0, 3) == blob)
    }
}
