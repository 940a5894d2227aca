import Crypto

/// Why a public key is not let in.
package enum PublicKeyFailure: Error, Equatable, Sendable {
    /// Not a canonical encoding of a point of the prime-order group.
    case unsafe
}

/// The public half of an X25519 key, checked when it entered.
package struct AgreementPublicKey: Hashable, Sendable {
    package let bytes: Hash256

    /// Refuses low-order points, whose shared secret everybody knows, and values not below the
    /// prime.
    ///
    /// swift-crypto accepts both (RFC 7748 section 6.1 leaves the check to the caller).
    package init(_ bytes: Hash256) throws(PublicKeyFailure) {
        guard !Curve25519Points.isUnsafeMontgomery(bytes.bytes) else { throw .unsafe }
        self.bytes = bytes
    }

    init(trusted key: Curve25519.KeyAgreement.PublicKey) {
        bytes = Hash256(exactly: Array(key.rawRepresentation)[...])
    }
}

/// Which encodings of curve points are refused.
enum Curve25519Points {
    // p = 2^255 - 19, little-endian.
    private static let prime: [UInt8] = [0xed] + Array(repeating: 0xff, count: 30) + [0x7f]

    /// Whether the low 255 bits are a number that is not below the prime.
    private static func isNotCanonical(_ encoding: [UInt8]) -> Bool {
        var value = encoding
        value[31] &= 0x7f
        for index in (0..<32).reversed() where value[index] != prime[index] {
            return value[index] > prime[index]
        }
        return true
    }

    // y coordinates of the points whose order divides 8, little-endian, without the sign bit:
    // 1 (order 1), -1 (order 2), 0 (order 4), and the two of order 8.
    private static let smallOrderY: [[UInt8]] = [
        [1] + Array(repeating: 0, count: 31),
        [0xec] + Array(repeating: 0xff, count: 30) + [0x7f],
        Array(repeating: 0, count: 32),
        [
            0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef,
            0x98, 0xf0, 0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88,
            0x6d, 0x53, 0xfc, 0x05,
        ],
        [
            0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10,
            0x67, 0x0f, 0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77,
            0x92, 0xac, 0x03, 0x7a,
        ],
    ]

    static func isUnsafeEdwards(_ encoding: [UInt8]) -> Bool {
        guard encoding.count == 32 else { return true }
        var y = encoding
        y[31] &= 0x7f
        return isNotCanonical(encoding) || smallOrderY.contains(y)
    }

    static func isUnsafeMontgomery(_ encoding: [UInt8]) -> Bool {
        guard encoding.count == 32, encoding[31] & 0x80 == 0, !isNotCanonical(encoding),
            let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: encoding),
            // Every scalar is a multiple of the cofactor, so any one finds all points of low order.
            let probe = try? Curve25519.KeyAgreement.PrivateKey(
                rawRepresentation: Array(repeating: 0x42, count: 32)
            )
        else { return true }
        guard let secret = try? probe.sharedSecretFromKeyAgreement(with: key) else { return true }
        return secret.withUnsafeBytes { $0.allSatisfy { $0 == 0 } }
    }
}
