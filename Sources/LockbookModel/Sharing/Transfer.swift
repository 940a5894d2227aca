package import LockbookCrypto

/// Says that a member may take a shared file over, signed by its owner.
package struct TransferOffer: Equatable, Sendable {
    package static let format: UInt8 = 1

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
        let signature = try decoder.fixed(64)
        try decoder.finish()
        guard owner.signing.verifies(signature, of: bytes.dropLast(64), for: .transferOffer) else {
            throw VerificationFailure.signature
        }
        self.bytes = bytes
    }

    /// What is given.
    package var source: LinkTarget { LinkTarget(owner: AccountID(owner), file: file) }
}

/// Says which file continues what another account shared, signed by who took it over.
package struct Succession: Equatable, Sendable {
    package static let format: UInt8 = 1

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
        let signature = try decoder.fixed(64)
        try decoder.finish()
        guard heir.signing.verifies(signature, of: bytes.dropLast(64), for: .succession) else {
            throw VerificationFailure.signature
        }
        guard AccountID(heir) == offer.heir else { throw VerificationFailure.author }
        self.bytes = bytes
    }

    package var target: LinkTarget { LinkTarget(owner: AccountID(heir), file: file) }
}

/// What the body extension of a file other than the root says of transfers.
package struct TransferMark: Equatable, Sendable {
    package static let format: UInt8 = 1
    /// How many owners back a share is followed.
    package static let maximumSuccessionCount = 8

    /// Which version of which file of the earlier owner this one is a copy of.
    package struct Origin: Equatable, Sendable {
        package var file: FileID
        package var version: VersionID?
        /// The version that the copy had then; what has another one was changed since.
        package var copy: VersionID?

        package init(file: FileID, version: VersionID?, copy: VersionID?) {
            self.file = file
            self.version = version
            self.copy = copy
        }
    }

    package var offer: TransferOffer?
    /// What this file continues, the last owner's first.
    package var successions: [Succession] = []
    package var origin: Origin?

    package init() {}

    package init(origin: Origin) { self.origin = origin }

    package var bytes: [UInt8] {
        guard offer != nil || !successions.isEmpty || origin != nil else { return [] }
        var encoder = CanonicalEncoder(reserving: 512)
        encoder.append(Self.format)
        encoder.append(counted: offer?.bytes ?? [])
        encoder.append(UInt32(successions.count))
        for succession in successions { encoder.append(counted: succession.bytes) }
        encoder.append(origin != nil)
        if let origin {
            encoder.append(fixed: origin.file.bytes)
            for version in [origin.version, origin.copy] {
                encoder.append(counted: version?.bytes ?? [])
            }
        }
        return encoder.bytes
    }

    /// Reads a body extension.
    ///
    /// Whoever may write may put anything there; what is no mark, or does not verify, says nothing.
    package init(reading bytes: [UInt8]) {
        if !bytes.isEmpty, let mark = try? TransferMark(verifying: bytes) { self = mark }
    }

    private init(verifying bytes: [UInt8]) throws {
        var decoder = CanonicalDecoder(bytes)
        try decoder.format(known: Self.format)
        let offer = Array(try decoder.counted())
        if !offer.isEmpty { self.offer = try TransferOffer(verifying: offer) }
        for _ in 0..<(try decoder.count(itemsOfAtLeast: 4)) {
            guard successions.count < Self.maximumSuccessionCount else {
                throw DecodingFailure.invalid(field: "successions")
            }
            successions.append(try Succession(verifying: Array(try decoder.counted())))
        }
        if try decoder.bool("origin") {
            let file = FileID(exactly: try decoder.fixed(16))
            var versions: [VersionID?] = []
            for _ in 0..<2 as Range<Int> {
                let version = try decoder.counted()
                let read = VersionID(version)
                guard read != nil || version.isEmpty else {
                    throw DecodingFailure.invalid(field: "version")
                }
                versions.append(read)
            }
            origin = Origin(file: file, version: versions[0], copy: versions[1])
        }
        try decoder.finish()
    }

    /// What a file of an account continues, the last owner's first; nothing where the signatures
    /// are about something else.
    package func sources(of target: LinkTarget) -> [Succession] {
        var next = target
        var found: [Succession] = []
        for succession in successions {
            guard succession.target == next else { break }
            found.append(succession)
            next = succession.offer.source
        }
        return found
    }

    /// The mark of what is made out of this file, by who takes it over.
    package func succeeded(by succession: Succession) -> [Succession] {
        let earlier = sources(of: succession.offer.source)
        return [succession] + earlier.prefix(Self.maximumSuccessionCount - 1)
    }
}

extension CanonicalEncoder {
    fileprivate mutating func append(_ keys: AccountPublicKeys) {
        append(keys.signing.bytes)
        append(keys.request.bytes)
        append(keys.agreement.bytes)
    }
}

extension CanonicalDecoder {
    fileprivate mutating func accountKeys() throws -> AccountPublicKeys {
        try AccountPublicKeys(signing: try hash(), request: try hash(), agreement: try hash())
    }
}
