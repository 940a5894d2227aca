import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

/// What the engine asks a server, in messages; signs requests and understands refusals.
actor ServerClient {
    let address: ServerAddress
    private let connection: any ServerConnection
    let username: String
    private let key: RequestKey
    let id: AccountID
    private let now: @Sendable () -> Timestamp
    private let openRequests: OpenRequests
    private let isKnown: Bool
    private(set) var traffic = SyncReport.Traffic()
    /// Seconds between the server's clock and ours, used for signing requests and nothing else.
    private(set) var clockOffset: Int64
    /// What the link to the server carries at once, as far as this client found out.
    var link: LinkPortion
    /// Whether the last request did nothing for certain, though it may do something later.
    ///
    /// The server itself says that it cannot now, or what stands in front of it takes none so large.
    private(set) var didNothing = false

    /// - Parameter isKnown: whether the server has answered this account before.
    init(
        account: AccountFile,
        keys: AccountKeys,
        environment: EngineEnvironment,
        clockOffset: Int64,
        link: LinkPortion = LinkPortion(),
        isKnown: Bool = false
    ) throws {
        address = account.server
        connection = try environment.connect(account.server)
        username = account.username
        key = keys.request
        id = AccountID(keys.publicKeys)
        now = environment.now
        openRequests = environment.openRequests
        // What this did not write says nothing of the clock: the server does.
        self.clockOffset = clockOffset.magnitude < Self.largestClockOffset ? clockOffset : 0
        self.link = link
        self.isKnown = isKnown
    }

    /// Ten thousand years in seconds.
    private static let largestClockOffset: UInt64 = 315_576_000_000

    func close() async {
        await connection.close()
    }

    /// - Throws: a `BrokenConnection` or `TooLargeRequest`, after which less may be sent or asked
    ///   for at once.
    func askOnce<Answer: Message & Sendable>(
        _ endpoint: Endpoint,
        _ message: some Message & Sendable
    ) async throws -> Answer {
        let body: Data = try message.serializedData()
        let answer = try await exchange(
            "POST",
            endpoint.path,
            body: Array(body),
            type: Wire.mediaType
        )
        guard answer.withUnsafeBytes({ MessageBounds.holds($0, for: Answer.self) }) else {
            throw LockbookError.integrity(reason: "the server's answer has too many fields")
        }
        do {
            return try Answer(serializedBytes: Data(answer))
        } catch {
            throw LockbookError.integrity(reason: "the server's answer cannot be read")
        }
    }

    /// Sends segments of a large blob.
    /// - Parameter log: whose it is, where that is another account.
    /// - Throws: a `BrokenConnection` or `TooLargeRequest`, after which fewer may be sent at once.
    func put(_ bytes: [UInt8], name: BlobName, first: Int, log: Data) async throws {
        _ = try await exchange(
            "PUT",
            "\(Endpoint.upload.path)/\(name)/\(first)",
            query: Self.query(log),
            body: bytes,
            type: Wire.blobMediaType
        )
    }

    private static func query(_ log: Data) -> String {
        log.isEmpty ? "" : "?log=\(Array(log).hex)"
    }

    /// Fetches segments of a large blob.
    /// - Throws: a `BrokenConnection`, after which fewer may be asked for at once.
    func segments(of name: BlobName, first: Int, count: Int, log: Data) async throws -> [UInt8] {
        try await exchange(
            "GET",
            "\(Endpoint.blob.path)/\(name)/\(first)/\(count)",
            query: Self.query(log),
            body: [],
            type: Wire.blobMediaType
        )
    }

    private func exchange(
        _ method: String,
        _ path: String,
        query: String = "",
        body: [UInt8],
        type: String
    ) async throws -> [UInt8] {
        let first = try await send(method, path, query: query, body: body, type: type)
        if first.status == 200 { return first.body }
        let refusal = try refusal(in: first)
        guard refusal.code == .clock else { throw denial(refusal, at: path) }
        // Our clock is wrong: take the server's for requests, and for nothing else.
        let (offset, overflow) = refusal.serverTime.subtractingReportingOverflow(
            now().milliseconds / 1_000
        )
        guard !overflow, offset.magnitude < Self.largestClockOffset else {
            throw LockbookError.integrity(reason: "the server tells an impossible time")
        }
        clockOffset = offset
        let second = try await send(method, path, query: query, body: body, type: type)
        if second.status == 200 { return second.body }
        throw denial(try self.refusal(in: second), at: path)
    }

    private func denial(_ refusal: Lockbook_V1_ErrorResponse, at path: String) -> any Error {
        didNothing = refusal.code == .unavailable
        return error(for: refusal, at: path)
    }

    private func send(
        _ method: String,
        _ path: String,
        query: String,
        body: [UInt8],
        type: String
    ) async throws -> WireResponse {
        let parts = SignedParts(
            method: method,
            authority: address.authority,
            path: path,
            query: query.isEmpty ? "?" : query,
            bodyDigest: Hash256(sha256: body)
        )
        let created = now().milliseconds / 1_000 + clockOffset
        let (input, signature) = try RequestSignature.sign(parts, created: created, with: key)
        let request = WireRequest(
            method: method,
            path: path + query,
            fields: [
                ("Lockbook-Version", "\(Wire.version)"), ("Content-Type", type),
                ("Content-Digest", parts.contentDigestField), ("Signature-Input", input),
                ("Signature", signature),
            ],
            body: body
        )
        didNothing = false
        traffic.requests += 1
        traffic.sent += body.count + Self.fieldByteCount(request.fields) + path.utf8.count + 40
        let open = openRequests.begin()
        defer { openRequests.end(open) }
        let response: WireResponse
        do {
            response = try await connection.send(request)
        } catch let unanswered as UnansweredConnection {
            throw unanswered.failure(isKnown: isKnown)
        }
        traffic.received +=
            response.body.count + Self.fieldByteCount(response.fields.map { ($0, $1) }) + 20
        try checkSize(of: body.count, response)
        link.gotThrough(max(body.count, response.body.count))
        try checkSpeaker(of: response)
        return response
    }

    /// - Throws: a `TooLargeRequest` where so much was sent that less may be taken.
    private func checkSize(of byteCount: Int, _ response: WireResponse) throws {
        let isOwn = response.fields["lockbook-version"] != nil
        guard response.status == 413, !isOwn || Self.refusal(from: response.body) == nil else {
            return
        }
        didNothing = true
        guard byteCount >= LinkPortion.leastByteCount else { return }
        throw TooLargeRequest(
            failure: .notALockbookServer(
                server: address.url,
                reason: Self.stranger(status: response.status)
            )
        )
    }

    /// Refuses what is no answer of a server of this version.
    private func checkSpeaker(of response: WireResponse) throws {
        guard let version = response.fields["lockbook-version"] else {
            throw LockbookError.notALockbookServer(
                server: address.url,
                reason: Self.stranger(status: response.status)
            )
        }
        guard Int(version) == Wire.version else {
            let difference =
                "the server at \(address.url) speaks version "
                + "\(PlainText.line(version, atMost: 12)), and this "
                + "program version \(Wire.version)"
            // What is no number at all is of a time that we cannot know.
            guard let number = Int(version), number < Wire.version else {
                throw LockbookError.updateNeeded(what: difference)
            }
            throw LockbookError.serverUpdateNeeded(what: difference)
        }
        try refuseCoding(of: response)
    }

    /// The server compresses nothing; what a proxy in front of it compressed is no message.
    private func refuseCoding(of response: WireResponse) throws {
        guard let coding = response.fields["content-encoding"], coding.lowercased() != "identity"
        else { return }
        throw LockbookError.notALockbookServer(
            server: address.url,
            reason: "what stands in front of it compresses answers, with Content-Encoding: "
                + PlainText.line(coding, atMost: 20)
        )
    }

    private static func fieldByteCount(_ fields: [(String, String)]) -> Int {
        fields.reduce(0) { $0 + $1.0.utf8.count + $1.1.utf8.count + 4 }
    }
}
