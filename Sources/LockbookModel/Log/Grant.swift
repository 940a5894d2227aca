package import LockbookCrypto

/// What a member of a share may do.
package enum ShareMode: UInt8, Comparable, Sendable {
    /// Nothing any more: the grant that takes an earlier one back.
    case none = 0
    case read = 1
    case write = 2
    case admin = 3

    package static func < (left: ShareMode, right: ShareMode) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// Says that an account may use a shared file, signed by who says so.
///
/// The grantee's keys stand in it, so that whoever wraps a key later takes them from a signature
/// and not from a server.
package struct Grant: Equatable, Sendable {
    package static let format: UInt8 = 1

    package let owner: AccountID
    package let file: FileID
    package let grantee: AccountPublicKeys
    package let granteeName: Username
    package let mode: ShareMode
    package let grantor: AccountID
    /// Counts the grants of this file to this grantee; the highest holds.
    package let serial: UInt64
    package let created: Timestamp
    package let bytes: [UInt8]

    package init(
        owner: AccountID,
        file: FileID,
        grantee: AccountPublicKeys,
        named name: Username,
        mode: ShareMode,
        grantor: AccountID,
        serial: UInt64,
        created: Timestamp,
        signedBy key: SigningKey
    ) throws {
        self.owner = owner
        self.file = file
        self.grantee = grantee
        granteeName = name
        self.mode = mode
        self.grantor = grantor
        self.serial = serial
        self.created = created
        var encoder = CanonicalEncoder()
        encoder.append(Self.format)
        encoder.append(owner.hash)
        encoder.append(fixed: file.bytes)
        encoder.append(grantee)
        encoder.append(counted: name.text.utf8)
        encoder.append(mode.rawValue)
        encoder.append(grantor.hash)
        encoder.append(serial)
        encoder.append(created.milliseconds)
        encoder.append(fixed: try key.sign(encoder.bytes, for: .grant))
        bytes = encoder.bytes
    }

    /// Reads the canonical form and checks the public keys; `verify` checks the signature.
    package init(_ bytes: [UInt8]) throws {
        var decoder = CanonicalDecoder(bytes)
        try decoder.format(known: Self.format)
        owner = AccountID(hash: try decoder.hash())
        file = FileID(exactly: try decoder.fixed(16))
        grantee = try decoder.accountKeys()
        guard let text = String(validating: try decoder.counted(), as: UTF8.self),
            let name = Username(text)
        else { throw DecodingFailure.invalid(field: "username") }
        granteeName = name
        guard let mode = ShareMode(rawValue: try decoder.byte()) else {
            throw DecodingFailure.invalid(field: "mode")
        }
        self.mode = mode
        grantor = AccountID(hash: try decoder.hash())
        serial = try decoder.uint64()
        created = Timestamp(milliseconds: try decoder.int64())
        _ = try decoder.fixed(64)
        try decoder.finish()
        self.bytes = bytes
    }

    /// How far a serial may go beyond the one before it.
    ///
    /// Who took the highest that there is would make a grant that nobody can take back.
    package static let maximumSerialStep: UInt64 = 1 << 20

    /// Whether it may take the place of the one that held before, or is the first one.
    package func mayFollow(_ old: Grant?) -> Bool {
        let last = old?.serial ?? 0
        return (old == nil || serial > last)
            && serial <= last.addingReportingOverflow(Self.maximumSerialStep).partialValue
    }

    package func verify(by key: VerifyingKey) throws(VerificationFailure) {
        guard key.verifies(bytes.suffix(64), of: bytes.dropLast(64), for: .grant) else {
            throw .signature
        }
    }
}

/// A file's key of one epoch, sealed for one grantee.
package struct GranteeWrap: Equatable, Sendable {
    package static let format: UInt8 = 1

    package let owner: AccountID
    package let file: FileID
    package let epoch: UInt32
    package let grantee: AccountID
    package let sealed: [UInt8]

    package init(
        _ key: FileKey,
        owner: AccountID,
        file: FileID,
        epoch: UInt32,
        grantee: AccountPublicKeys
    ) throws {
        self.owner = owner
        self.file = file
        self.epoch = epoch
        self.grantee = AccountID(grantee)
        sealed = try grantee.agreement.wrap(
            key,
            info: Self.info(owner: owner, file: file, epoch: epoch, grantee: AccountID(grantee))
        )
    }

    package init(_ bytes: [UInt8]) throws(DecodingFailure) {
        var decoder = CanonicalDecoder(bytes)
        try decoder.format(known: Self.format)
        owner = AccountID(hash: try decoder.hash())
        file = FileID(exactly: try decoder.fixed(16))
        epoch = try decoder.uint32()
        grantee = AccountID(hash: try decoder.hash())
        sealed = Array(try decoder.fixed(AgreementPublicKey.sealedByteCount))
        try decoder.finish()
    }

    package var bytes: [UInt8] {
        var encoder = CanonicalEncoder()
        encoder.append(Self.format)
        encoder.append(owner.hash)
        encoder.append(fixed: file.bytes)
        encoder.append(epoch)
        encoder.append(grantee.hash)
        encoder.append(fixed: sealed)
        return encoder.bytes
    }

    /// Whether it may be let in; what is in a log already fails for its grantee alone.
    package var isSafe: Bool { AgreementPublicKey.isSafe(sealed: sealed) }

    package func open(with key: AgreementKey) throws(OpeningFailure) -> FileKey {
        try key.unwrap(
            sealed,
            info: Self.info(owner: owner, file: file, epoch: epoch, grantee: grantee)
        )
    }

    private static func info(owner: AccountID, file: FileID, epoch: UInt32, grantee: AccountID)
        -> [UInt8]
    {
        var encoder = CanonicalEncoder(label: "lockbook/v1/grantee-wrap")
        encoder.append(owner.hash)
        encoder.append(fixed: file.bytes)
        encoder.append(epoch)
        encoder.append(grantee.hash)
        return encoder.bytes
    }
}
