import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import LockbookAPI
import LockbookCrypto
package import Logging
package import NIOCore
package import NIOSSL
import UnixSignals

/// A server behind a socket.
package struct ServerApplication: Sendable {
    private let server: LockbookServer
    private let address: ListenAddress
    private let tls: TLSConfiguration?
    private let logger: Logger
    private let patience: TimeAmount
    private let longest: TimeAmount
    private let connectionCount: Int
    private let answerByteCount: Int

    /// How many connections there may be at a time, where the process may hold so many.
    package static let maximumConnectionCount = 1_000

    /// - Parameters:
    ///   - patience: how long the next piece of an answer may wait for its reader.
    ///   - longest: how long it may take until all of it is read.
    ///   - answerByteCount: of answers that are sent, how many bytes are in memory together.
    ///   - connectionCount: how many connections there may be at a time; further ones wait.
    package init(
        _ server: LockbookServer,
        listeningOn address: ListenAddress,
        tls: TLSConfiguration?,
        logger: Logger,
        patience: TimeAmount = .seconds(60),
        longest: TimeAmount = .minutes(10),
        answerByteCount: Int = 512 << 20,
        connectionCount: Int = maximumConnectionCount
    ) {
        self.server = server
        self.address = address
        self.tls = tls
        self.logger = logger
        self.patience = patience
        self.longest = longest
        self.answerByteCount = answerByteCount
        self.connectionCount = connectionCount
    }

    /// Serves until the process is told to stop; `onListening` is given the URL for clients.
    /// - Parameter endsWithTerminal: whether the end of the terminal, SIGHUP, tells it that as well.
    package func run(
        endsWithTerminal: Bool = false,
        onListening: @escaping @Sendable (String) async -> Void
    ) async throws {
        let plain = HTTPServerBuilder.http1(
            configuration: .init(
                additionalChannelHandlers: [SingleRequest(), OtherProtocol(), EndingConnection()],
                idleTimeout: .seconds(60),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 8 << 10,
                    maxHeaderListSize: 16 << 10,
                    maxHeaderFieldCount: 64
                )
            )
        )
        let (address, scheme) = (address, tls == nil ? "http" : "https")
        let application = Application(
            responder: Responder(
                server: server,
                patience: patience,
                longest: longest,
                answers: SendingAnswers(byteCount: answerByteCount)
            ),
            server: try tls.map { try .tls(plain, tlsConfiguration: $0) } ?? plain,
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: address.port),
                availableConnectionsDelegate: MaximumAvailableConnections(connectionCount)
            ),
            services: [CollectionService(server: server, logger: logger)],
            onServerRunning: { channel in
                var address = address
                address.port = channel.localAddress?.port ?? address.port
                await onListening("\(scheme)://\(address)")
            },
            logger: logger
        )
        try await application.runService(
            gracefulShutdownSignals: [.sigterm, .sigint] + (endsWithTerminal ? [.sighup] : [])
        )
    }
}

/// Hands requests from Hummingbird to the server, which knows nothing of sockets.
private struct Responder: HTTPResponder {
    typealias Context = Connection

    let server: LockbookServer
    let patience: TimeAmount
    let longest: TimeAmount
    /// Sixteen of the largest bodies.
    let budget = BodyBudget(byteCount: 16 * Wire.maximumBodyByteCount)
    let answers: SendingAnswers

    func respond(to request: Request, context: Connection) async throws -> Response {
        var reader = BodyReader(request, budget)
        var signer: VerifyingKey?
        let answer = await server.respond(to: request.head) { limit, key in
            signer = key
            return try await reader.collect(upTo: limit, from: key)
        }
        await reader.giveBack()
        try await reader.discard()
        let outgoing = AnswerBody(
            answer,
            to: context.channel,
            patience: patience,
            longest: longest,
            begin(answer, for: signer, on: context.channel)
        )
        return Response(
            status: answer.status,
            headers: answer.fields,
            // What is not read of a request ends the connection.
            body: reader.isAtEnd ? outgoing.body : outgoing.lastBody
        )
    }

    private func begin(_ answer: Answer, for signer: VerifyingKey?, on channel: any Channel)
        -> SendingAnswers.Sending?
    {
        let byteCount = answer.body.readableBytes
        guard let signer, byteCount > SendingAnswers.smallByteCount else { return nil }
        return answers.begin(byteCount, for: signer) { channel.close(promise: nil) }
    }
}

/// What a request comes on.
private struct Connection: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}
