import NIOCore
import NIOEmbedded
import Testing

@testable import LockbookServer

/// How long a connection may go on at the end of a server, by a clock that stands still until it is
/// moved.
struct EndingConnectionTests {
    private let channel: EmbeddedChannel

    init() throws {
        channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(EndingConnection())
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private func pass(_ time: TimeAmount) {
        channel.embeddedEventLoop.advanceTime(by: time)
    }

    @Test func `a connection that goes on is closed ten seconds after the server is to end`() {
        pass(.hours(1))
        #expect(channel.isActive)
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        pass(.seconds(9))
        #expect(channel.isActive, "what runs may come to its end")
        pass(.seconds(1))
        #expect(!channel.isActive)
    }

    @Test func `nothing else ends a connection`() {
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        pass(.hours(1))
        #expect(channel.isActive)
    }
}
