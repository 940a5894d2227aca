import Foundation
import HTTPTypes
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf
import Testing

@testable import LockbookServer

/// Files of contents that no row names, as where a database was put back that is older than they are:
/// their owner has them again by naming them.
struct TakenOverFileTests {
    private let log = TestLog()
    private let server: TestServer
    private let ada: TestPerson

    init() async throws {
        server = try TestServer(
            clock: TestClock(Int64(Date().timeIntervalSince1970)),
            log: log
        )
        ada = try await TestPerson.ada(at: server)
    }

    private static func content(_ byte: UInt8, _ count: Int = 150_000) -> [UInt8] {
        [UInt8](repeating: byte, count: count)
    }

    /// Leaves a file under the name of a content, with its bytes or with other ones.
    private func leave(
        _ content: [UInt8],
        with bytes: [UInt8]? = nil,
        at server: TestServer? = nil
    ) throws {
        let blob = (name: BlobName(of: content), bytes: bytes ?? content)
        try (server ?? self.server).folder.blobs.put([blob], of: ada.account)
    }

    private func path(of content: [UInt8]) -> String {
        let name = BlobName(of: content).description
        return
            "\(server.path)/blobs/\(ada.account.description.prefix(32))/\(name.prefix(2))/\(name)"
    }

    private func usage(at server: TestServer) async throws -> UInt64 {
        let id = ada.account
        return try await server.folder.store.read { store in
            let account = try #require(try store.account(id: id))
            return try store.usage(of: account.key)
        }
    }

    private func get(_ content: [UInt8], _ count: Int = 1) async throws -> [UInt8] {
        let path = "\(Endpoint.blob.path)/\(BlobName(of: content))/0/\(count)"
        return try await ada.raw(.get, path, of: server)
    }

    /// Pushes a document with this content, without its bytes.
    private func push(_ content: [UInt8], by ada: inout TestPerson, to server: TestServer)
        async throws -> Lockbook_V1_PushResponse.OneOf_Outcome?
    {
        let name = "\(BlobName(of: content))"
        let record = try ada.record(ada.file(name, blob: content))
        return try await ada.push([record], to: server).outcome
    }

    private func name(_ content: [UInt8]) -> Data { Data(BlobName(of: content).hash.bytes) }

    private let accepted = Lockbook_V1_PushResponse.OneOf_Outcome.accepted(Lockbook_V1_Accepted())

    /// That a content has to be sent first.
    private func missing(_ content: [UInt8]) -> Lockbook_V1_PushResponse.OneOf_Outcome {
        .missing(.with { $0.blobs = [name(content)] })
    }

    /// Which of these contents the server would be sent.
    private func wanted(_ contents: [[UInt8]], by ada: TestPerson, at server: TestServer)
        async throws -> [Data]
    {
        let answer: Lockbook_V1_MissingResponse = try await ada.send(
            Lockbook_V1_MissingRequest.with { $0.blobs = contents.map(name) },
            to: .missing,
            of: server
        )
        return answer.blobs
    }

    @Test(arguments: [100_000, 2_500_000])
    func `one is taken over by the push that names it, and counted`(size: Int) async throws {
        var ada = ada
        let content = Self.content(1, size)
        let empty = try await usage(at: server)
        try leave(content)
        #expect(try await ada.finds(content, at: server))
        #expect(try await usage(at: server) == empty, "nothing is taken by a question")

        let answer = try await push(content, by: &ada, to: server)
        #expect(answer == accepted)

        let more = try await usage(at: server) - empty
        #expect((UInt64(size)..<UInt64(size) + 5_000).contains(more))
        #expect(try await get(content, 3) == content)
        for _ in 0..<2 {
            server.clock.advance(by: 100 * 86_400)
            try await server.server.collect()
        }
        #expect(try await get(content, 3) == content)
        #expect(log.lines == [])
    }

    @Test func `one with other bytes is not, and the log names it once`() async throws {
        var ada = ada
        let content = Self.content(1)
        try leave(content, with: Self.content(2))
        for _ in 0..<2 { #expect(try await !ada.finds(content, at: server)) }
        let answer = try await push(content, by: &ada, to: server)
        #expect(answer == missing(content))
        #expect(
            log.lines == [
                "a file that no row names is not taken for the content of its name "
                    + "file=\(BlobName(of: content)) reason=it has other bytes"
            ]
        )
        try await ada.stage([], blobs: [content], at: server)
        #expect(try await get(content) == content)
    }

    @Test(arguments: DamagedFileTests.Harm.allCases)
    func `what is no whole file is not`(_ harm: DamagedFileTests.Harm) async throws {
        let content = Self.content(1)
        try leave(content)
        try harm.happen(to: path(of: content))
        #expect(try await !ada.finds(content, at: server))
    }

    /// An upload of the same content may have taken it since it was read.
    @Test func `one that goes before it is durable fails no request`() throws {
        let content = Self.content(1)
        try leave(content)
        let (blobs, name) = (server.folder.blobs, BlobName(of: content))
        try blobs.makeDurable(name, of: ada.account)
        #expect(try blobs.begin(name, of: ada.account))
        #expect(throws: UnreadableBlob.self) { try blobs.makeDurable(name, of: ada.account) }
    }

