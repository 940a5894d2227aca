/// HPKE base mode for one message (RFC 9180), of DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and
/// ChaCha20-Poly1305.
package enum HPKE {
    package struct Context: Equatable {
        package let key: Bytes
        package let nonce: Bytes
    }

    private static let kemSuite = ascii("KEM") + u16(0x0020)
    private static let suite = ascii("HPKE") + u16(0x0020) + u16(0x0001) + u16(0x0003)

    private static func extract(_ suite: Bytes, _ salt: Bytes, _ label: String, _ key: Bytes)
        -> Bytes
    {
        OpenSSL.extract(salt: salt, ascii("HPKE-v1") + suite + ascii(label) + key)
    }

    private static func expand(
        _ suite: Bytes,
        _ key: Bytes,
        _ label: String,
        _ info: Bytes,
        _ count: Int
    ) -> Bytes {
        OpenSSL.expand(
            key,
            u16(UInt16(count)) + ascii("HPKE-v1") + suite + ascii(label) + info,
            count
        )
    }

    /// Section 4.1, then 5.1, from the result of the Diffie-Hellman exchange.
    package static func context(exchanged: Bytes, enc: Bytes, recipient: Bytes, info: Bytes)
        -> Context
    {
        let prk = extract(kemSuite, [], "eae_prk", exchanged)
        let shared = expand(kemSuite, prk, "shared_secret", enc + recipient, 32)
        let schedule =
            [0] + extract(suite, [], "psk_id_hash", []) + extract(suite, [], "info_hash", info)
        let secret = extract(suite, shared, "secret", [])
        return Context(
            key: expand(suite, secret, "key", schedule, 32),
            nonce: expand(suite, secret, "base_nonce", schedule, 12)
        )
    }

    /// Encapsulated key, then ciphertext.
    package static func seal(_ message: Bytes, to recipient: Bytes, info: Bytes, ephemeral: Bytes)
        -> Bytes?
    {
        guard let exchanged = OpenSSL.x25519(ephemeral, with: recipient) else { return nil }
        let enc = OpenSSL.x25519Public(ephemeral)
        let context = context(exchanged: exchanged, enc: enc, recipient: recipient, info: info)
        return enc + Cipher.chaCha20Poly1305.seal(message, key: context.key, nonce: context.nonce)
    }

    package static func open(_ sealed: Bytes, key: Bytes, info: Bytes) -> Bytes? {
        let enc = Bytes(sealed.prefix(32))
        guard let exchanged = OpenSSL.x25519(key, with: enc) else { return nil }
        let context = context(
            exchanged: exchanged,
            enc: enc,
            recipient: OpenSSL.x25519Public(key),
            info: info
        )
        return Cipher.chaCha20Poly1305.open(
            Bytes(sealed.dropFirst(32)),
            key: context.key,
            nonce: context.nonce
        )
    }
}
