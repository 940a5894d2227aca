import Crypto

/// What a signature says; the label is part of the signed bytes, so none serves twice.
package enum SignaturePurpose: Sendable, CaseIterable {
    case entry, checkpoint, account, grant, transferOffer, succession, accountEnd

    var label: StaticString {
        switch self {
        case .entry: "lockbook/v1/entry"
        case .checkpoint: "lockbook/v1/checkpoint"
        case .account: "lockbook/v1/account"
        case .grant: "lockbook/v1/grant"
        case .transferOffer: "lockbook/v1/transfer-offer"
        case .succession: "lockbook/v1/succession"
        case .accountEnd: "lockbook/v1/account-end"
        }
    }

    func message(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var encoder = CanonicalEncoder(label: label, reserving: bytes.count + 32)
        encoder.append(fixed: Array(bytes))
        return encoder.bytes
    }
}

/// Signs log entries, checkpoints, certificates, grants, transfers and ends of accounts (Ed25519, RFC 8032).
package struct SigningKey: Sendable {
    private let key: Curve25519.Signing.PrivateKey

    package init?(seed: some Collection<UInt8>) {
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: Array(seed)) else {
            return nil
        }
        self.key = key
    }

    package var publicKey: VerifyingKey { VerifyingKey(trusted: key.publicKey) }

    /// 64 bytes over the purpose's label and the bytes.
    package func sign(_ bytes: some Collection<UInt8>, for purpose: SignaturePurpose) throws
        -> [UInt8]
    {
        Array(try key.signature(for: purpose.message(bytes)))
    }
}

/// Signs requests; another key than the one for entries, because a server chooses what it asks.
package struct RequestKey: Sendable {
    private let key: Curve25519.Signing.PrivateKey

    package init?(seed: some Collection<UInt8>) {
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: Array(seed)) else {
            return nil
        }
        self.key = key
    }

    package var publicKey: VerifyingKey { VerifyingKey(trusted: key.publicKey) }

    /// 64 bytes over an RFC 9421 signature base.
    package func sign(signatureBase: [UInt8]) throws -> [UInt8] {
        Array(try key.signature(for: signatureBase))
    }
}

/// A public Ed25519 key that was checked when it entered.
package struct VerifyingKey: Hashable, Sendable {
    package let bytes: Hash256
    private let key: Curve25519.Signing.PublicKey

    fileprivate init(trusted key: Curve25519.Signing.PublicKey) {
        self.key = key
        bytes = Hash256(exactly: Array(key.rawRepresentation)[...])
    }

    /// Refuses encodings that are not canonical and the points of small order, under which anyone
    /// could sign (RFC 8032 5.1.7 leaves the check to the application).
    package init(_ bytes: Hash256) throws(PublicKeyFailure) {
        guard !Curve25519Points.isUnsafeEdwards(bytes.bytes) else { throw .unsafe }
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes.bytes) else {
            throw .unsafe
        }
        self.bytes = bytes
        self.key = key
    }

    package func verifies(
        _ signature: some Collection<UInt8>,
        of bytes: some Collection<UInt8>,
        for purpose: SignaturePurpose
    ) -> Bool {
        signature.count == 64
            && key.isValidSignature(Array(signature), for: purpose.message(bytes))
    }

    package func verifies(_ signature: [UInt8], ofSignatureBase base: [UInt8]) -> Bool {
        signature.count == 64 && key.isValidSignature(signature, for: base)
    }

    package static func == (left: VerifyingKey, right: VerifyingKey) -> Bool {
        left.bytes == right.bytes
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(bytes)
    }
}
