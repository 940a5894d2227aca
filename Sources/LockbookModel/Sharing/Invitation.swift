package import LockbookCrypto

/// What is promised to whoever has an invitation's secret; both sides know all of it.
package struct InvitationTerms: Equatable, Sendable {
    /// Whose tree the file stands in.
    package let owner: AccountID
    /// Who grants it, and is told who uses it: the owner, or an admin of what is shared.
    package let inviter: AccountID
    package let file: FileID
    package let mode: ShareMode
    /// By the inviter's clock; from then on he grants nothing for it.
    package let expires: Timestamp

    /// - Parameter inviter: nil for the owner himself.
    package init(
        owner: AccountID,
        inviter: AccountID? = nil,
        file: FileID,
        mode: ShareMode,
        expires: Timestamp
    ) {
        self.owner = owner
        self.inviter = inviter ?? owner
        self.file = file
        self.mode = mode
        self.expires = expires
    }

    package var isByAdmin: Bool { inviter != owner }

    /// Of the code and of the claim: programs that know owners alone cannot read an admin's.
    fileprivate var format: UInt8 { isByAdmin ? Self.formatByAdmin : 1 }
    fileprivate static let formatByAdmin: UInt8 = 2
}

/// Why a text is no invitation's code.
package enum InvitationCodeFailure: Error, Equatable, Sendable {
    case notACode
    case checksum
    case newerFormat(UInt8)
}

/// An invitation as one line of text, which goes from the inviter to the invited and past no server:
/// `lbi1`, then base32 of what was promised, by whom, and the secret.
package struct InvitationCode: Equatable, Sendable {
    package let terms: InvitationTerms
    package let secret: InvitationSecret
    /// Of who invites.
    package let inviter: Username
    /// Where both have to have their accounts.
    package let server: String

    package static let prefix = "lbi1"

    package init(
        _ terms: InvitationTerms,
        secret: InvitationSecret,
        from inviter: Username,
        server: String
    ) {
        self.terms = terms
        self.secret = secret
        self.inviter = inviter
        self.server = server
    }

    package var text: String {
        var encoder = CanonicalEncoder(reserving: 192)
        encoder.append(terms.format)
        encoder.append(terms)
        encoder.append(fixed: secret.bytes)
        encoder.append(counted: inviter.text.utf8)
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
        guard (1...InvitationTerms.formatByAdmin).contains(bytes[0]) else {
            throw .newerFormat(bytes[0])
        }
        var decoder = CanonicalDecoder(Array(bytes.dropLast(4)))
        do {
            terms = try decoder.terms()
            guard let secret = InvitationSecret(try decoder.fixed(InvitationSecret.byteCount)),
                let name = String(validating: try decoder.counted(), as: UTF8.self)
                    .flatMap({ Username($0) }),
                let server = String(validating: try decoder.counted(), as: UTF8.self)
            else { throw InvitationCodeFailure.notACode }
            self.secret = secret
            inviter = name
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

/// What the invited leaves at the server for the inviter: who he is, vouched for with the secret.
///
/// The inviter makes an ordinary grant to the keys in it, and to no others.
package struct InvitationClaim: Equatable, Sendable {
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
        encoder.append(terms.format)
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
        _ = try decoder.format(knownUpTo: InvitationTerms.formatByAdmin)
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
        guard invitation == secret.name, bytes.first == terms.format else { throw .misplaced }
        guard secret.isCode(bytes.suffix(32), of: Self.message(terms, certificate)) else {
            throw .signature
        }
    }

    private static func message(_ terms: InvitationTerms, _ certificate: AccountCertificate)
        -> [UInt8]
    {
        var encoder = CanonicalEncoder(
            label: terms.isByAdmin
                ? "lockbook/v1/invitation-claim-by-admin" : "lockbook/v1/invitation-claim",
            reserving: 352
        )
        encoder.append(terms)
        encoder.append(counted: certificate.bytes)
        return encoder.bytes
    }
}

extension CanonicalEncoder {
    fileprivate mutating func append(_ terms: InvitationTerms) {
        append(terms.owner.hash)
        if terms.isByAdmin { append(terms.inviter.hash) }
        append(fixed: terms.file.bytes)
        append(terms.mode.rawValue)
        append(terms.expires.milliseconds)
    }
}

extension CanonicalDecoder {
    /// The terms behind their format, which the code has checked.
    fileprivate mutating func terms() throws -> InvitationTerms {
        let isByAdmin =
            try format(knownUpTo: InvitationTerms.formatByAdmin) == InvitationTerms.formatByAdmin
        let owner = AccountID(hash: try hash())
        let inviter = isByAdmin ? AccountID(hash: try hash()) : owner
        let file = FileID(exactly: try fixed(16))
        // Only the owner makes admins, and his own invitation has one form.
        guard let mode = ShareMode(rawValue: try byte()), mode > .none,
            !isByAdmin || (inviter != owner && mode < .admin)
        else { throw InvitationCodeFailure.notACode }
        return InvitationTerms(
            owner: owner,
            inviter: inviter,
            file: file,
            mode: mode,
            expires: Timestamp(milliseconds: try int64())
        )
    }
}
