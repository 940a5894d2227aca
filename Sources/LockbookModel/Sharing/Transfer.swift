package import LockbookCrypto

/// Says that a member may take a shared file over, signed by its owner.
package struct TransferOffer: Equatable, Sendable {
    package static let format: UInt8 = 1
    /// Of every offer.
    static let byteCount = 221

    package let owner: AccountPublicKeys
    package let file: FileID
    package let heir: AccountID
    /// Which of the owner's transfers of this file it is.
    package let number: UInt32
    package let created: Timestamp
    package let bytes: [UInt8]

    package init(
        of file: FileID,
        to heir: AccountID,
        number: UInt32,
        created: Timestamp,
        by owner: AccountKeys
    ) throws {
        self.owner = owner.publicKeys
        self.file = file
        self.heir = heir
        self.number = number
        self.created = created
        var encoder = CanonicalEncoder(reserving: 224)
        encoder.append(Self.format)
        encoder.append(owner.publicKeys)
        encoder.append(fixed: file.bytes)
        encoder.append(heir.hash)
        encoder.append(number)
        encoder.append(created.milliseconds)
        encoder.append(fixed: try owner.signing.sign(encoder.bytes, for: .transferOffer))
        bytes = encoder.bytes
    }

    /// Reads an offer and verifies that it is by the keys in it.
    package init(verifying bytes: [UInt8]) throws {
        var decoder = CanonicalDecoder(bytes)
        try decoder.format(known: Self.format)
        owner = try decoder.accountKeys()
        file = FileID(exactly: try decoder.fixed(16))
        heir = AccountID(hash: try decoder.hash())
        number = try decoder.uint32()
        created = Timestamp(milliseconds: try decoder.int64())
        try decoder.finish(signedBy: owner.signing, for: .transferOffer)
        self.bytes = bytes
    }

    /// What is given.
    package var source: LinkTarget { LinkTarget(owner: AccountID(owner), file: file) }
}

/// Says which file continues what another account shared, signed by who took it over.
package struct Succession: Equatable, Sendable {
    package static let format: UInt8 = 1
    /// Of every succession.
    static let byteCount = 1 + 4 + TransferOffer.byteCount + 96 + 16 + 8 + 64

    package let offer: TransferOffer
    package let heir: AccountPublicKeys
    package let file: FileID
    package let created: Timestamp
    package let bytes: [UInt8]

    package init(
        to offer: TransferOffer,
        with file: FileID,
        created: Timestamp,
        by heir: AccountKeys
    ) throws {
        self.offer = offer
        self.heir = heir.publicKeys
        self.file = file
        self.created = created
        var encoder = CanonicalEncoder(reserving: 448)
        encoder.append(Self.format)
        encoder.append(counted: offer.bytes)
        encoder.append(heir.publicKeys)
        encoder.append(fixed: file.bytes)
        encoder.append(created.milliseconds)
        encoder.append(fixed: try heir.signing.sign(encoder.bytes, for: .succession))
        bytes = encoder.bytes
    }

    /// Reads a succession; verifies it, the offer in it, and that it was offered to who signed.
    package init(verifying bytes: [UInt8]) throws {
        var decoder = CanonicalDecoder(bytes)
        try decoder.format(known: Self.format)
        offer = try TransferOffer(verifying: Array(try decoder.counted()))
        heir = try decoder.accountKeys()
        file = FileID(exactly: try decoder.fixed(16))
        created = Timestamp(milliseconds: try decoder.int64())
        try decoder.finish(signedBy: heir.signing, for: .succession)
        guard AccountID(heir) == offer.heir else { throw VerificationFailure.author }
        self.bytes = bytes
    }

    package var target: LinkTarget { LinkTarget(owner: AccountID(heir), file: file) }
}

extension CanonicalEncoder {
    mutating func append(_ keys: AccountPublicKeys) {
        append(keys.signing.bytes)
        append(keys.request.bytes)
        append(keys.agreement.bytes)
    }
}

extension CanonicalDecoder {
    mutating func accountKeys() throws -> AccountPublicKeys {
        try AccountPublicKeys(signing: try hash(), request: try hash(), agreement: try hash())
    }

    /// Reads the signature that a statement ends with, and verifies it.
    mutating func finish(signedBy key: VerifyingKey, for purpose: SignaturePurpose) throws {
        let signed = consumed
        let signature = try fixed(64)
        try finish()
        guard key.verifies(signature, of: signed, for: purpose) else {
            throw VerificationFailure.signature
        }
    }
}
