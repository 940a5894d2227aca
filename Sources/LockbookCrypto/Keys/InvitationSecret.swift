import Crypto

/// What an invitation's code carries and no server sees: whoever has it may vouch once for keys.
package struct InvitationSecret: Sendable, Equatable {
    let key: SymmetricKey

    package static let byteCount = 16

    package init(random: RandomSource) {
        key = SymmetricKey(data: random.bytes(Self.byteCount))
    }

    /// From 16 bytes; nil for another number of them.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        key = SymmetricKey(data: Array(bytes))
    }

    package var bytes: [UInt8] { key.withUnsafeBytes { Array($0) } }

    /// 16 bytes that name the invitation and tell nothing of its secret.
    package var name: [UInt8] {
        Array(Hash256(label: "lockbook/v1/invitation-id", bytes).bytes.prefix(16))
    }

    /// HMAC-SHA-256 over a claim, 32 bytes.
    package func code(of claim: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: claim, using: claimKey))
    }

    /// Whether somebody who has the secret made this code; compares in constant time.
    package func isCode(_ code: some Collection<UInt8>, of claim: [UInt8]) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(
            Array(code),
            authenticating: claim,
            using: claimKey
        )
    }

    private var claimKey: SymmetricKey {
        SymmetricKey(data: Hash256(label: "lockbook/v1/invitation-key", bytes).bytes)
    }
}
