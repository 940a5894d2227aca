package import LockbookCrypto

/// The state of one scope in a digest.
package struct ScopeDigest: Equatable, Sendable {
    package var scope: FileID
    package var fileCount: UInt64
    package var digest: Hash256

    /// - Parameter records: every record of the scope, in the order of the file ids.
    package init(scope: FileID, sortedRecords records: some Collection<RecordReference>) {
        var encoder = CanonicalEncoder(reserving: records.count * 48)
        for record in records {
            encoder.append(fixed: record.file.bytes)
            encoder.append(record.hash)
        }
        self.scope = scope
        fileCount = UInt64(records.count)
        digest = Hash256(label: "lockbook/v1/scope", encoder.bytes)
    }

    init(scope: FileID, fileCount: UInt64, digest: Hash256) {
        self.scope = scope
        self.fileCount = fileCount
        self.digest = digest
    }
}

/// The state of one scope as a checkpoint names it.
package struct ScopeStateReference: Hashable, Sendable {
    package var scope: FileID
    package var hash: Hash256

    package init(scope: FileID, hash: Hash256) {
        self.scope = scope
        self.hash = hash
    }
}

/// A signed statement of what a tree was at one position of its log.
///
/// A device that starts from it needs no entry before that position.
package struct Checkpoint: Equatable, Sendable {
    package static let format: UInt8 = 1
    /// Of a log in which something is or was shared: it names each scope's state by its hash alone, so
    /// that who sees one scope learns nothing of another.
    package static let sharedFormat: UInt8 = 2

    package let log: AccountID
    package let head: LogHead
    /// None where something is or was shared.
    package let scopes: [ScopeDigest]
    /// By rising scope; nil where nothing was shared yet.
    package let states: [ScopeStateReference]?
    package let author: AccountID
    package let device: DeviceID
    package let created: Timestamp
    /// The bytes of fields of a later format.
    package let extensionByteCount: Int
    package let bytes: [UInt8]

    /// How many files the tree had, deleted ones with them; 0 where something is or was shared.
    package var fileCount: UInt64 { scopes.reduce(0) { $0 &+ $1.fileCount } }

    package init(
        log: AccountID,
        head: LogHead,
        scopes: [ScopeDigest] = [],
        states: [ScopeStateReference]? = nil,
        author: AccountID,
        device: DeviceID,
        created: Timestamp,
        signedBy key: SigningKey
    ) throws {
        self.log = log
        self.head = head
        self.scopes = scopes.sorted { $0.scope < $1.scope }
        self.states = states?.sorted { $0.scope < $1.scope }
        self.author = author
        self.device = device
        self.created = created
        extensionByteCount = 0
        var encoder = CanonicalEncoder()
        encoder.append(states == nil ? Self.format : Self.sharedFormat)
        encoder.append(log.hash)
        encoder.append(head.position)
        encoder.append(head.hash)
        encoder.append(UInt32(self.states?.count ?? self.scopes.count))
        for scope in self.scopes {
            encoder.append(fixed: scope.scope.bytes)
            encoder.append(scope.fileCount)
            encoder.append(scope.digest)
        }
        for state in self.states ?? [] {
            encoder.append(fixed: state.scope.bytes)
            encoder.append(state.hash)
        }
        encoder.append(author.hash)
        encoder.append(fixed: device.bytes)
        encoder.append(created.milliseconds)
        encoder.append(counted: [])
        encoder.append(fixed: try key.sign(encoder.bytes, for: .checkpoint))
        bytes = encoder.bytes
    }

    /// Reads the canonical form; the signature is checked by `verify`.
    package init(_ bytes: [UInt8]) throws(DecodingFailure) {
        var decoder = CanonicalDecoder(bytes)
        let isShared = try decoder.format(knownUpTo: Self.sharedFormat) == Self.sharedFormat
        log = AccountID(hash: try decoder.hash())
        head = LogHead(position: try decoder.uint64(), hash: try decoder.hash())
        var scopes: [ScopeDigest] = []
        var states: [ScopeStateReference] = []
        for _ in 0..<(try decoder.count(itemsOfAtLeast: isShared ? 48 : 56)) {
            let scope = FileID(exactly: try decoder.fixed(16))
            if isShared {
                states.append(ScopeStateReference(scope: scope, hash: try decoder.hash()))
            } else {
                let count = try decoder.uint64()
                scopes.append(
                    ScopeDigest(scope: scope, fileCount: count, digest: try decoder.hash())
                )
            }
        }
        let order = scopes.map(\.scope) + states.map(\.scope)
        guard zip(order, order.dropFirst()).allSatisfy({ $0 < $1 }) else {
            throw .invalid(field: "scopes")
        }
        self.scopes = scopes
        self.states = isShared ? states : nil
        author = AccountID(hash: try decoder.hash())
        guard let device = DeviceID(try decoder.fixed(16)) else { throw .length }
        self.device = device
        created = Timestamp(milliseconds: try decoder.int64())
        extensionByteCount = try decoder.counted().count
        _ = try decoder.fixed(64)
        try decoder.finish()
        self.bytes = bytes
    }

    package func verify(by key: VerifyingKey) throws(VerificationFailure) {
        guard key.verifies(bytes.suffix(64), of: bytes.dropLast(64), for: .checkpoint) else {
            throw .signature
        }
    }
}
