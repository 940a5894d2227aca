import Foundation
import HTTPTypes
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookServer
import SwiftProtobuf
import Testing

struct RequestTests {
    let server: TestServer
    var ada: TestPerson
    let body: [UInt8]

    init() async throws {
        server = try TestServer()
        ada = try await TestPerson.ada(at: server)
        var message = Lockbook_V1_MissingRequest()
        message.records = [Data(Hash256.zero.bytes)]
        body = try message.serializedBytes()
    }

    private func good(at time: Int64? = nil) throws -> HTTPRequest {
        try ada.request(
            Endpoint.missing.path,
            body: body,
            at: time ?? server.clock.now
        )
    }

    private func expect(
        _ request: HTTPRequest,
        body: [UInt8]? = nil,
        _ refused: Refused,
        _ comment: Comment? = nil
    ) async {
        let answer = await server.send(request, body: body ?? self.body)
        #expect(throws: refused, comment) { try answer.content() }
        #expect(answer.fields[.lockbookVersion] == "1")
    }

    @Test func `a signed request is answered, and again when it is repeated`() async throws {
        let request = try good()
        for _ in 0..<2 {
            await #expect(throws: Never.self) {
                try await server.send(request, body: body).content()
            }
        }
    }

    @Test func `health needs no signature`() async throws {
        var request = HTTPRequest(
            method: .get,
            scheme: "http",
            authority: "x",
            path: Endpoint.health.path
        )
        let answer = await server.send(request, body: [])
        #expect(try answer.content() == Array("ok".utf8))
        request.method = .head
        let fields = await server.send(request, body: [])
        #expect(try fields.content() == [])
        #expect(fields.declaredByteCount == 2, "HEAD has the fields of GET")
    }

    @Test func `an answer to HEAD has no body, whatever it says`() async throws {
        var request = try good()
        request.method = .head
        let answer = await server.send(request, body: [])
        #expect(answer.status != .ok && answer.bytes.isEmpty)
    }

    @Test func `a change of anything that is signed is seen`() async throws {
        var method = try good()
        method.method = .put
        await expect(method, .notFound, "no such route is no way around either")
        var authority = try good()
        authority.authority = "example.org"
        await expect(authority, .unauthorized)
        var path = try good()
        path.path = Endpoint.stage.path
        await expect(path, .unauthorized)
        var query = try good()
        query.path = Endpoint.missing.path + "?a=b"
        await expect(query, .unauthorized)
        await expect(try good(), body: body + [0], .unauthorized)
        var digest = try good()
        digest.headerFields[.contentDigest] = try ada.request(
            "/",
            body: [1],
            at: 0
        ).headerFields[.contentDigest]
        await expect(digest, .unauthorized)
        await expect(digest, body: [1], .unauthorized)
        var created = try good()
        created.headerFields[.signatureInput] = created.headerFields[.signatureInput]?
            .replacingOccurrences(
                of: "\(server.clock.now)",
                with: "\(server.clock.now + 1)"
            )
        await expect(created, .unauthorized)
        var key = try good()
        let bob = try TestPerson("bob", seed: 2)
        key.headerFields[.signatureInput] = key.headerFields[.signatureInput]?
            .replacingOccurrences(
                of: "\(ada.keys.request.publicKey.bytes)",
                with: "\(bob.keys.request.publicKey.bytes)"
            )
        await expect(key, .unauthorized)
    }

    @Test(arguments: [
        HTTPField.Name.signature, .signatureInput, .contentDigest,
    ])
    func `a field of the signature that is not there is seen`(_ name: HTTPField.Name)
        async throws
    {
        var request = try good()
        request.headerFields[name] = nil
        await expect(request, .unauthorized)
    }

    @Test func `the authority counts without its case`() async throws {
        var request = try ada.request(
            Endpoint.missing.path,
            body: body,
            at: server.clock.now
        )
        request.authority = request.authority?.uppercased()
        await #expect(throws: Never.self) {
            try await server.send(request, body: body).content()
        }
    }

    @Test(arguments: [-301, 301, 400_000, -400_000])
    func `a wrong clock is told the time`(_ offset: Int64) async throws {
        let answer = await server.send(try good(at: server.clock.now + offset), body: body)
        let error = #expect(throws: Refused.clock) { try answer.content() }
        #expect(error?.serverTime == server.clock.now)
    }

    @Test func `a captured request is worth nothing ten minutes later`() async throws {
        let request = try good()
        server.clock.advance(by: 600)
        await expect(request, .clock)
    }

    @Test(arguments: ["2", "0", "1.0", nil])
    func `another version of the protocol needs an update`(_ version: String?) async throws {
        var request = try good()
        request.headerFields[.lockbookVersion] = version
        await expect(request, .updateNeeded)
    }

    @Test(arguments: [
        "/", "/v1", "/v1/pull/", "/v2/pull", "/v1/blob/ab/0/1", "/v1/nothing", "/V1/pull",
    ])
    func `there is nothing at other paths`(_ path: String) async throws {
        let request = try ada.request(path, body: [], at: server.clock.now)
        await expect(request, body: [], .notFound)
    }

    @Test func `a body that is not the path's message is refused`() async throws {
        let request = try ada.request(
            Endpoint.missing.path,
            body: [0xff],
            at: server.clock.now
        )
        await expect(request, body: [0xff], .malformed)
    }

    @Test func `a body over the limit is refused`() async throws {
        let large = [UInt8](repeating: 0, count: Wire.maximumBodyByteCount + 1)
        let request = try ada.request(
            Endpoint.stage.path,
            body: large,
            at: server.clock.now
        )
        await expect(request, body: large, .tooLarge)
    }

    @Test func `a log that is asked for twice in one request is refused`() async throws {
        let position = Lockbook_V1_LogPosition.with { $0.log = Data(ada.account.hash.bytes) }
        let twice = Lockbook_V1_PullRequest.with { $0.logs = [position, position] }
        let body: [UInt8] = try twice.serializedBytes()
        let request = try ada.request(Endpoint.pull.path, body: body, at: server.clock.now)
        await expect(request, body: body, .malformed)
    }

    @Test func `a key without an account is told so`() async throws {
        let bob = try TestPerson("bob", seed: 2)
        let request = try bob.request(
            Endpoint.missing.path,
            body: body,
            at: server.clock.now
        )
        await expect(request, .noAccount)
    }
}
