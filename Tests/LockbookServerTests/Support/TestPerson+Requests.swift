import Foundation
import HTTPTypes
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookServer
import SwiftProtobuf

extension TestPerson {
    func request(
        _ path: String,
        method: HTTPRequest.Method = .post,
        body: [UInt8],
        at time: Int64
    ) throws -> HTTPRequest {
        var request = HTTPRequest(
            method: method,
            scheme: "http",
            authority: "127.0.0.1:7654",
            path: path
        )
        let mark = path.firstIndex(of: "?") ?? path.endIndex
        let parts = SignedParts(
            method: method.rawValue,
            authority: "127.0.0.1:7654",
            path: String(path[..<mark]),
            query: mark < path.endIndex ? String(path[mark...]) : "?",
            bodyDigest: Hash256(sha256: body)
        )
        let signed = try RequestSignature.sign(parts, created: time, with: keys.request)
        request.headerFields[.lockbookVersion] = "1"
        request.headerFields[.contentDigest] = parts.contentDigestField
        request.headerFields[.signatureInput] = signed.input
        request.headerFields[.signature] = signed.signature
        return request
    }

    /// Whether a server has a blob that this account may refer to.
    func finds(_ blob: [UInt8], at server: TestServer) async throws -> Bool {
        var names = Lockbook_V1_MissingRequest()
        names.blobs = [Data(BlobName(of: blob).hash.bytes)]
        let missing: Lockbook_V1_MissingResponse = try await send(
            names,
            to: .missing,
            of: server
        )
        return missing.blobs.isEmpty
    }

    func send<Reply: Message>(
        _ message: some Message,
        to endpoint: Endpoint,
        of server: TestServer,
        as reply: Reply.Type = Reply.self
    ) async throws -> Reply {
        let body: [UInt8] = try message.serializedBytes()
        let request = try request(endpoint.path, body: body, at: server.clock.now)
        let answer = await server.send(request, body: body)
        return try Reply(serializedBytes: try answer.content())
    }

    func raw(
        _ method: HTTPRequest.Method,
        _ path: String,
        body: [UInt8] = [],
        of server: TestServer
    ) async throws -> [UInt8] {
        let request = try request(path, method: method, body: body, at: server.clock.now)
        return try await server.send(request, body: body).content()
    }

    /// Ada, who has an account there.
    static func ada(at server: TestServer) async throws -> TestPerson {
        var ada = try TestPerson("ada", seed: 1)
        try await ada.register(at: server)
        return ada
    }

    /// Ada, bob and eve, who have accounts on a server.
    static func three(at server: TestServer) async throws -> (
        ada: TestPerson, bob: TestPerson, eve: TestPerson
    ) {
        var ada = try TestPerson("ada", seed: 1)
        var bob = try TestPerson("bob", seed: 2)
        var eve = try TestPerson("eve", seed: 3)
        try await ada.register(at: server)
        try await bob.register(at: server)
        try await eve.register(at: server)
        return (ada, bob, eve)
    }

    @discardableResult
    mutating func register(at server: TestServer) async throws -> Lockbook_V1_RegisterRequest {
        let (request, head) = try registration()
        let _: Lockbook_V1_RegisterResponse = try await send(
            request,
            to: .register,
            of: server
        )
        self.head = head
        return request
    }

    /// Pushes, and remembers the new head when the entry was accepted.
    @discardableResult
    mutating func push(
        _ records: [FileRecord],
        blobs: [[UInt8]] = [],
        purging purged: [FileID] = [],
        inline: Bool = true,
        to server: TestServer
    ) async throws -> Lockbook_V1_PushResponse {
        let (request, head) = try push(records, blobs: blobs, purging: purged, inline: inline)
        let response: Lockbook_V1_PushResponse = try await send(request, to: .push, of: server)
        if case .accepted = response.outcome { self.head = head }
        return response
    }

    @discardableResult
    func stage(_ records: [FileRecord], blobs: [[UInt8]] = [], at server: TestServer)
        async throws -> Lockbook_V1_StageResponse
    {
        var request = Lockbook_V1_StageRequest()
        request.records = records.map { Data($0.bytes) }
        request.blobs = blobs.map(Lockbook_V1_Blob.init(of:))
        return try await send(request, to: .stage, of: server)
    }

    /// One page of what came after a head; nil for somebody who knows nothing.
    func pull(
        after head: LogHead?,
        cursor: Lockbook_V1_CheckpointCursor? = nil,
        entryCursor: Lockbook_V1_EntryCursor? = nil,
        from server: TestServer,
        log: AccountID? = nil,
        pageByteCount: UInt32 = 0
    ) async throws -> Lockbook_V1_LogUpdate {
        var position = Lockbook_V1_LogPosition()
        position.log = Data((log ?? account).hash.bytes)
        if let head {
            position.known = true
            position.position = head.position
            position.head = Data(head.hash.bytes)
        }
        if let cursor { position.cursor = cursor }
        if let entryCursor { position.entryCursor = entryCursor }
        var request = Lockbook_V1_PullRequest()
        request.logs = [position]
        request.pageByteCount = pageByteCount
        let response: Lockbook_V1_PullResponse = try await send(request, to: .pull, of: server)
        return try only(response.logs)
    }

    private func only(_ updates: [Lockbook_V1_LogUpdate]) throws -> Lockbook_V1_LogUpdate {
        guard let first = updates.first else { throw DecodingFailure.length }
        return first
    }
}
