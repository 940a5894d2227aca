import LockbookCrypto
import SecondImplementation
import Testing

/// The wrap of a file key for somebody else (RFC 9180).
struct HPKETests {
    private let info = Bytes("info".utf8)

    private struct Vector {
        let fields: [String: Any]
        func bytes(_ name: String) throws -> Bytes {
            try Vectors.hex(fields[name] as? String ?? "")
        }
    }

    /// RFC 9180's vectors of our suite in base mode.
    private func vectors() throws -> [Vector] {
        let all = try Vectors.json("CryptoTests/HPKE/hpke-test-vectors.json") as? [[String: Any]]
        return (all ?? []).filter {
            $0["mode"] as? Int == 0 && $0["kem_id"] as? Int == 32 && $0["kdf_id"] as? Int == 1
                && $0["aead_id"] as? Int == 3
        }.map { Vector(fields: $0) }
    }

    /// The messages of the vectors are no file keys, so they go through the second
    /// implementation, and what that seals with the vectors' keys goes through ours.
    @Test func `the second implementation follows RFC 9180, and we follow it`() throws {
        let vectors = try vectors()
        #expect(vectors.count == 1)
        for vector in vectors {
            let recipient = try vector.bytes("skRm")
            let exchanged = try #require(
                OpenSSL.x25519(try vector.bytes("skEm"), with: try vector.bytes("pkRm"))
            )
            let context = HPKE.context(
                exchanged: exchanged,
                enc: try vector.bytes("enc"),
                recipient: try vector.bytes("pkRm"),
                info: try vector.bytes("info")
            )
            #expect(context.key == (try vector.bytes("key")))
            #expect(context.nonce == (try vector.bytes("base_nonce")))
            let messages = vector.fields["encryptions"] as? [[String: Any]] ?? []
            #expect(messages.count == 257)
            let first = Vector(fields: messages.first ?? [:])
            let sealed = Cipher.chaCha20Poly1305.seal(
                try first.bytes("pt"),
                key: context.key,
                nonce: context.nonce,
                associated: try first.bytes("aad")
            )
            #expect(sealed == (try first.bytes("ct")))
            let fileKey = noise(32)
            let wrap = try #require(
                HPKE.seal(
                    fileKey,
                    to: try vector.bytes("pkRm"),
                    info: try vector.bytes("info"),
                    ephemeral: try vector.bytes("skEm")
                )
            )
            #expect(Bytes(wrap.prefix(32)) == (try vector.bytes("enc")))
            let key = try AgreementKey(testing: recipient)
            #expect(try key.unwrap(wrap, info: try vector.bytes("info")).bytes == fileKey)
        }
    }

    @Test func `OpenSSL opens what we wrap`() throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            let secret = noise(32, seed: seed)
            let key = try AgreementKey(testing: secret)
            let fileKey = FileKey(random: .seeded(seed))
            let sealed = try key.publicKey.wrap(fileKey, info: info)
            #expect(sealed.count == AgreementPublicKey.sealedByteCount)
            #expect(HPKE.open(sealed, key: secret, info: info) == fileKey.bytes)
            #expect(try key.unwrap(sealed, info: info) == fileKey)
        }
    }

    @Test func `a wrap changed in any bit, of another length or info does not open`() throws {
        let key = try AgreementKey(testing: noise(32))
        let sealed = try key.publicKey.wrap(FileKey(random: .seeded(9)), info: info)
        for index in sealed.indices {
            for bit in 0..<8 {
                var changed = sealed
                changed[index] ^= 1 << UInt8(bit)
                #expect(throws: OpeningFailure.self) { try key.unwrap(changed, info: info) }
            }
        }
        for length in 0..<sealed.count {
            #expect(throws: OpeningFailure.doesNotOpen) {
                try key.unwrap(Bytes(sealed.prefix(length)), info: info)
            }
        }
        #expect(throws: OpeningFailure.doesNotOpen) { try key.unwrap(sealed + [0], info: info) }
        #expect(throws: OpeningFailure.doesNotOpen) { try key.unwrap(sealed, info: info + [0]) }
        let other = try AgreementKey(testing: noise(32, seed: 2))
        #expect(throws: OpeningFailure.doesNotOpen) { try other.unwrap(sealed, info: info) }
    }

    /// With a low-order encapsulated key the exchanged secret is zero for every recipient.
    @Test func `a wrap that everybody could have made is refused`() throws {
        let key = try AgreementKey(testing: noise(32))
        for point in PublicKeyTests.lowOrderMontgomery {
            let enc = try Vectors.hex(point)
            let context = HPKE.context(
                exchanged: Bytes(repeating: 0, count: 32),
                enc: enc,
                recipient: key.publicKey.bytes.bytes,
                info: info
            )
            let sealed =
                enc
                + Cipher.chaCha20Poly1305.seal(
                    noise(32),
                    key: context.key,
                    nonce: context.nonce
                )
            #expect(throws: OpeningFailure.doesNotOpen) { try key.unwrap(sealed, info: info) }
            #expect(!AgreementPublicKey.isSafe(sealed: sealed))
        }
    }

    /// Of a wrap that is cut off nothing may be read beyond its end.
    @Test func `what is too short for a key is not safe`() {
        for length in 0..<32 {
            #expect(!AgreementPublicKey.isSafe(sealed: noise(length)))
        }
        #expect(AgreementPublicKey.isSafe(sealed: noise(31) + [0x20]))
    }
}
