import HummingbirdCore
import NIOCore

/// Writes the body of one answer to the network.
///
/// It is written in pieces, each of which waits for its reader, and holds its account's turn as long as it
/// is in memory.
struct AnswerBody: Sendable {
    private static let pieceByteCount = 64 << 10

    private let answer: Answer
    private let channel: any Channel
    private let patience: TimeAmount
    private let longest: TimeAmount
    /// Counts the answer as long as it is held.
    private let sending: SendingAnswers.Sending?

    /// - Parameters:
    ///   - patience: how long a piece may wait; the connection is closed then.
    ///   - longest: how long all of it may take, since no client waits longer: who takes a piece now and
    ///     then would keep it in memory for hours.
    ///   - sending: held as long as it is in memory.
    init(
        _ answer: Answer,
        to channel: any Channel,
        patience: TimeAmount,
        longest: TimeAmount,
        _ sending: SendingAnswers.Sending?
    ) {
        (self.answer, self.channel, self.sending) = (answer, channel, sending)
        (self.patience, self.longest) = (patience, longest)
    }

    var body: ResponseBody { body(isLast: false) }

    /// A body after which the connection ends.
    var lastBody: ResponseBody { body(isLast: true) }

    private func body(isLast: Bool) -> ResponseBody {
        answer.turn?.beginSending()
        // The fields before it may have to wait, too.
        let limit = closing(in: patience)
        return ResponseBody(contentLength: answer.declaredByteCount) { writer in
            limit.cancel()
            // Not before: of a connection that has ended nothing is written, and it would be kept as long.
            let end = closing(in: longest)
            defer { end.cancel() }
            try await write(to: &writer)
            if isLast { throw ConnectionEnds() }
        }
    }

    @concurrent private func write(to writer: inout any ResponseBodyWriter) async throws {
        var rest = answer.body
        while let piece = rest.readSlice(length: min(rest.readableBytes, Self.pieceByteCount)),
            piece.readableBytes > 0
        {
            let limit = closing(in: patience)
            defer { limit.cancel() }
            try await writer.write(piece)
            // The channel is told of a piece in its own time. Now it has been, and knows whether it is full.
            try await channel.eventLoop.submit {}.get()
        }
        // This waits until most of the last piece is gone.
        let limit = closing(in: patience)
        defer { limit.cancel() }
        try await writer.finish(nil)
    }

    /// Nothing else ends a connection whose request came whole and whose answer nobody reads.
    private func closing(in time: TimeAmount) -> Scheduled<Void> {
        let channel = channel
        return channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    }
}

private struct ConnectionEnds: Error {}
