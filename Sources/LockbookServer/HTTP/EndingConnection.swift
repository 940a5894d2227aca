import NIOCore

/// Closes a connection that goes on for too long after the server was told to stop.
///
/// What is done for its request in the server meanwhile comes to its end; only nobody is answered.
final class EndingConnection: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    typealias InboundIn = NIOAny

    /// Whoever keeps to the least pace of a body would keep a server from its end for hours.
    private static let limit = TimeAmount.seconds(10)

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            let channel = context.channel
            channel.eventLoop.scheduleTask(in: Self.limit) { channel.close(promise: nil) }
        }
        context.fireUserInboundEventTriggered(event)
    }
}
