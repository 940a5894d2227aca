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

    fileprivate init(scope: FileID, fileCount: UInt64, digest: Hash256) {
        self.scope = scope
        self.fileCount = fileCount
        self.digest = digest
    }
}

/// A signed statement of what a tree was at one position of its log.
///
/// A device that starts from it needs no entry before that position.
package struct Checkpoint: Equatable, Sendable {
    package static let format: UInt8 = 1

    package let log: AccountID
    package let head: LogHead
    package let scopes: [ScopeDigest]
    package let author: AccountID
    package let device: DeviceID
    package let created: Timestamp
    package let bytes: [UInt8]

    /// How many files the tree had, deleted ones with them.
    package var fileCount: UInt64 { scopes.reduce(0) { $0 &+ $1.fileCount } }

    package init(
        log: AccountID,
        head: LogHead,
        scopes: [ScopeDigest],
        author: AccountID,
        device: DeviceID,
        created: Timestamp,
        signedBy key: SigningKey
    ) throws {
        self.log = log
        self.head = head
        self.scopes = scopes.sorted { $0.scope < $1.scope }
        self.author = author
        self.device = device
        self.created = created
        var encoder = CanonicalEncoder()
        encoder.append(Self.format)
        encoder.append(log.hash)
        encoder.append(head.position)
        encoder.append(head.hash)
        encoder.append(UInt32(self.scopes.count))
        for scope in self.scopes {
            encoder.append(fixed: scope.scope.bytes)
            encoder.append(scope.fileCount)
            encoder.append(scope.digest)
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
        try decoder.format(known: Self.format)
        log = AccountID(hash: try decoder.hash())
        head = LogHead(position: try decoder.uint64(), hash: try decoder.hash())
        var scopes: [ScopeDigest] = []
        for _ in 0..<(try decoder.count(itemsOfAtLeast: 56)) {
            let scope = FileID(exactly: try decoder.fixed(16))
            let count = try decoder.uint64()
            scopes.append(
                ScopeDigest(scope: scope, fileCount: count, digest: try decoder.hash())
            )
        }
        guard zip(scopes, scopes.dropFirst()).allSatisfy({ $0.scope < $1.scope }) else {
            throw .invalid(field: "scopes")
        }
        self.scopes = scopes
        author = AccountID(hash: try decoder.hash())
        guard let device = DeviceID(try decoder.fixed(16)) else { throw .length }
        self.device = device
        created = Timestamp(milliseconds: try decoder.int64())
        _ = try decoder.counted()
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
