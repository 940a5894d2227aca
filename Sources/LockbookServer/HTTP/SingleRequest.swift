import NIOCore
import NIOHTTP1

/// Lets a connection end after its answer where nobody asked to keep it.
///
/// Hummingbird looks for `Connection: close` alone, and knows no version: a connection of HTTP/1.0, whose
/// client waits for its end, would be kept until it was idle for a minute.
final class SingleRequest: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        do {
            // The version is not passed on to where this is.
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(Marking(), position: .after(decoder))
        } catch {
            context.fireErrorCaught(error)
        }
    }

    /// Says of a request what its version and its fields mean, in the words that are looked for.
    private final class Marking: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias InboundOut = HTTPServerRequestPart

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(var head) = unwrapInboundIn(data), !head.isKeepAlive else {
                return context.fireChannelRead(data)
            }
            head.headers.replaceOrAdd(name: "connection", value: "close")
            context.fireChannelRead(wrapInboundOut(.head(head)))
        }
    }
}
