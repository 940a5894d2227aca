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
    static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    let address: ServerAddress
    let longest: TimeAmount
    /// Made with the first connection: to read what this machine trusts takes its time.
    let tls = Mutex<NIOSSLContext?>(nil)
    /// Open connections that nobody uses.
    private let idle = Mutex<[any Channel]>([])

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
}
