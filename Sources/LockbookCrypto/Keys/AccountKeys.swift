import Crypto

/// The 32 bytes that are an account: whoever has them is the account.
package struct AccountSeed: Sendable, Equatable {
    let key: SymmetricKey

    package static let byteCount = 32

    package init(random: RandomSource) {
        key = SymmetricKey(data: random.bytes(Self.byteCount))
    }

    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        key = SymmetricKey(data: Array(bytes))
    }

    package var bytes: [UInt8] { key.withUnsafeBytes { Array($0) } }
}

/// The keys that follow from an account's seed, one for each purpose.
package struct AccountKeys: Sendable {
    package let signing: SigningKey
    package let request: RequestKey
    package let agreement: AgreementKey
    /// Wraps the key of the account's root folder.
    package let root: WrapKey
    /// Tags the name of the root, which has no folder above it.
    package let rootTag: NameTagKey

    /// HKDF-SHA-256 (RFC 5869): extract with a fixed salt, expand once for each label.
    package init(seed: AccountSeed) throws {
        let extracted = HKDF<SHA256>.extract(
            inputKeyMaterial: seed.key,
            salt: Array("lockbook/v1/account".utf8)
        )
        func derive(_ purpose: String) -> SymmetricKey {
            HKDF<SHA256>.expand(
                pseudoRandomKey: extracted,
                info: Array("lockbook/v1/account/\(purpose)".utf8),
                outputByteCount: 32
            )
        }
        func bytes(_ purpose: String) -> [UInt8] {
            derive(purpose).withUnsafeBytes { Array($0) }
        }
        guard let signing = SigningKey(seed: bytes("entry-signing")),
            let request = RequestKey(seed: bytes("request-signing"))
        else { throw PublicKeyFailure.unsafe }
        self.signing = signing
        self.request = request
        agreement = try AgreementKey(seed: bytes("key-agreement"))
        root = WrapKey(key: derive("root-key"))
        rootTag = NameTagKey(key: derive("root-tag"))
    }

    package var publicKeys: AccountPublicKeys {
        AccountPublicKeys(
            signing: signing.publicKey,
            request: request.publicKey,
            agreement: agreement.publicKey
        )
    }
}

/// The public half of an account, every key of it checked.
package struct AccountPublicKeys: Hashable, Sendable {
    package let signing: VerifyingKey
    package let request: VerifyingKey
    package let agreement: AgreementPublicKey

    package init(signing: VerifyingKey, request: VerifyingKey, agreement: AgreementPublicKey) {
        self.signing = signing
        self.request = request
        self.agreement = agreement
    }

    package init(signing: Hash256, request: Hash256, agreement: Hash256) throws(PublicKeyFailure) {
        self.signing = try VerifyingKey(signing)
        self.request = try VerifyingKey(request)
        self.agreement = try AgreementPublicKey(agreement)
    }

    /// SHA-256 over the three keys: the account's id, the same whatever it is called.
    package var fingerprint: Hash256 {
        Self.fingerprint(of: [signing.bytes, request.bytes, agreement.bytes])
    }

    /// - Parameter keys: the three in their order, also such as nobody checked.
    package static func fingerprint(of keys: [Hash256]) -> Hash256 {
        var encoder = CanonicalEncoder(reserving: 96)
        for key in keys { encoder.append(key) }
        return Hash256(label: "lockbook/v1/account-id", encoder.bytes)
    }
}
