import FoundationEssentials
package import HTTPTypes
import LockbookAPI
package import LockbookCrypto
import LockbookModel
package import Logging
package import NIOCore
import NIOFoundationCompat
import SwiftProtobuf

/// The server without its network: a request goes in, an answer comes out.
///
/// `ServerApplication` puts it behind a socket; tests and simulations call `respond` themselves.
package struct LockbookServer: Sendable {
    let store: any MetadataStore
    let blobStore: any BlobStore
    let settings: ServerSettings
    let logger: Logger
    let turns: PushTurns
    let accountTurns = AccountTurns()
    /// Of the groups of large pushes that are worked on: as much as the largest one has.
    let groupBudget = BodyBudget(byteCount: PreparedPush.maximumGroupByteCount)
    let uploads: Uploads
    let unnamedFiles: UnnamedFiles
    let placing = BlobPlacing()
    let told = ToldOnce()

    package init(
        store: any MetadataStore,
        blobs: any BlobStore,
        settings: ServerSettings = .init(),
        logger: Logger
    ) {
        self.store = store
        blobStore = blobs
        self.settings = settings
        uploads = Uploads(maximumSegmentCount: settings.uploadSegmentCount)
        unnamedFiles = UnnamedFiles(blobs, awaitedByteCount: settings.awaitedByteCount)
        self.logger = logger
        turns = PushTurns(clock: settings.turnClock)
    }

    package typealias BodySource = (
        _ limit: Int, _ signer: VerifyingKey
    ) async throws -> ByteBuffer

    /// Answers one request.
    ///
    /// `read` is asked for the body at most once, with the key that signed the request, and throws
    /// a refusal when it is over the limit.
    package func respond(
        to request: HTTPRequest,
        body read: BodySource
    ) async -> Answer {
        let start = ContinuousClock.now
        var log = RequestLog()
        var answer: Answer
        do {
            answer = try await respond(to: request, reading: read, log: &log)
        } catch {
            answer = refuse(error)
        }
        if request.method == .head { answer.leaveOutBody() }
        log.write(
            to: logger,
            method: request.method,
            answer: answer,
            took: ContinuousClock.now - start
        )
        return answer
    }

    private func respond(
        to request: HTTPRequest,
        reading read: BodySource,
        log: inout RequestLog
    ) async throws -> Answer {
        let admission = try Admission(request, now: settings.now())
        log.template = admission.route.template
        guard let signer = admission.signer else {
            return Answer(body: ByteBuffer(string: "ok"), mediaType: "text/plain")
        }
        if admission.route == .register {
            let body = try await verified(read, admission.route, signer, log: &log)
            return try Answer(try await register(decode(body), signedBy: signer.key))
        }
        let (account, ended) = try await store.read { store in
            let account = try store.account(requestKey: signer.key.bytes)
            return (account, account == nil ? try store.end(requestKey: signer.key.bytes) : nil)
        }
        guard let account else {
            guard let ended else {
                throw Refusal(.noAccount, "there is no account with this key here")
            }
            guard admission.route == .end else { throw Refusal(ended) }
            let body = try await verified(read, admission.route, signer, log: &log)
            return try Answer(answer(decode(body), of: ended))
        }
        let body = try await verified(read, admission.route, signer, log: &log)
        guard admission.route.takesTurn else {
            return try await answer(admission.route, body: body, for: account)
        }
        let turn = try await accountTurns.take(for: account.id)
        var answer = try await answer(admission.route, body: body, for: account)
        answer.turn = turn
        return answer
    }

    private func verified(
        _ read: BodySource,
        _ route: Route,
        _ signer: Admission.Signer,
        log: inout RequestLog
    ) async throws -> ByteBuffer {
        let body = try await read(route.bodyLimit, signer.key)
        log.bodyByteCount = body.readableBytes
        guard Hash256(sha256: body.readableBytesView) == signer.bodyDigest else {
            throw Refusal(.unauthorized, "the body is not the one that was signed")
        }
        return body
    }

    private func answer(_ route: Route, body: ByteBuffer, for account: StoredAccount) async throws
        -> Answer
    {
        switch route {
        case .health, .register: throw Refusal(.notFound, "there is nothing at this path")
        case .account: try Answer(await introduction(to: account, decode(body)))
        case .pull: try Answer(await pull(decode(body), for: account))
        case .missing: try Answer(await missing(decode(body), for: account))
        case .stage: try Answer(await stage(decode(body), for: account))
        case .push: try await push(for: account) { try decode(body) }
        case .checkpoint: try Answer(await checkpoint(decode(body), for: account))
        case .history: try Answer(await history(decode(body), for: account))
        case .invite: try Answer(await invite(decode(body), for: account))
        case .claim: try Answer(await claim(decode(body), for: account))
        case .acquaint: try Answer(await acquaint(decode(body), for: account))
        case .end: try Answer(await end(decode(body), for: account))
        case .upload: try Answer(await upload(decode(body), for: account))
        case .blobs: try Answer(await blobs(decode(body), for: account))
        case .segments: try Answer(await segments(decode(body), for: account))
        case .uploadSegments(let name, let first, let log):
            try Answer(await uploadSegments(body, to: name, first: first, log: log, for: account))
        case .blob(let name, let first, let count, let log):
            Answer(
                body: try await blob(name, first: first, count: count, log: log, for: account),
                mediaType: Wire.blobMediaType
            )
        }
    }

    private func decode<Request: Message>(_ body: ByteBuffer) throws(Refusal) -> Request {
        guard body.withUnsafeReadableBytes({ MessageBounds.holds($0, for: Request.self) }) else {
            throw Refusal(.tooLarge, "the message has too many fields")
        }
        do {
            return try Request(
                serializedBytes: Data(buffer: body, byteTransferStrategy: .noCopy)
            )
        } catch {
            throw Refusal(.malformed, "the body is not the message of this path")
        }
    }

    private func refuse(_ error: any Error) -> Answer {
        let refusal: Refusal
        switch error {
        case let error as Refusal: refusal = error
        case let error as DecodingFailure: refusal = Refusal(error)
        case let error as VerificationFailure: refusal = Refusal(error)
        case is PublicKeyFailure: refusal = Refusal(VerificationFailure.publicKey)
        case let error as Violation: refusal = Refusal(error)
        default:
            // The store's errors name statements and codes, never the values in them.
            logger.error("a request failed", metadata: ["reason": "\(error)"])
            refusal = Refusal(
                .unavailable,
                StoreFailure.isFull(error)
                    ? "its disk is full" : "something failed there, and is in its log; try again"
            )
        }
        do {
            return try refusal.answer
        } catch {
            var answer = Answer(body: ByteBuffer(), mediaType: Wire.mediaType)
            answer.status = .internalServerError
            return answer
        }
    }
}

/// What the log says of a request: never names, keys or ids.
private struct RequestLog {
    var template = "-"
    var bodyByteCount = 0

    func write(
        to logger: Logger,
        method: HTTPRequest.Method,
        answer: Answer,
        took duration: Duration
    ) {
        let (seconds, attoseconds) = duration.components
        logger.info(
            "request",
            metadata: [
                "method": "\(Route.known(method))", "route": "\(template)",
                "status": "\(answer.status.code)",
                "ms": "\(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)",
                "in": "\(bodyByteCount)", "out": "\(answer.body.readableBytes)",
            ]
        )
    }
}
