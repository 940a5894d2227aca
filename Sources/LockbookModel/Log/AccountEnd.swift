package import LockbookCrypto

/// Says that an account is deleted for good, signed by its owner.
///
/// It has the account's keys in it, and the account's id follows from them: who knows the id needs nothing
/// else to believe it.
package struct AccountEnd: Equatable, Sendable {
    package static let format: UInt8 = 1

    package let owner: AccountPublicKeys
    package let created: Timestamp
    package let bytes: [UInt8]

    package init(created: Timestamp, by owner: AccountKeys) throws {
        self.owner = owner.publicKeys
        self.created = created
        var encoder = CanonicalEncoder(reserving: 176)
        encoder.append(Self.format)
        encoder.append(owner.publicKeys)
        encoder.append(created.milliseconds)
        encoder.append(fixed: try owner.signing.sign(encoder.bytes, for: .accountEnd))
        bytes = encoder.bytes
    }

    /// Reads a statement and verifies that it is by the keys in it.
    package init(verifying bytes: [UInt8]) throws {
        var decoder = CanonicalDecoder(bytes)
        try decoder.format(known: Self.format)
        owner = try decoder.accountKeys()
        created = Timestamp(milliseconds: try decoder.int64())
        try decoder.finish(signedBy: owner.signing, for: .accountEnd)
        self.bytes = bytes
    }

    /// The same, for one account.
    /// - Throws: `VerificationFailure.author` when it is another account that is deleted by it.
    package init(verifying bytes: [UInt8], of account: AccountID) throws {
        try self.init(verifying: bytes)
        guard self.account == account else { throw VerificationFailure.author }
    }

    package var account: AccountID { AccountID(owner) }
}
