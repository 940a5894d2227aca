package import HTTPTypes

/// The numbers and names that both ends of the wire agree on.
package enum Wire {
    /// Sent with every request and answer; another number means that one side needs an update.
    package static let version = 1

    package static let mediaType = "application/protobuf"
    package static let blobMediaType = "application/octet-stream"

    /// Blobs up to this many bytes travel many to a request; larger ones in segments.
    package static let smallBlobByteCount = 1 << 20
    /// What one staging request or one page of an answer aims at.
    package static let batchByteCount = 8 << 20
    /// The largest body that either side reads.
    package static let maximumBodyByteCount = 32 << 20
    /// The largest answer that is taken for a server's refusal: it holds a sentence and a signed message.
    package static let maximumRefusalByteCount = 64 << 10
    /// The records of one entry, which travel in parts.
    package static let maximumEntryByteCount = 128 << 20
    /// Logs of other accounts that one request for what is new may name.
    package static let followedLogCount = 256
    /// What a checkpoint says of scopes, so that one answer holds all of it.
    package static let maximumStateByteCount = 12 << 20
    /// What a later format may add to a group, a checkpoint, or what that says of a scope.
    package static let maximumExtensionByteCount = 4 << 10
    /// Segments in one request of an upload or download.
    package static let segmentsPerRequest = 4
    /// The largest blob: 64 GiB, whose segment digests fit in one request.
    package static let maximumBlobByteCount: UInt64 = 64 << 30
    package static let maximumNamesPerRequest = 20_000
    /// How far a request's time may be from the server's, in seconds.
    package static let clockWindow: Int64 = 300
}

extension HTTPField.Name {
    /// The wire version of the program that speaks.
    package static let lockbookVersion = named("Lockbook-Version")
    package static let contentDigest = named("Content-Digest")
    package static let signature = named("Signature")
    package static let signatureInput = named("Signature-Input")

    private static func named(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else {
            preconditionFailure("a field of the protocol has no valid name")
        }
        return name
    }
}

/// Where requests go.
package enum Endpoint: String, Sendable, CaseIterable {
    case health = "/v1/health"
    case register = "/v1/register"
    case account = "/v1/account"
    case pull = "/v1/pull"
    case missing = "/v1/missing"
    case stage = "/v1/stage"
    case push = "/v1/push"
    case checkpoint = "/v1/checkpoint"
    case history = "/v1/history"
    case invite = "/v1/invite"
    case claim = "/v1/claim"
    case acquaint = "/v1/acquaint"
    /// Deletes the account that signs.
    case end = "/v1/end"
    /// Begins an upload; its segments go by PUT to `/v1/upload/NAME/FIRST`.
    case upload = "/v1/upload"
    case blobs = "/v1/blobs"
    case segments = "/v1/segments"
    /// Segments of a large blob: GET `/v1/blob/NAME/FIRST/COUNT`.
    case blob = "/v1/blob"

    package var path: String { rawValue }
}
