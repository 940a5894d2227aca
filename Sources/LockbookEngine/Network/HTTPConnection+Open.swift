import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

extension HTTPConnection {
    private static let connectTimeout = TimeAmount.seconds(10)

    /// Opens a connection, which takes requests then: behind its handshake, where there is one.
    func open() async throws -> any Channel {
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
                        try pipeline.addHandler(Self.tlsHandler(context, for: name, pinned))
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

    private static func tlsHandler(
        _ context: NIOSSLContext,
        for name: String?,
        _ pinned: NIOSSLCertificate?
    ) throws -> NIOSSLClientHandler {
        guard let pinned else {
            return try NIOSSLClientHandler(context: context, serverHostname: name)
        }
        return try NIOSSLClientHandler(
            context: context,
            serverHostname: name,
            customVerificationCallback: { chain, promise in
                promise.succeed(
                    isPinned(chain.first, pinned) ? .certificateVerified : .failed
                )
            }
        )
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
}
