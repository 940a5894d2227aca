import Crypto

/// The key of one device's own store; it never leaves the key file.
package struct DeviceKey: Sendable {
    let key: SymmetricKey

    package init(random: RandomSource) {
        key = SymmetricKey(data: random.bytes(32))
    }

    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        key = SymmetricKey(data: bytes)
    }

    package var bytes: [UInt8] { key.withUnsafeBytes { Array($0) } }

    /// The key for one use on this device.
    package func key(for label: StaticString) -> LocalKey {
        var info: [UInt8] = Array("lockbook/v1/device/".utf8)
        label.withUTF8Buffer { info.append(contentsOf: $0) }
        return LocalKey(
            key: HKDF<SHA256>.expand(pseudoRandomKey: key, info: info, outputByteCount: 32)
        )
    }
}

/// Seals rows of this device's store that have no form on the wire.
package struct LocalKey: Sendable {
    let key: SymmetricKey

    package func seal(_ bytes: [UInt8], bound associated: [UInt8], random: RandomSource) throws
        -> [UInt8]
    {
        try AEAD.seal(bytes, key: key, associated: associated, random: random)
    }

    package func open(_ sealed: [UInt8], bound associated: [UInt8])
        throws(OpeningFailure) -> [UInt8]
    {
        try AEAD.open(sealed[...], key: key, associated: associated)
    }
}

extension LocalKey {
    /// A digest by which a row can be found without telling what it is about.
    package func tag(_ bytes: [UInt8]) -> Hash256 {
        let code = HMAC<SHA256>.authenticationCode(for: bytes, using: key)
        return code.withUnsafeBytes { Hash256(raw: $0) }
    }
}
