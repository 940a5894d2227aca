import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import LockbookServer

/// When a connection is to end after its answer.
struct SingleRequestTests {
    @Test(arguments: [
        ("HTTP/1.0", "", ["close"]),
        ("HTTP/1.0", "Connection: Keep-Alive\r\n", ["Keep-Alive"]),
        ("HTTP/1.1", "Connection: Close\r\n", ["close"]),
        ("HTTP/1.1", "", []),
    ])
    func `a connection is kept where that was asked for`(
        version: String,
        field: String,
        expected: [String]
    ) throws {
        let channel = EmbeddedChannel()
        let pipeline = channel.pipeline.syncOperations
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false,
            withErrorHandling: false
        )
        try pipeline.addHandler(SingleRequest())
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        let request = "GET /v1/health \(version)\r\nHost: localhost\r\n\(field)\r\n"
        try channel.writeInbound(ByteBuffer(string: request))
        let part = try channel.readInbound(as: HTTPServerRequestPart.self)
        guard case .head(let head) = part else {
            Issue.record("there is no request")
            return
        }
        #expect(head.headers["connection"] == expected)
        #expect(try channel.readInbound(as: HTTPServerRequestPart.self) == .end(nil))
        _ = try channel.finish(acceptAlreadyClosed: true)
    }
}
