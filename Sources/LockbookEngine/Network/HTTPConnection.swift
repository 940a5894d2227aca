import AsyncHTTPClient
import FoundationEssentials
import Glibc
import LockbookAPI
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Talks to a server over HTTP/1.1, with TLS unless it is on this machine.
final class HTTPConnection: ServerConnection {
    private let address: ServerAddress
    private let client: HTTPClient

    init(address: ServerAddress) {
        self.address = address
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout = .init(connect: .seconds(10), read: .seconds(60))
        configuration.decompression = .disabled
        configuration.httpVersion = .http1Only
        // Nobody listens: say so at once.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 4
        if let pem = address.certificate {
            var tls = TLSConfiguration.makeClientConfiguration()
            // Exactly the given certificate: who has its key is the server, whatever its name.
            tls.trustRoots = .certificates(
                (try? NIOSSLCertificate.fromPEMBytes(Array(pem.utf8))) ?? []
            )
            tls.certificateVerification = .noHostnameVerification
            configuration.tlsConfiguration = tls
        }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    func send(_ request: WireRequest) async throws -> WireResponse {
        var outgoing = HTTPClientRequest(url: address.url + request.path)
        outgoing.method = HTTPMethod(rawValue: request.method)
        for field in request.fields { outgoing.headers.add(name: field.name, value: field.value) }
        if !request.body.isEmpty { outgoing.body = .bytes(ByteBuffer(bytes: request.body)) }
        do {
            let response = try await client.execute(outgoing, deadline: .now() + .minutes(10))
            let body = try await response.body.collect(upTo: Wire.maximumBodyByteCount)
            var fields: [String: String] = [:]
            for header in response.headers { fields[header.name.lowercased()] = header.value }
            return WireResponse(
                status: Int(response.status.code),
                fields: fields,
                body: Array(body.readableBytesView)
            )
        } catch is CancellationError {
            throw CancellationError()
        } catch let error as NIOSSLError {
            throw untrusted(error)
        } catch let error as HTTPClientError {
            throw LockbookError.offline(server: address.url, reason: error.shortDescription)
        } catch {
            throw failure(error)
        }
    }

    func close() async {
        // Nothing can be done about a connection that does not close.
        try? await client.shutdown()
    }

    private func failure(_ error: any Error) -> LockbookError {
        if error is BoringSSLError { return untrusted(error) }
        if let error = error as? NIOConnectionError {
            if error.connectionErrors.contains(where: { $0.error is NIOSSLError }) {
                return untrusted(error)
            }
            let errors = error.connectionErrors.map(\.error)
            let refused = errors.compactMap { ($0 as? IOError)?.errnoCode }.first
            return .offline(
                server: address.url,
                reason: refused.map { String(cString: strerror($0)) } ?? "no connection"
            )
        }
        if let error = error as? IOError {
            return .offline(
                server: address.url,
                reason: String(cString: strerror(error.errnoCode))
            )
        }
        if error is NIOTooManyBytesError {
            return .notALockbookServer(server: address.url, reason: "its answer is too long")
        }
        return .offline(server: address.url, reason: "\(error)")
    }

    private func untrusted(_ error: any Error) -> LockbookError {
        // What the library says names its own source files; of its words this one tells most.
        let isCertificate = "\(error)".contains("CERTIFICATE_VERIFY_FAILED")
        return .untrustedServer(
            server: address.url,
            reason: isCertificate
                ? "its certificate is not one that this device trusts"
                : "no encrypted connection could be made"
        )
    }
}
