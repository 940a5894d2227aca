import Glibc
import LockbookAPI
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// Talks to a server over HTTP/1.1, with TLS unless it is on this machine.
///
/// The channel, the codec and TLS are SwiftNIO's; what stands here is which connection a request takes.
/// A client library above them takes longer to start than a whole sync with nothing to do.
final class HTTPConnection: ServerConnection {
    /// The thread that carries all connections of the process, as long as it lives.
    private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private static let connectTimeout = TimeAmount.seconds(10)

    private let address: ServerAddress
    private let longest: TimeAmount
    /// Open connections that nobody uses.
    private let idle = Mutex<[any Channel]>([])
    private let tls = Mutex<NIOSSLContext?>(nil)

    /// - Parameter longest: how long one exchange may take.
    init(address: ServerAddress, longest: TimeAmount = HTTPExchangeHandler.wholeExchange) {
        self.address = address
        self.longest = longest
    }

    func send(_ request: WireRequest) async throws -> WireResponse {
        do {
            let (channel, isFresh) = try await connected()
            do {
                return try await exchange(request, over: channel)
            } catch HTTPFailure.slow {
                // Less at once takes less time.
                throw TooLargeRequest(failure: failure(HTTPFailure.slow))
            } catch HTTPFailure.silent where request.body.count >= LinkPortion.leastByteCount {
                throw TooLargeRequest(failure: failure(HTTPFailure.silent), isTriedAgain: false)
            } catch let error where Self.isEnd(error) {
                // A server that is away behind something that takes connections in its place ends
                // them with nothing.
                let isBroken =
                    !isFresh || error is HTTPCut
                    || request.body.count >= LinkPortion.leastByteCount
                guard isBroken, let told = failure(error) as? LockbookError else {
                    // That is all that a server with TLS has to say to one without. What is no HTTP
                    // was an answer, however short.
                    let isUnanswered = !address.isSecure && !(error is HTTPParserError)
                    throw isUnanswered ? UnansweredConnection(server: address.url) : error
                }
                // Others that carried something are no better.
                await close()
                throw BrokenConnection(failure: told, isFresh: isFresh)
            }
        } catch let error where Task.isCancelled {
            throw error is LockbookError ? error : CancellationError()
        } catch {
            throw failure(error)
        }
    }

    private func exchange(_ request: WireRequest, over channel: any Channel) async throws
        -> WireResponse
    {
        let answer = channel.eventLoop.makePromise(
            of: (response: WireResponse, isKeptAlive: Bool).self
        )
        let exchange = HTTPExchange(
            head: head(of: request),
            body: ByteBuffer(bytes: request.body),
            answer: answer
        )
        // What never reaches the handler fails here.
        channel.writeAndFlush(exchange).whenFailure { answer.fail($0) }
        let (response, isKeptAlive) = try await withTaskCancellationHandler {
            try await answer.futureResult.get()
        } onCancel: {
            channel.close(promise: nil)
        }
        if isKeptAlive {
            idle.withLock { $0.append(channel) }
        } else {
            channel.close(promise: nil)
        }
        return response
    }

    /// Nobody waits for the other side to say farewell too.
    func close() async {
        let channels = idle.withLock { channels in
            defer { channels = [] }
            return channels
        }
        for channel in channels { channel.close(promise: nil) }
    }

    /// - Returns: a connection, and whether it has carried nothing yet.
    private func connected() async throws -> (any Channel, isFresh: Bool) {
        let kept = idle.withLock { channels in
            channels.removeAll { !$0.isActive }
            return channels.popLast()
        }
        if let kept { return (kept, false) }
        return (try await open(), true)
    }

    private func head(of request: WireRequest) -> HTTPRequestHead {
        var headers = HTTPHeaders([("Host", address.authority)])
        for field in request.fields { headers.add(name: field.name, value: field.value) }
        if !request.body.isEmpty || request.method != "GET" {
            headers.add(name: "Content-Length", value: "\(request.body.count)")
        }
        return HTTPRequestHead(
            version: .http1_1,
            method: HTTPMethod(rawValue: request.method),
            uri: request.path,
            headers: headers
        )
    }

