import NIOCore
import Synchronization
import Testing

@testable import LockbookEngine

@Suite struct HTTPConnectionTests {
    private static let answer =
        "HTTP/1.1 200 OK\r\nLockbook-Version: 1\r\nContent-Length: 2\r\n\r\nhi"
    private static let request = WireRequest(
        method: "POST",
        path: "/v1/pull",
        fields: [("X-Test", "a")],
        body: [1, 2, 3]
    )

    private func connection(to server: CannedServer) throws -> HTTPConnection {
        HTTPConnection(address: try ServerAddress("http://127.0.0.1:\(server.port)"))
    }

    @Test func `requests one after the other take the same connection`() async throws {
        let server = try CannedServer([[Self.answer, Self.answer, Self.answer]])
        let connection = try connection(to: server)
        for _ in 0..<3 {
            let response = try await connection.send(Self.request)
            #expect(response.status == 200)
            #expect(response.fields["lockbook-version"] == "1")
            #expect(response.body == Array("hi".utf8))
        }
        await connection.close()
        #expect(server.counts.withLock { $0 } == (connections: 1, requests: 3))
    }

    @Test func `an answer that says so ends its connection`() async throws {
        let last = Self.answer.replacing("\r\n\r\n", with: "\r\nConnection: close\r\n\r\n")
        let server = try CannedServer([[last, Self.answer], [last]])
        let connection = try connection(to: server)
        _ = try await connection.send(Self.request)
        let response = try await connection.send(Self.request)
        #expect(response.body == Array("hi".utf8))
        #expect(server.counts.withLock { $0 } == (connections: 2, requests: 2))
    }

    @Test func `requests at the same time take connections of their own`() async throws {
        let server = try CannedServer([[Self.answer], [Self.answer]])
        let connection = try connection(to: server)
        async let first = connection.send(Self.request)
        async let second = connection.send(Self.request)
        let answers = try await [first, second]
        #expect(answers.map(\.status) == [200, 200])
        #expect(server.counts.withLock { $0.connections } == 2)
    }

    @Test func `a connection that ends too soon is no answer`() async throws {
        let server = try CannedServer([["HTTP/1.1 200 OK\r\nContent-"]])
        let connection = try connection(to: server)
        await #expect(
            throws: LockbookError.offline(
                server: "http://127.0.0.1:\(server.port)",
                reason: "the connection was closed"
            )
        ) {
            try await connection.send(Self.request)
        }
    }

    @Test func `a connection that ends with nothing may be that of a server with TLS`() async throws
    {
        let server = try CannedServer([[""]])
        let connection = try connection(to: server)
        let unanswered = UnansweredConnection(server: "http://127.0.0.1:\(server.port)")
        await #expect(throws: unanswered) { try await connection.send(Self.request) }
    }

    private func broken(_ server: CannedServer, isFresh: Bool) -> BrokenConnection {
        BrokenConnection(
            failure: .offline(
                server: "http://127.0.0.1:\(server.port)",
                reason: "the connection was closed"
            ),
            isFresh: isFresh
        )
    }

    @Test func `a connection that ends within an answer broke off`() async throws {
        let half = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf of it"
        let server = try CannedServer([[half]])
        let connection = try connection(to: server)
        await #expect(throws: broken(server, isFresh: true)) {
            try await connection.send(Self.request)
        }
    }

    @Test func `a connection that ends after a large body broke off`() async throws {
        let server = try CannedServer([[""]])
        let connection = try connection(to: server)
        var request = Self.request
        request.body = [UInt8](repeating: 7, count: 64 << 10)
        let large = request
        await #expect(throws: broken(server, isFresh: true)) {
            try await connection.send(large)
        }
    }

    @Test func `a connection that carried something before it ended broke off`() async throws {
        let server = try CannedServer([[Self.answer, ""]])
        let connection = try connection(to: server)
        _ = try await connection.send(Self.request)
        await #expect(throws: broken(server, isFresh: false)) {
            try await connection.send(Self.request)
        }
    }

    @Test(arguments: ["220 mail.example ESMTP\r\n", "\u{0}\u{1}\u{2}\r\n\r\n"])
    func `what is not HTTP is not a server of ours`(answer: String) async throws {
        let server = try CannedServer([[answer]])
        let connection = try connection(to: server)
        await #expect(
            throws: LockbookError.notALockbookServer(
                server: "http://127.0.0.1:\(server.port)",
                reason: "it answers like another program"
            )
        ) {
            try await connection.send(Self.request)
        }
    }

    @Test func `an answer without an end is not read for ever`() async throws {
        let endless =
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n"
            + String(repeating: "x", count: 33 << 20)
        let server = try CannedServer([[endless]])
        let connection = try connection(to: server)
        await #expect(
            throws: LockbookError.notALockbookServer(
                server: "http://127.0.0.1:\(server.port)",
                reason: "its answer is too long"
            )
        ) {
            try await connection.send(Self.request)
        }
    }

    @Test func `what takes too long is too much at once`() async throws {
        // Reads the request and never answers: there is a second one to wait for before it closes.
        let server = try CannedServer([["", ""]])
        let address = try ServerAddress("http://127.0.0.1:\(server.port)")
        let connection = HTTPConnection(address: address, longest: .milliseconds(1))
        let error = await #expect(throws: TooLargeRequest.self) {
            try await connection.send(Self.request)
        }
        #expect(
            error?.failure == .offline(server: address.url, reason: "the connection is too slow")
        )
    }

    @Test func `where nobody listens it says so at once`() async throws {
        let server = try CannedServer(nil)
        let connection = try connection(to: server)
        await #expect(
            throws: LockbookError.offline(
                server: "http://127.0.0.1:\(server.port)",
                reason: "Connection refused"
            )
        ) {
            try await connection.send(Self.request)
        }
    }

    @Test func `a request that is called off ends`() async throws {
        // Reads the request and never answers: there is a second one to wait for before it closes.
        let server = try CannedServer([["", ""]])
        let connection = try connection(to: server)
        let asking = Task { try await connection.send(Self.request) }
        while server.counts.withLock({ $0.requests }) == 0 { await Task.yield() }
        asking.cancel()
        await #expect(throws: CancellationError.self) { try await asking.value }
    }

    @Test(arguments: [
        "http://127.0.0.1:0", "http://127.0.0.1:65536", "http://127.0.0.1:999999999999",
    ])
    func `a port that cannot be is no address`(text: String) {
        #expect(throws: LockbookError.badServerAddress(text)) { try ServerAddress(text) }
    }
}
