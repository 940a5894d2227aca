package import LockbookCrypto

/// The signed head of a log entry: where it stands, after what, by whom, and a hash of the rest.
package struct EntryHeader: Equatable, Sendable {
    package static let format: UInt8 = 1
    package static let byteCount = 225
    /// Positions are counted on from, also from one that somebody made up.
    package static let maximumPosition: UInt64 = 1 << 62

    package let log: AccountID
    /// 0 for the entry that starts the log.
    package let position: UInt64
    /// The hash of the header before; zero for the first.
    package let previous: Hash256
    package let author: AccountID
    package let device: DeviceID
    package let bodyHash: Hash256
    package let created: Timestamp
    package let bytes: [UInt8]

    package init(
        log: AccountID,
        position: UInt64,
        previous: Hash256,
        author: AccountID,
        device: DeviceID,
        bodyHash: Hash256,
        created: Timestamp,
        signedBy key: SigningKey
    ) throws {
        self.log = log
        self.position = position
        self.previous = previous
        self.author = author
        self.device = device
        self.bodyHash = bodyHash
        self.created = created
        var encoder = CanonicalEncoder(reserving: Self.byteCount)
        encoder.append(Self.format)
        encoder.append(log.hash)
        encoder.append(position)
        encoder.append(previous)
        encoder.append(author.hash)
        encoder.append(fixed: device.bytes)
        encoder.append(bodyHash)
        encoder.append(created.milliseconds)
        encoder.append(fixed: try key.sign(encoder.bytes, for: .entry))
        bytes = encoder.bytes
    }

    /// Reads the canonical form; the signature is checked by `verify`.
    package init(_ bytes: [UInt8]) throws(DecodingFailure) {
        var decoder = CanonicalDecoder(bytes)
        try decoder.format(known: Self.format)
        log = AccountID(hash: try decoder.hash())
        position = try decoder.uint64()
        guard position <= Self.maximumPosition else { throw .invalid(field: "position") }
        previous = try decoder.hash()
        author = AccountID(hash: try decoder.hash())
        guard let device = DeviceID(try decoder.fixed(16)) else { throw .length }
        self.device = device
        bodyHash = try decoder.hash()
        created = Timestamp(milliseconds: try decoder.int64())
        _ = try decoder.fixed(64)
        try decoder.finish()
        self.bytes = bytes
    }

    /// What the next header names as the one before it; the signature is part of it.
    package var hash: Hash256 { Hash256(label: "lockbook/v1/header", bytes) }

    package func verify(by key: VerifyingKey) throws(VerificationFailure) {
        guard key.verifies(bytes.suffix(64), of: bytes.dropLast(64), for: .entry) else {
            throw .signature
        }
    }

    /// Checks that this header stands directly after another.
    package func verify(after known: LogHead?, in log: AccountID) throws(VerificationFailure) {
        guard self.log == log else { throw .misplaced }
        if let known {
            guard position > 0, position - 1 == known.position, previous == known.hash else {
                throw .misplaced
            }
        } else {
            guard position == 0, previous == .zero else { throw .misplaced }
        }
    }
}

/// The newest entry of a log that somebody knows.
package struct LogHead: Hashable, Sendable {
    package var position: UInt64
    package var hash: Hash256

    package init(position: UInt64, hash: Hash256) {
        self.position = position
        self.hash = hash
    }

    package init(_ header: EntryHeader) {
        position = header.position
        hash = header.hash
    }
}
