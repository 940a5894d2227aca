import LockbookAPI
import NIOCore
import NIOHTTP1
import NIOTLS

/// One request on its way through a connection, and whom its answer goes to.
struct HTTPExchange: Sendable {
    let head: HTTPRequestHead
    let body: ByteBuffer
    let answer: EventLoopPromise<(response: WireResponse, isKeptAlive: Bool)>
}

enum HTTPFailure: Error {
    case closed
    case silent
    /// Not over when the time for all of it was, though it went on until then.
    case slow
    case tooLong
}

/// A connection that ended after an answer had begun.
struct HTTPCut: Error {
    let cause: any Error
}

/// The end of a connection's pipeline: one exchange after the other, each with its time limits.
final class HTTPExchangeHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = HTTPExchange
    typealias OutboundOut = HTTPClientRequestPart

    /// From the last byte of a request to the head of its answer, from there to `leastProgress` bytes,
    /// and so on to its end.
    static let silence = TimeAmount.seconds(60)
    /// Bytes of a request for which an answer may come a second later: a tunnel, or a proxy, takes some
    /// megabytes at once, and may have sent none of them by then.
    static let leastSpeed = 32 << 10
    /// A server that sends a byte now and then is as good as a silent one.
    static let leastProgress = 16 << 10
    static let wholeExchange = TimeAmount.minutes(10)
    static let handshake = TimeAmount.seconds(10)

    private let isSecure: Bool
    private let longest: TimeAmount
    private var secured: EventLoopPromise<Void>?
    private var current: HTTPExchange?
    private var head: HTTPResponseHead?
    private var body = ByteBuffer()
    /// Bytes of the answer since the time began that it has for some.
    private var progress = 0
    private var silence: Scheduled<Void>?
    private var end: Scheduled<Void>?

    /// - Parameter longest: how long one exchange may take.
    init(isSecure: Bool, longest: TimeAmount = wholeExchange) {
        self.isSecure = isSecure
        self.longest = longest
    }

    /// Done when requests can be sent: behind a handshake, where there is one.
    var isReady: EventLoopFuture<Void>? { secured?.futureResult }

    func handlerAdded(context: ChannelHandlerContext) {
        let secured = context.eventLoop.makePromise(of: Void.self)
        self.secured = secured
        if isSecure {
            end = limit(Self.handshake, .silent, context)
        } else {
            secured.succeed()
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        reset()
        secured?.fail(HTTPFailure.closed)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event {
            end?.cancel()
            secured?.succeed()
        }
        context.fireUserInboundEventTriggered(event)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let exchange = unwrapOutboundIn(data)
        current = exchange
        end = limit(longest, .slow, context)
        context.write(wrapOutboundOut(.head(exchange.head)), promise: nil)
        if exchange.body.readableBytes > 0 {
            context.write(wrapOutboundOut(.body(.byteBuffer(exchange.body))), promise: nil)
        }
        context.write(wrapOutboundOut(.end(nil)), promise: promise)
        // A large request may take its time on a slow line; the other side's begins when it is sent.
        let underWay = TimeAmount.seconds(Int64(exchange.body.readableBytes / Self.leastSpeed))
        promise?.futureResult.assumeIsolated().whenSuccess {
            self.listen(context, until: Self.silence + underWay)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard current != nil else { return context.close(promise: nil) }
        switch unwrapInboundIn(data) {
        case .head(let head):
            // Once: there may be any number before the one that counts.
            if self.head == nil { listen(context) }
            self.head = head
        case .body(var part):
            guard body.readableBytes + part.readableBytes <= Wire.maximumBodyByteCount else {
                return fail(HTTPFailure.tooLong, context)
            }
            progress += part.readableBytes
            body.writeBuffer(&part)
            if progress >= Self.leastProgress { listen(context) }
        case .end: finish()
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(end(HTTPFailure.closed), context)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(end(error), context)
    }

    private func end(_ cause: any Error) -> any Error {
        head == nil ? cause : HTTPCut(cause: cause)
    }

    private func finish() {
        guard let head, let answer = current?.answer else { return }
        var fields: [String: String] = [:]
        for (name, value) in head.headers { fields[name.lowercased()] = value }
        let response = WireResponse(
            status: Int(head.status.code),
            fields: fields,
            body: Array(body.readableBytesView)
        )
        reset()
        answer.succeed((response, head.isKeepAlive))
    }

    private func fail(_ error: any Error, _ context: ChannelHandlerContext) {
        let answer = current?.answer
        reset()
        secured?.fail(error)
        answer?.fail(error)
        context.close(promise: nil)
    }

    private func reset() {
        silence?.cancel()
        end?.cancel()
        (current, head, silence, end) = (nil, nil, nil, nil)
        body.clear()
    }

    private func listen(
        _ context: ChannelHandlerContext,
        until time: TimeAmount = HTTPExchangeHandler.silence
    ) {
        guard current != nil else { return }
        silence?.cancel()
        progress = 0
        silence = limit(time, .silent, context)
    }

    private func limit(
        _ time: TimeAmount,
        _ failure: HTTPFailure,
        _ context: ChannelHandlerContext
    ) -> Scheduled<Void> {
        context.eventLoop.assumeIsolated().scheduleTask(in: time) {
            self.fail(failure, context)
        }
    }
}
