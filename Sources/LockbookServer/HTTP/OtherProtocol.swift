import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Ends a connection on which another protocol is asked for: `CONNECT`, or an `Upgrade`.
///
/// The decoder of HTTP takes nothing of what comes behind such a request, and keeps all of it for whoever
/// knows the other protocol: without bound, from anybody, with or without an account.
final class OtherProtocol: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    /// Whether it was asked for: what came of that request, and behind it, is nobody's.
    private var isAskedFor = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let request) = unwrapInboundIn(data), asks(request) {
            isAskedFor = true
            let head = HTTPResponse(
                status: .badRequest,
                headerFields: [.connection: "close", .contentLength: "0"]
            )
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            // Not when that is written: who reads no answer would go on until then.
            context.close(promise: nil)
        }
        guard !isAskedFor else { return }
        context.fireChannelRead(data)
    }

    private func asks(_ request: HTTPRequest) -> Bool {
        request.method == .connect || request.headerFields[.upgrade] != nil
    }
}
