import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

extension HTTPConnection {
    /// Whether the other side, or the link to it, ended the connection.
    static func isEnd(_ error: any Error) -> Bool {
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

    /// What went wrong with a connection, as people are told.
    func failure(_ error: any Error) -> any Error {
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

    func failure(_ failure: HTTPFailure) -> LockbookError {
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

    func untrusted(_ error: any Error) -> LockbookError {
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
