import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import LockbookEngine

/// How long a server may take for an answer, by a clock that stands still until it is moved.
struct HTTPExchangeTests {
    private let channel: EmbeddedChannel
    private let answer: EventLoopFuture<(response: WireResponse, isKeptAlive: Bool)>

    init() throws { try self.init(sending: ByteBuffer(string: "request")) }

    private init(sending body: ByteBuffer) throws {
        channel = EmbeddedChannel()
        let handler = HTTPExchangeHandler(isSecure: false)
        try channel.pipeline.syncOperations.addHandler(handler)
        let promise = channel.eventLoop.makePromise(
            of: (response: WireResponse, isKeptAlive: Bool).self
        )
        answer = promise.futureResult
        let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/v1/pull")
        try channel.writeOutbound(HTTPExchange(head: head, body: body, answer: promise))
    }

    private func receive(_ part: HTTPClientResponsePart) throws {
        try channel.writeInbound(part)
    }

    private func receive(bytes count: Int) throws {
        try receive(.body(ByteBuffer(repeating: 7, count: count)))
    }

    private let head = HTTPClientResponsePart.head(.init(version: .http1_1, status: .ok))

    /// Whether the exchange has ended, and with an answer; nil while it is under way.
    private var outcome: Result<Int, any Error>? {
        let seen = Box()
        answer.whenComplete { result in seen.value = result.map(\.response.body.count) }
        return seen.value
    }

    private final class Box: @unchecked Sendable {
        var value: Result<Int, any Error>?
    }

    private func expectSilence() {
        guard case .failure(HTTPFailure.silent) = outcome else {
            Issue.record("\(String(describing: outcome))")
            return
        }
    }

    @Test func `an answer that keeps coming may take long`() throws {
        try receive(head)
        for _ in 0..<9 {
            channel.embeddedEventLoop.advanceTime(by: .seconds(59))
            try receive(bytes: 16 << 10)
            #expect(outcome == nil)
        }
        try receive(.end(nil))
        #expect(try outcome?.get() == 9 << 14)
    }

    @Test func `a byte now and then is as good as none`() throws {
        try receive(head)
        for _ in 0..<6 {
            #expect(outcome == nil)
            channel.embeddedEventLoop.advanceTime(by: .seconds(9))
            try receive(bytes: 1)
        }
        channel.embeddedEventLoop.advanceTime(by: .seconds(6))
        expectSilence()
    }

    @Test func `heads that come again win no time`() throws {
        for _ in 0..<6 {
            try receive(head)
            channel.embeddedEventLoop.advanceTime(by: .seconds(9))
        }
        #expect(outcome == nil)
        channel.embeddedEventLoop.advanceTime(by: .seconds(6))
        expectSilence()
    }

    @Test func `a server that says nothing is left after a minute`() throws {
        channel.embeddedEventLoop.advanceTime(by: .seconds(59))
        #expect(outcome == nil)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        expectSilence()
    }

    @Test func `a large request may still be on its way for a while`() throws {
        let large = try Self(sending: ByteBuffer(repeating: 7, count: 1 << 20))
        large.channel.embeddedEventLoop.advanceTime(by: .seconds(60 + 31))
        #expect(large.outcome == nil)
        large.channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        large.expectSilence()
    }

    @Test func `no answer takes longer than ten minutes`() throws {
        try receive(head)
        for _ in 0..<60 {
            #expect(outcome == nil)
            channel.embeddedEventLoop.advanceTime(by: .seconds(10))
            if outcome == nil { try receive(bytes: 16 << 10) }
        }
        guard case .failure(HTTPFailure.slow) = outcome else {
            Issue.record("\(String(describing: outcome))")
            return
        }
    }
}
