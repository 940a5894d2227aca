import SecondImplementation
import Testing

@testable import LockbookCrypto

extension AgreementKey {
    init(testing seed: Bytes) throws { try self.init(seed: seed) }
}

struct PublicKeyTests {
    /// Points whose multiples by a clamped scalar are zero, with p and p + 1 for 0 and 1
    /// (https://cr.yp.to/ecdh.html#validate).
    static let lowOrderMontgomery = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ]

    /// The eight points of small order, then their encodings that are not canonical.
    private static let smallOrderEdwards = [
        "0100000000000000000000000000000000000000000000000000000000000000",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "0100000000000000000000000000000000000000000000000000000000000080",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    ]

    @Test(arguments: lowOrderMontgomery)
    func `an X25519 key of low order is refused, whatever its top bit`(_ point: String) throws {
        var bytes = try Vectors.hex(point)
        for _ in 0..<2 {
            let encoded = try #require(Hash256(bytes))
            #expect(throws: PublicKeyFailure.unsafe) { try AgreementPublicKey(encoded) }
            bytes[31] ^= 0x80
        }
    }

    @Test(arguments: smallOrderEdwards)
    func `an Ed25519 key under which everybody can sign is refused`(_ point: String) throws {
        let bytes = try #require(Hash256(try Vectors.hex(point)))
        #expect(throws: PublicKeyFailure.unsafe) { try VerifyingKey(bytes) }
    }

    @Test func `values of the prime and above are refused for both curves`() throws {
        for low in 0xed...0xff as ClosedRange<UInt8> {
            for top in [0x7f, 0xff] as [UInt8] {
                let bytes = [low] + Bytes(repeating: 0xff, count: 30) + [top]
                let encoded = try #require(Hash256(bytes))
                #expect(throws: PublicKeyFailure.unsafe) { try AgreementPublicKey(encoded) }
                #expect(throws: PublicKeyFailure.unsafe) { try VerifyingKey(encoded) }
            }
        }
    }

    @Test func `under bytes that are no point of the curve nothing verifies`() throws {
        // y = 2 has no x; the library only notices when it verifies.
        let bytes = try #require(Hash256([2] + Bytes(repeating: 0, count: 31)))
        let key = try VerifyingKey(bytes)
        for signature in [Bytes(repeating: 0, count: 64), noise(64), bytes.bytes + noise(32)] {
            #expect(!key.verifies(signature, of: [1], for: .entry))
            #expect(!key.verifies(signature, ofSignatureBase: [1]))
        }
    }

    @Test func `one unsafe key of the three refuses an account`() throws {
        let keys = try AccountKeys(seed: AccountSeed(random: .seeded(3))).publicKeys
        let (signing, request) = (keys.signing.bytes, keys.request.bytes)
        let agreement = keys.agreement.bytes
        #expect(
            try AccountPublicKeys(signing: signing, request: request, agreement: agreement)
                == keys
        )
        let bad = Hash256.zero
        #expect(throws: PublicKeyFailure.unsafe) {
            try AccountPublicKeys(signing: bad, request: request, agreement: agreement)
        }
        #expect(throws: PublicKeyFailure.unsafe) {
            try AccountPublicKeys(signing: signing, request: bad, agreement: agreement)
        }
        #expect(throws: PublicKeyFailure.unsafe) {
            try AccountPublicKeys(signing: signing, request: request, agreement: bad)
        }
    }

    @Test func `keys that we make are let in`() throws {
        for seed in 1...50 as ClosedRange<UInt64> {
            let keys = try AccountKeys(seed: AccountSeed(random: .seeded(seed))).publicKeys
            #expect(try VerifyingKey(keys.signing.bytes) == keys.signing)
            #expect(try VerifyingKey(keys.request.bytes) == keys.request)
            #expect(try AgreementPublicKey(keys.agreement.bytes) == keys.agreement)
        }
    }
}
