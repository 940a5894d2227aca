import Crypto

/// The key of one version of one document's content.
package struct ContentKey: Sendable, Equatable {
    let key: SymmetricKey

    package init(random: RandomSource) {
        key = SymmetricKey(data: random.bytes(32))
    }

    package init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count == 32 else { return nil }
        key = SymmetricKey(data: Array(bytes))
    }

    package init?(_ bytes: [UInt8]) {
        self.init(bytes[...])
    }

    package var bytes: [UInt8] { key.withUnsafeBytes { Array($0) } }

    /// A digest of plaintext that means nothing without this key.
    package func digester() -> ContentDigester {
        let digestKey = HKDF<SHA256>.expand(
            pseudoRandomKey: key,
            info: Array("lockbook/v1/content-digest".utf8),
            outputByteCount: 32
        )
        return ContentDigester(code: HMAC<SHA256>(key: digestKey))
    }

    package func digest(_ plaintext: [UInt8]) -> Hash256 {
        var digester = digester()
        digester.update(plaintext)
        return digester.finish()
    }

    /// The key of the chunks and the commitment in front of them.
    /// - Parameter binding: as given to `ContentSealer`.
    package func chunkKey(compression: ContentCompression, bound binding: [UInt8]) -> ChunkKey {
        var info = CanonicalEncoder(label: "lockbook/v1/content", reserving: 128)
        info.append(compression.rawValue)
        info.append(fixed: binding)
        let material = HKDF<SHA256>.expand(
            pseudoRandomKey: key,
            info: info.bytes,
            outputByteCount: 64
        )
        return ChunkKey(bytes: material.withUnsafeBytes { Array($0) }[...])
    }
}

/// What seals the chunks of one version's content and names the key in front of them.
///
/// A caller that reads contents often keeps these bytes beside the content key: deriving them takes
/// as long as opening a small content.
package struct ChunkKey: Sendable, Equatable {
    package static let byteCount = 64

    package let bytes: ArraySlice<UInt8>

    /// Nil for another number of bytes.
    package init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    fileprivate init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    var key: SymmetricKey { bytes.prefix(32).withUnsafeBytes { SymmetricKey(data: $0) } }

    var commitment: Hash256 { bytes.suffix(32).withUnsafeBytes { Hash256(raw: $0) } }
}

/// HMAC-SHA-256 over plaintext that comes in pieces.
package struct ContentDigester {
    fileprivate var code: HMAC<SHA256>

    package mutating func update(_ bytes: [UInt8]) {
        code.update(data: bytes)
    }

    package func finish() -> Hash256 {
        code.finalize().withUnsafeBytes { Hash256(raw: $0) }
    }
}

/// How the plaintext stands in a blob.
///
/// The value is kept in the sealed body, not in the blob.
package enum ContentCompression: UInt8, Sendable {
    case none = 0
    case zstd = 1
}

/// The fixed numbers of the content format.
package enum ContentFormat {
    package static let version: UInt8 = 1
    package static let headerByteCount = 33
    package static let chunkByteCount = 65_536
    static let tagByteCount = 16
    /// Payload length and plaintext length at the end of the last chunk.
    static let trailerByteCount = 16
    package static let segmentByteCount = 1 << 20

    /// How many segments a blob has; only the last one may be shorter than the others.
    package static func segmentCount(of byteCount: UInt64) -> UInt64 {
        let (whole, rest) = byteCount.quotientAndRemainder(dividingBy: UInt64(segmentByteCount))
        return whole + (rest > 0 ? 1 : 0)
    }

    /// 11 bytes of counter, then 1 for the last chunk (the STREAM construction, Hoang, Reyhanitabar,
    /// Rogaway, Vizár 2015): a chunk cannot be moved, repeated or be the end when it is not.
    static func nonce(counter: UInt64, last: Bool) throws -> AES.GCM.Nonce {
        var encoder = CanonicalEncoder(reserving: 12)
        encoder.append(fixed: [0, 0, 0])
        encoder.append(counter)
        encoder.append(last)
        return try AES.GCM.Nonce(data: encoder.bytes)
    }

    /// Padmé (Nikitin et al., PETS 2019): hides all but O(log log n) bits of a length, for at most
    /// 12 % of it.
    package static func padme(_ length: Int) -> Int {
        guard length > 2 else { return length }
        let exponent = Int.bitWidth - 1 - length.leadingZeroBitCount
        let significant = Int.bitWidth - exponent.leadingZeroBitCount
        let mask = (1 << (exponent - significant)) - 1
        return (length + mask) & ~mask
    }
}