    private func open() async throws -> any Channel {
        let context = try address.isSecure ? tlsContext() : nil
        let pinned = try context == nil ? nil : pinnedCertificate()
        let (host, longest) = (address.host, longest)
        let literal = try? SocketAddress(ipAddress: host, port: address.port)
        // Done when requests can be sent: of a name there may be several tries.
        let ready = Mutex<[ObjectIdentifier: EventLoopFuture<Void>]>([:])
        let bootstrap = ClientBootstrap(group: Self.group)
            .connectTimeout(Self.connectTimeout)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let context {
                        // An address is no name that could be asked for.
                        let name = literal == nil ? host : nil
                        let handler =
                            try pinned.map { pinned in
                                try NIOSSLClientHandler(
                                    context: context,
                                    serverHostname: name,
                                    customVerificationCallback: { chain, promise in
                                        promise.succeed(
                                            Self.isPinned(chain.first, pinned)
                                                ? .certificateVerified : .failed
                                        )
                                    }
                                )
                            } ?? NIOSSLClientHandler(context: context, serverHostname: name)
                        try pipeline.addHandler(handler)
                    }
                    try pipeline.addHTTPClientHandlers()
                    let handler = HTTPExchangeHandler(isSecure: context != nil, longest: longest)
                    try pipeline.addHandler(handler)
                    // By when somebody asks, it may have failed, and have left the pipeline.
                    ready.withLock { $0[ObjectIdentifier(channel)] = handler.isReady }
                }
            }
        let connected =
            if let literal {
                bootstrap.connect(to: literal)
            } else {
                bootstrap.connect(host: host, port: address.port)
            }
        let channel = try await connected.get()
        try await ready.withLock { $0[ObjectIdentifier(channel)] }?.get()
        return channel
    }

    private func tlsContext() throws -> NIOSSLContext {
        try tls.withLock { made in
            if let made { return made }
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = ["http/1.1"]
            // The pinned certificate says who it is; its name says nothing more.
            if address.certificate != nil {
                configuration.certificateVerification = .noHostnameVerification
            }
            let context = try NIOSSLContext(configuration: configuration)
            made = context
            return context
        }
    }

    /// The certificate that the user named: who has its key is the server, whatever its name, and
    /// nobody else, also not whom the same authority signed for.
    ///
    /// Of several, as in a chain, it is the first.
    private func pinnedCertificate() throws -> NIOSSLCertificate? {
        guard let pem = address.certificate else { return nil }
        guard let first = try? NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)).first else {
            throw untrusted(NIOSSLError.failedToLoadCertificate)
        }
        return first
    }

    private static func isPinned(_ shown: NIOSSLCertificate?, _ pinned: NIOSSLCertificate) -> Bool {
        guard let shown, let bytes = try? shown.toDERBytes(),
            let wanted = try? pinned.toDERBytes()
        else { return false }
        return bytes == wanted && pinned.notValidBefore <= time(nil)
            && time(nil) <= pinned.notValidAfter
    }

    /// Whether the other side, or the link to it, ended the connection.
    private static func isEnd(_ error: any Error) -> Bool {
        switch error {
        case let cut as HTTPCut: isEnd(cut.cause)
        case let error as IOError: [ECONNRESET, EPIPE].contains(error.errnoCode)
        default: isClosed(error)
        }
    }

    private static func isClosed(_ error: any Error) -> Bool {
        switch error {
        case HTTPFailure.closed, NIOSSLError.uncleanShutdown, ChannelError.ioOnClosedChannel,
            ChannelError.inputClosed, ChannelError.eof, HTTPParserError.invalidEOFState:
            true
        default: false
        }
    }

    private func failure(_ error: any Error) -> any Error {
        switch error {
        case is LockbookError, is BrokenConnection, is TooLargeRequest, is UnansweredConnection:
            return error
        case let cut as HTTPCut: return self.failure(cut.cause)
        case let failure as HTTPFailure: return self.failure(failure)
        case _ where Self.isClosed(error): return self.failure(HTTPFailure.closed)
        case is HTTPParserError:
            return LockbookError.notALockbookServer(
                server: address.url,
                reason: "it answers like another program"
            )
        case ChannelError.connectTimeout: return offline("no connection within 10 seconds")
        case let error as IOError where [EMFILE, ENFILE].contains(error.errnoCode):
            return LockbookError.tooFewFiles(limit: OpenFiles.raiseLimit(to: 0))
        case let error as IOError: return offline(String(cString: strerror(error.errnoCode)))
        case let error as NIOConnectionError:
            // A name that leads to several addresses, or to none.
            if let first = error.connectionErrors.first { return failure(first.error) }
            return offline("no address is known for \(error.host)")
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: return untrusted(error)
        default: return offline("no connection")
        }
    }

    private func failure(_ failure: HTTPFailure) -> LockbookError {
        switch failure {
        case .closed: offline("the connection was closed")
        case .silent: offline("no answer came in time")
        case .slow: offline("the connection is too slow")
        case .tooLong:
            .notALockbookServer(server: address.url, reason: "its answer is too long")
        }
    }

    private func offline(_ reason: String) -> LockbookError {
        .offline(server: address.url, reason: reason)
    }

    private func untrusted(_ error: any Error) -> LockbookError {
        // What the library says names its own source files; of its words this one tells most.
        let isCertificate = "\(error)".contains("CERTIFICATE_VERIFY_FAILED")
        return .untrustedServer(
            server: address.url,
            reason: isCertificate
                ? "its certificate is not one that this device trusts, or it is out of date"
                : "no encrypted connection could be made"
        )
    }
}
