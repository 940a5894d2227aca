package import LockbookCrypto

/// Why something signed is not believed.
package enum VerificationFailure: Error, Equatable, Sendable {
    case signature
    case publicKey
    /// It is of another log, account or position than where it stands.
    case misplaced
    /// Hashes of what was sent do not give what was signed.
    case hash
    case author
}

/// A username, as its forms are allowed: 1 to 32 of `a-z 0-9 . _ -`.
package struct Username: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package init?(_ text: String) {
        guard (1...32).contains(text.utf8.count), text != ".", text != "..",
            text.utf8.allSatisfy({ Self.allowed.contains($0) })
        else { return nil }
        self.text = text
    }

    /// Whether a new account may have it: at its ends stands a letter or a digit, so that no sentence and
    /// no command line takes it for something else.
    package var mayBeNew: Bool {
        [text.utf8.first, text.utf8.last].allSatisfy { end in
            end.map { !Self.marks.contains($0) } ?? false
        }
    }

    private static let marks = Set("._-".utf8)
    private static let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789._-".utf8)

    package var description: String { text }
}

/// A username and public keys, signed by the account they are of.
///
/// The account's id follows from the keys alone, so the certificate is about the name.
package struct AccountCertificate: Equatable, Sendable {
    package static let format: UInt8 = 1

    package let username: Username
    package let keys: AccountPublicKeys
    package let created: Timestamp
    package let bytes: [UInt8]

    package var account: AccountID { AccountID(keys) }

    package init(username: Username, keys: AccountKeys, created: Timestamp) throws {
        var encoder = CanonicalEncoder()
        encoder.append(Self.format)
        encoder.append(counted: username.text.utf8)
        let publicKeys = keys.publicKeys
        encoder.append(publicKeys)
        encoder.append(created.milliseconds)
        encoder.append(fixed: try keys.signing.sign(encoder.bytes, for: .account))
        self.username = username
        self.keys = publicKeys
        self.created = created
        bytes = encoder.bytes
    }

    /// Whose keys a certificate names, with nothing in it checked; nil for what has another form.
    package static func account(namedIn bytes: [UInt8]) -> AccountID? {
        var decoder = CanonicalDecoder(bytes)
        do {
            try decoder.format(known: Self.format)
            _ = try decoder.counted()
            let keys = [try decoder.hash(), try decoder.hash(), try decoder.hash()]
            return AccountID(hash: AccountPublicKeys.fingerprint(of: keys))
        } catch {
            return nil
        }
    }

    /// Reads a certificate, checks its public keys and verifies its signature.
    package init(verifying bytes: [UInt8]) throws {
        var decoder = CanonicalDecoder(bytes)
        try decoder.format(known: Self.format)
        guard let text = String(validating: try decoder.counted(), as: UTF8.self),
            let username = Username(text)
        else { throw DecodingFailure.invalid(field: "username") }
        let signing = try decoder.hash()
        let request = try decoder.hash()
        let agreement = try decoder.hash()
        created = Timestamp(milliseconds: try decoder.int64())
        let signed = decoder.consumed
        let signature = try decoder.fixed(64)
        try decoder.finish()
        do {
            keys = try AccountPublicKeys(signing: signing, request: request, agreement: agreement)
        } catch {
            throw VerificationFailure.publicKey
        }
        guard keys.signing.verifies(signature, of: signed, for: .account) else {
            throw VerificationFailure.signature
        }
        self.username = username
        self.bytes = bytes
    }
}
