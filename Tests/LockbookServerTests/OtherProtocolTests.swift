import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import LockbookServer

/// Requests for another protocol: the decoder would keep all that comes behind one.
struct OtherProtocolTests {
    private let channel: EmbeddedChannel

    init() throws {
        channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(OtherProtocol())
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private static func request(
        _ method: HTTPRequest.Method,
        _ fields: HTTPFields = [:]
    ) -> HTTPRequest {
        HTTPRequest(
            method: method,
            scheme: "http",
            authority: "localhost",
            path: "/v1/health",
            headerFields: fields
        )
    }

    @Test(arguments: [
        OtherProtocolTests.request(.connect),
        OtherProtocolTests.request(.get, [.upgrade: "h2c", .connection: "upgrade"]),
        OtherProtocolTests.request(.post, [.upgrade: "websocket"]),
    ])
    func `one is refused, and ends the connection at once`(request: HTTPRequest) throws {
        try channel.writeInbound(HTTPRequestPart.head(request))
        #expect(!channel.isActive)
        let answer = try channel.readOutbound(as: HTTPResponsePart.self)
        guard case .head(let head) = answer else {
            Issue.record("there is no answer")
            return
        }
        #expect(head.status == .badRequest)
        #expect(head.headerFields[.connection] == "close")
        #expect(try channel.readInbound(as: HTTPRequestPart.self) == nil, "nobody is asked")
    }

    @Test func `any other goes on`() throws {
        let head = HTTPRequestPart.head(Self.request(.get, [.connection: "keep-alive"]))
        try channel.writeInbound(head)
        try channel.writeInbound(HTTPRequestPart.end(nil))
        #expect(channel.isActive)
        #expect(try channel.readInbound(as: HTTPRequestPart.self) == head)
        #expect(try channel.readInbound(as: HTTPRequestPart.self) == .end(nil))
    }
}