    @Test func `a link to a whole file is not`() async throws {
        let content = Self.content(1)
        try leave(content)
        let files = FileManager.default
        let other = "\(server.path)/other"
        try files.moveItem(atPath: path(of: content), toPath: other)
        try files.createSymbolicLink(atPath: path(of: content), withDestinationPath: other)
        #expect(try await !ada.finds(content, at: server))
    }

    @Test func `each is read once, until something is written to it`() async throws {
        let contents = [Self.content(1), Self.content(2)]
        for content in contents { try leave(content) }
        for _ in 0..<3 {
            for content in contents { #expect(try await ada.finds(content, at: server)) }
        }
        #expect(await server.server.unnamedFiles.readCount == 2)
        let url = URL(fileURLWithPath: path(of: contents[0]))
        try Data(Self.content(3)).write(to: url, options: .atomic)
        #expect(try await !ada.finds(contents[0], at: server))
        #expect(try await ada.finds(contents[1], at: server))
        #expect(await server.server.unnamedFiles.readCount == 3)
    }

    @Test func `one that takes long to read is for who asks again`() async throws {
        let server = try TestServer(awaitedByteCount: 400_000)
        var ada = try await TestPerson.ada(at: server)
        let contents = [Self.content(1), Self.content(2, 300_000)]
        for content in contents { try leave(content, at: server) }
        #expect(try await wanted(contents, by: ada, at: server) == [name(contents[1])])
        try await server.server.unnamedFiles.readAll()
        for content in contents {
            #expect(try await ada.finds(content, at: server))
            let answer = try await push(content, by: &ada, to: server)
            #expect(answer == accepted)
        }
        #expect(await server.server.unnamedFiles.readCount == 2)
    }

    @Test func `those are taken over for which there is room`() async throws {
        let server = try TestServer(quota: 400_000)
        var ada = try await TestPerson.ada(at: server)
        let contents = [Self.content(1, 300_000), Self.content(2)]
        for content in contents { try leave(content, at: server) }
        #expect(try await wanted(contents, by: ada, at: server) == [name(contents[0])])
        let small = try await push(contents[1], by: &ada, to: server)
        #expect(small == accepted)
        let large = try await push(contents[0], by: &ada, to: server)
        #expect(large == missing(contents[0]))
        #expect(try await usage(at: server) < 160_000)
    }

    @Test func `one for which there is no room beside its record is called missing`()
        async throws
    {
        let content = Self.content(1)
        let room = try await usage(at: self.server) + UInt64(content.count) + 50
        let server = try TestServer(quota: room)
        var ada = try await TestPerson.ada(at: server)
        try leave(content, at: server)
        #expect(try await ada.finds(content, at: server))
        let answer = try await push(content, by: &ada, to: server)
        #expect(answer == missing(content))
        // What else there is to be pushed goes without it.
        let other = try await ada.push([ada.record(ada.file("b"))], to: server)
        #expect(other.outcome == accepted)
    }

    @Test func `one that goes after it was found is asked for`() async throws {
        var ada = ada
        let content = Self.content(1)
        try leave(content)
        server.clock.advance(by: 49 * 3_600)
        try await server.server.collect()
        server.clock.advance(by: 91 * 86_400)
        #expect(try await ada.finds(content, at: server))
        try await server.server.collect()
        let answer = try await push(content, by: &ada, to: server)
        #expect(answer == missing(content))
    }

    @Test func `one that was found without a row and has one now does not go`() async throws {
        var ada = ada
        let content = Self.content(1)
        try leave(content)
        server.clock.advance(by: 49 * 3_600)
        try await server.server.collect()
        let answer = try await push(content, by: &ada, to: server)
        #expect(answer == accepted)
        server.clock.advance(by: 91 * 86_400)
        try await server.server.collect()
        #expect(try await get(content) == content)
    }

    @Test func `of one that the database knows as an upload no more is counted`() async throws {
        var ada = ada
        let content = Self.content(1, 2_500_000)
        let request = Lockbook_V1_UploadRequest.with {
            $0.name = Data(BlobName(of: content).hash.bytes)
            $0.length = UInt64(content.count)
            $0.segments = stride(from: 0, to: content.count, by: 1 << 20).map {
                Data(Hash256(sha256: content[$0..<min($0 + 1 << 20, content.count)]).bytes)
            }
        }
        let empty = try await usage(at: server)
        let _: Lockbook_V1_UploadResponse = try await ada.send(request, to: .upload, of: server)
        // It ended after the time to which the database was put back.
        let owner = ada.account.description.prefix(32)
        try FileManager.default.removeItem(
            atPath: "\(server.path)/blobs/uploads/\(owner)-\(BlobName(of: content))"
        )
        try leave(content)
        let answer = try await push(content, by: &ada, to: server)
        #expect(answer == accepted)
        let more = try await usage(at: server) - empty
        #expect((2_500_000..<2_510_000).contains(more))
        #expect(try await get(content, 3) == content)
    }

    @Test func `one that was there stays when a push with its bytes is refused`() async throws {
        var ada = ada
        let content = Self.content(1)
        try leave(content)
        let nowhere = FileID(random: .system)
        let record = try ada.record(ada.file("a", in: nowhere, blob: content))
        await #expect(throws: Refused.violation) {
            var ada = self.ada
            try await ada.push([record], blobs: [content], to: server)
        }
        let answer = try await push(content, by: &ada, to: server)
        #expect(answer == accepted)
    }
}
