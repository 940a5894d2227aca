import Crypto

/// Why sealed bytes were not opened.
package enum OpeningFailure: Error, Equatable, Sendable {
    /// The bytes were changed, belong elsewhere, or were sealed under another key.
    case doesNotOpen
    /// The commitment names another key.
    case wrongKey
    /// Plaintext came out, but it is not what was announced: too long, too short, badly framed.
    case malformed
}

/// AES-256-GCM with a random nonce in front, for values of a few hundred bytes.
///
/// Random 96-bit nonces are safe for 2^32 values a key (NIST SP 800-38D 8.3); every key here is of
/// one folder, file or device. Large content goes through `ContentSealer`.
enum AEAD {
    static let nonceByteCount = 12
    static let overhead = 28

    static func seal(
        _ plaintext: [UInt8],
        key: SymmetricKey,
        associated: [UInt8],
        random: RandomSource
    ) throws -> [UInt8] {
        let nonceBytes = random.bytes(nonceByteCount)
        let nonce = try AES.GCM.Nonce(data: nonceBytes)
        let box = try AES.GCM.seal(plaintext, using: key, nonce: nonce, authenticating: associated)
        var sealed = nonceBytes
        sealed.reserveCapacity(plaintext.count + overhead)
        sealed.append(contentsOf: box.ciphertext)
        sealed.append(contentsOf: box.tag)
        return sealed
    }

    static func open(
        _ sealed: ArraySlice<UInt8>,
        key: SymmetricKey,
        associated: [UInt8]
    ) throws(OpeningFailure) -> [UInt8] {
        guard sealed.count >= overhead else { throw .doesNotOpen }
        do {
            let box = try AES.GCM.SealedBox(combined: sealed)
            return Array(try AES.GCM.open(box, using: key, authenticating: associated))
        } catch {
            throw .doesNotOpen
        }
    }
}

/// Comparisons whose time does not tell where the first difference is.
enum ConstantTime {
    static func equal(_ left: Hash256, _ right: Hash256) -> Bool {
        left.withUnsafeBytes { one in
            right.withUnsafeBytes { other in
                var difference: UInt8 = 0
                for index in 0..<32 { difference |= one[index] ^ other[index] }
                return difference == 0
            }
        }
    }
}
