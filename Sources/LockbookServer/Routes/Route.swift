import HTTPTypes
import LockbookAPI
import LockbookCrypto
import LockbookModel

/// What a request asks for, read from its method and path.
enum Route: Equatable, Sendable {
    case health, register, account, pull, missing, stage, push, checkpoint, upload, blobs, segments,
        history, invite, claim, acquaint, end
    /// With the log that the blob is for, where that is not the signer's.
    case uploadSegments(BlobName, first: Int, log: AccountID?)
    case blob(BlobName, first: Int, count: Int, log: AccountID?)

    /// The shape of the path, for the log: no names.
    var template: String {
        switch self {
        case .health: Endpoint.health.path
        case .register: Endpoint.register.path
        case .account: Endpoint.account.path
        case .pull: Endpoint.pull.path
        case .missing: Endpoint.missing.path
        case .stage: Endpoint.stage.path
        case .push: Endpoint.push.path
        case .checkpoint: Endpoint.checkpoint.path
        case .history: Endpoint.history.path
        case .invite: Endpoint.invite.path
        case .claim: Endpoint.claim.path
        case .acquaint: Endpoint.acquaint.path
        case .end: Endpoint.end.path
        case .upload: Endpoint.upload.path
        case .blobs: Endpoint.blobs.path
        case .segments: Endpoint.segments.path
        case .uploadSegments: "\(Endpoint.upload.path)/{name}/{first}"
        case .blob: "\(Endpoint.blob.path)/{name}/{first}/{count}"
        }
    }

    /// The largest body that is read.
    var bodyLimit: Int {
        switch self {
        case .health, .blob: 0
        case .account, .invite, .claim, .acquaint, .end: 1 << 10
        case .register, .segments: 64 << 10
        case .uploadSegments: Wire.segmentsPerRequest << 20
        default: Wire.maximumBodyByteCount
        }
    }

    /// Whether a small request may make very much work, or its few bytes become many.
    var takesTurn: Bool {
        switch self {
        case .pull, .history, .missing, .blobs, .blob, .checkpoint, .stage, .upload,
            .uploadSegments, .segments:
            true
        default: false
        }
    }

    /// nil for what there is not.
    init?(method: HTTPRequest.Method, path: Substring, query: Substring = "") {
        if method == .get || method == .head, path == Endpoint.health.path {
            self = .health
            return
        }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard parts.first == "v1" else { return nil }
        let rest = Array(parts.dropFirst())
        switch (method, rest.first, rest.count) {
        case (.post, "register", 1): self = .register
        case (.post, "account", 1): self = .account
        case (.post, "pull", 1): self = .pull
        case (.post, "missing", 1): self = .missing
        case (.post, "stage", 1): self = .stage
        case (.post, "push", 1): self = .push
        case (.post, "checkpoint", 1): self = .checkpoint
        case (.post, "history", 1): self = .history
        case (.post, "invite", 1): self = .invite
        case (.post, "claim", 1): self = .claim
        case (.post, "acquaint", 1): self = .acquaint
        case (.post, "end", 1): self = .end
        case (.post, "upload", 1): self = .upload
        case (.post, "blobs", 1): self = .blobs
        case (.post, "segments", 1): self = .segments
        case (.put, "upload", 3):
            guard let name = BlobName(rest[1]), let first = Self.number(rest[2]) else { return nil }
            guard let log = Self.log(query) else { return nil }
            self = .uploadSegments(name, first: first, log: log)
        case (.get, "blob", 4):
            guard let name = BlobName(rest[1]), let first = Self.number(rest[2]),
                let count = Self.number(rest[3])
            else { return nil }
            guard let log = Self.log(query) else { return nil }
            self = .blob(name, first: first, count: count, log: log)
        default: return nil
        }
    }

    /// The log in `?log=HEX`.
    /// - Returns: nil for any other query, and an absent one for none.
    private static func log(_ query: Substring) -> AccountID?? {
        if query.isEmpty { return .some(nil) }
        guard query.hasPrefix("?log="), let name = BlobName(query.dropFirst(5)) else { return nil }
        return AccountID(hash: name.hash)
    }

    /// Digits only, so that a path has one spelling.
    private static func number(_ text: Substring) -> Int? {
        guard text.utf8.count <= 9, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }
}

extension BlobName {
    /// From 64 lower-case hexadecimal digits.
    init?(_ text: Substring) {
        guard !text.utf8.contains(where: { (0x41...0x5a).contains($0) }),
            let hash = [UInt8](hex: text).flatMap({ Hash256($0) })
        else { return nil }
        self.init(hash: hash)
    }
}

extension Route {
    /// The methods of the protocol by name, others as one: a client chooses what it sends.
    static func known(_ method: HTTPRequest.Method) -> String {
        switch method {
        case .get, .post, .put: method.rawValue
        default: "other"
        }
    }
}
