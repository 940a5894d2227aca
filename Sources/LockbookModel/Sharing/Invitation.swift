package import LockbookCrypto

/// What is promised to whoever has an invitation's secret; both sides know all of it.
package struct InvitationTerms: Equatable, Sendable {
    package let owner: AccountID
    package let file: FileID
    package let mode: ShareMode
    /// By the owner's clock; from then on he grants nothing for it.
    package let expires: Timestamp

    package init(owner: AccountID, file: FileID, mode: ShareMode, expires: Timestamp) {
        self.owner = owner
        self.file = file
        self.mode = mode
        self.expires = expires
    }
}

/// Why a text is no invitation's code.
package enum InvitationCodeFailure: Error, Equatable, Sendable {
    case notACode
    case checksum
    case newerFormat(UInt8)
}

/// An invitation as one line of text, which goes from the owner to the invited and past no server:
/// `lbi1`, then base32 of what was promised, by whom, and the secret.
package struct InvitationCode: Equatable, Sendable {
    package let terms: InvitationTerms
    package let secret: InvitationSecret
    package let owner: Username
    /// Where both have to have their accounts.
    package let server: String

    package static let prefix = "lbi1"

    package init(
        _ terms: InvitationTerms,
        secret: InvitationSecret,
        from owner: Username,
        server: String
    ) {
        self.terms = terms
        self.secret = secret
        self.owner = owner
        self.server = server
    }

    package var text: String {
        var encoder = CanonicalEncoder(reserving: 160)
        encoder.append(UInt8(1))
        encoder.append(terms.owner.hash)
        encoder.append(fixed: terms.file.bytes)
        encoder.append(terms.mode.rawValue)
        encoder.append(terms.expires.milliseconds)
        encoder.append(fixed: secret.bytes)
        encoder.append(counted: owner.text.utf8)
        encoder.append(counted: server.utf8)
        encoder.append(fixed: Self.checksum(encoder.bytes))
        return Self.prefix + Base32.encode(encoder.bytes)
    }

    /// Reads what was typed or pasted: upper or lower case, with any white space.
    package init(_ text: String) throws(InvitationCodeFailure) {
        let typed = text.lowercased().filter { !$0.isWhitespace }
        guard typed.hasPrefix(Self.prefix), typed.utf8.count < 1_024 else { throw .notACode }
        guard let bytes = Base32.decode(typed.utf8.dropFirst(Self.prefix.utf8.count)),
            bytes.count > 5
        else { throw .notACode }
        guard Array(bytes.suffix(4)) == Self.checksum(Array(bytes.dropLast(4))) else {
            throw .checksum
        }
        guard bytes[0] == 1 else { throw .newerFormat(bytes[0]) }
        var decoder = CanonicalDecoder(Array(bytes.dropLast(4)))
        do {
            try decoder.format(known: 1)
            let owner = AccountID(hash: try decoder.hash())
            let file = FileID(exactly: try decoder.fixed(16))
            guard let mode = ShareMode(rawValue: try decoder.byte()), mode > .none else {
                throw InvitationCodeFailure.notACode
            }
            terms = InvitationTerms(
                owner: owner,
                file: file,
                mode: mode,
                expires: Timestamp(milliseconds: try decoder.int64())
            )
            guard let secret = InvitationSecret(try decoder.fixed(InvitationSecret.byteCount)),
                let name = String(validating: try decoder.counted(), as: UTF8.self)
                    .flatMap({ Username($0) }),
                let server = String(validating: try decoder.counted(), as: UTF8.self)
            else { throw InvitationCodeFailure.notACode }
            self.secret = secret
            self.owner = name
            self.server = server
            try decoder.finish()
        } catch {
            throw .notACode
        }
    }

    private static func checksum(_ bytes: [UInt8]) -> [UInt8] {
        Array(Hash256(label: "lockbook/v1/invitation-code", bytes).bytes.prefix(4))
    }
}

/// What the invited leaves at the server for the owner: who he is, vouched for with the secret.
///
/// The owner makes an ordinary grant to the keys in it, and to no others.
package struct InvitationClaim: Equatable, Sendable {
    package static let format: UInt8 = 1

    /// 16 bytes, which follow from the secret.
    package let invitation: [UInt8]
    package let certificate: AccountCertificate
    package let bytes: [UInt8]

    package init(
        _ terms: InvitationTerms,
        secret: InvitationSecret,
        by certificate: AccountCertificate
    ) {
        var encoder = CanonicalEncoder(reserving: 320)
        encoder.append(Self.format)
        encoder.append(fixed: secret.name)
        encoder.append(counted: certificate.bytes)
        encoder.append(fixed: secret.code(of: Self.message(terms, certificate)))
        invitation = secret.name
        self.certificate = certificate
        bytes = encoder.bytes
    }

    /// Reads a claim and verifies the certificate in it; `verify` checks that it was vouched for.
    package init(_ bytes: [UInt8]) throws {
        var decoder = CanonicalDecoder(bytes)
        try decoder.format(known: Self.format)
        invitation = Array(try decoder.fixed(16))
        certificate = try AccountCertificate(verifying: Array(try decoder.counted()))
        _ = try decoder.fixed(32)
        try decoder.finish()
        self.bytes = bytes
    }

    /// Checks that somebody with the secret vouched for exactly these keys under these terms.
    package func verify(_ terms: InvitationTerms, secret: InvitationSecret)
        throws(VerificationFailure)
    {
        guard invitation == secret.name else { throw .misplaced }
        guard secret.isCode(bytes.suffix(32), of: Self.message(terms, certificate)) else {
            throw .signature
        }
    }

    private static func message(_ terms: InvitationTerms, _ certificate: AccountCertificate)
        -> [UInt8]
    {
        var encoder = CanonicalEncoder(label: "lockbook/v1/invitation-claim", reserving: 320)
        encoder.append(terms.owner.hash)
        encoder.append(fixed: terms.file.bytes)
        encoder.append(terms.mode.rawValue)
        encoder.append(terms.expires.milliseconds)
        encoder.append(counted: certificate.bytes)
        return encoder.bytes
    }
}
