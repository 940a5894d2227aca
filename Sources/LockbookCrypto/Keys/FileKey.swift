import Crypto

/// The key of one file and epoch, from which everything sealed for that file follows.
package struct FileKey: Sendable, Equatable {
    let key: SymmetricKey

    package static let byteCount = 32

    package init(random: RandomSource) {
        key = SymmetricKey(data: random.bytes(Self.byteCount))
    }

    /// From 32 bytes; nil for another number of them.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        key = SymmetricKey(data: bytes)
    }

    package var bytes: [UInt8] { key.withUnsafeBytes { Array($0) } }

    /// The key under which the keys of the files in this folder are wrapped.
    package func wrapKey() -> WrapKey { WrapKey(key: derive("lockbook/v1/wrap-key")) }

    /// The key under which the names of the files in this folder are tagged.
    package func tagKey() -> NameTagKey { NameTagKey(key: derive("lockbook/v1/tag-key")) }

    /// The key under which the key of the epoch before is sealed.
    package func previousKeyKey() -> WrapKey { WrapKey(key: derive("lockbook/v1/previous-key")) }

    /// The key of this file's bodies, and the commitment that goes in front of them.
    package func bodyKey() -> BodyKey {
        let material = HKDF<SHA256>.expand(
            pseudoRandomKey: key,
            info: Array("lockbook/v1/body-key".utf8),
            outputByteCount: 64
        )
        return material.withUnsafeBytes { raw in
            BodyKey(
                key: SymmetricKey(data: Array(raw[..<32])),
                commitment: Hash256(raw: UnsafeRawBufferPointer(rebasing: raw[32...]))
            )
        }
    }

    private func derive(_ label: String) -> SymmetricKey {
        HKDF<SHA256>.expand(pseudoRandomKey: key, info: Array(label.utf8), outputByteCount: 32)
    }
}

/// Wraps file keys.
package struct WrapKey: Sendable {
    let key: SymmetricKey

    /// A sealed key: 12 bytes of nonce, 32 of key, 16 of tag.
    package static let sealedByteCount = 60

    package func wrap(_ fileKey: FileKey, bound associated: [UInt8], random: RandomSource)
        throws -> [UInt8]
    {
        try AEAD.seal(fileKey.bytes, key: key, associated: associated, random: random)
    }

    package func unwrap(_ sealed: ArraySlice<UInt8>, bound associated: [UInt8])
        throws(OpeningFailure) -> FileKey
    {
        let bytes = try AEAD.open(sealed, key: key, associated: associated)
        guard let fileKey = FileKey(bytes) else { throw .doesNotOpen }
        return fileKey
    }
}

/// Turns a name into the tag by which a server keeps names unique that it cannot read.
package struct NameTagKey: Sendable {
    let key: SymmetricKey

    /// HMAC-SHA-256 over the name in its normal form.
    package func tag(_ normalizedName: [UInt8]) -> Hash256 {
        let code = HMAC<SHA256>.authenticationCode(for: normalizedName, using: key)
        return code.withUnsafeBytes { Hash256(raw: $0) }
    }
}

/// Seals the body of a record.
package struct BodyKey: Sendable {
    let key: SymmetricKey
    /// Names the key without telling it, so that no bytes open under two keys.
    package let commitment: Hash256

    package func seal(_ body: [UInt8], bound associated: [UInt8], random: RandomSource) throws
        -> [UInt8]
    {
        try AEAD.seal(body, key: key, associated: associated, random: random)
    }

    package func open(
        _ sealed: ArraySlice<UInt8>,
        commitment found: Hash256,
        bound associated: [UInt8]
    ) throws(OpeningFailure) -> [UInt8] {
        guard ConstantTime.equal(found, commitment) else { throw .wrongKey }
        return try AEAD.open(sealed, key: key, associated: associated)
    }
}
