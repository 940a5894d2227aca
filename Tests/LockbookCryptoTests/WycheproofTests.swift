import Crypto
import SecondImplementation
import Testing

@testable import LockbookCrypto

/// Project Wycheproof's cases through this project's own functions.
struct WycheproofTests {
    @Test func `AES-GCM opens every valid case and no other`() throws {
        var opened = 0
        var refused = 0
        var unusual = 0
        for vector in try Vectors.wycheproof("aes_gcm") {
            let message = try vector.bytes("msg")
            let sealed = try vector.bytes("iv") + vector.bytes("ct") + vector.bytes("tag")
            let result = try? AEAD.open(
                sealed[...],
                key: SymmetricKey(data: try vector.bytes("key")),
                associated: try vector.bytes("aad")
            )
            guard vector.number("ivSize") == 96 else {
                // Nonces of another length are not of our format, valid or not.
                #expect(result == nil, "\(vector.name)")
                unusual += 1
                continue
            }
            #expect(result == (vector.isValid ? message : nil), "\(vector.name)")
            if vector.isValid { opened += 1 } else { refused += 1 }
        }
        #expect(opened == 116)
        #expect(refused == 81)
        #expect(unusual == 119)
    }

    @Test func `AES-GCM seals the valid cases byte for byte`() throws {
        var count = 0
        for vector in try Vectors.wycheproof("aes_gcm")
        where vector.number("ivSize") == 96 && vector.isValid {
            let nonce = try vector.bytes("iv")
            let sealed = try AEAD.seal(
                try vector.bytes("msg"),
                key: SymmetricKey(data: try vector.bytes("key")),
                associated: try vector.bytes("aad"),
                random: RandomSource { _ in nonce }
            )
            #expect(sealed == (try nonce + vector.bytes("ct") + vector.bytes("tag")))
            count += 1
        }
        #expect(count == 116)
    }

    @Test func `Ed25519 verifies every valid case and no other`() throws {
        var verified = 0
        var refused = 0
        for vector in try Vectors.wycheproof("ed25519") {
            guard let group = vector.group["publicKey"] as? [String: Any],
                let text = group["pk"] as? String,
                let encoded = Hash256(try Vectors.hex(text))
            else { throw FormatError() }
            let key = try? VerifyingKey(encoded)
            let verifies =
                key?.verifies(try vector.bytes("sig"), ofSignatureBase: try vector.bytes("msg"))
                ?? false
            #expect(verifies == vector.isValid, "\(vector.name)")
            if vector.isValid { verified += 1 } else { refused += 1 }
        }
        #expect(verified == 88)
        #expect(refused == 62)
    }

    @Test func `X25519 public keys are let in unless they are unsafe`() throws {
        var taken = 0
        var lowOrder = 0
        var notCanonical = 0
        for vector in try Vectors.wycheproof("x25519") {
            let bytes = try vector.bytes("public")
            let isLowOrder =
                vector.flags.contains("LowOrderPublic") || vector.flags.contains("ZeroSharedSecret")
            // The file flags values of p and above; a set top bit is not canonical either.
            let isNotCanonical =
                vector.flags.contains("NonCanonicalPublic") || bytes[31] & 0x80 != 0
            let key = try? AgreementPublicKey(Hash256(bytes) ?? .zero)
            #expect((key == nil) == (isLowOrder || isNotCanonical), "\(vector.name)")
            if isLowOrder { lowOrder += 1 }
            if isNotCanonical { notCanonical += 1 }
            if key != nil { taken += 1 }
        }
        #expect(lowOrder == 31)
        #expect(notCanonical > 19)
        #expect(taken > 400)
        let all = try Vectors.wycheproof("x25519").count
        #expect(all == 518)
    }

    /// Every case's private key and point, as recipient and encapsulated key of an HPKE message
    /// that OpenSSL's HKDF and ChaCha20-Poly1305 seal with the secret that the case tells.
    @Test func `X25519 gives the secret of every case whose point is safe`() throws {
        let info = Bytes("wycheproof".utf8)
        let fileKey = Bytes(repeating: 7, count: 32)
        var opened = 0
        for vector in try Vectors.wycheproof("x25519") {
            let enc = try vector.bytes("public")
            let secret = try vector.bytes("private")
            let context = HPKE.context(
                exchanged: try vector.bytes("shared"),
                enc: enc,
                recipient: OpenSSL.x25519Public(secret),
                info: info
            )
            let sealed =
                enc + Cipher.chaCha20Poly1305.seal(fileKey, key: context.key, nonce: context.nonce)
            let found = try? AgreementKey(seed: secret).unwrap(sealed, info: info)
            let isSafe = (try? AgreementPublicKey(Hash256(enc) ?? .zero)) != nil
            #expect((found != nil) == isSafe, "\(vector.name)")
            if let found {
                #expect(found.bytes == fileKey)
                opened += 1
            }
        }
        #expect(opened > 400)
    }

    @Test func `HKDF-SHA-256 gives the values of RFC 5869`() throws {
        let file = try Vectors.text("Test Vectors/rfc-5869-HKDF-SHA256.txt")
        var vectors: [[String: String]] = []
        for line in file.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            let name = parts[0].filter { !$0.isWhitespace }
            if name == "COUNT" { vectors.append([:]) }
            vectors[vectors.count - 1][name] = parts[1].filter { !$0.isWhitespace }
        }
        for vector in vectors {
            func bytes(_ name: String) throws -> Bytes { try Vectors.hex(vector[name] ?? "") }
            let count = Int(vector["L"] ?? "") ?? 0
            let extracted = HKDF<SHA256>.extract(
                inputKeyMaterial: SymmetricKey(data: try bytes("IKM")),
                salt: try bytes("salt")
            )
            let expanded = HKDF<SHA256>.expand(
                pseudoRandomKey: extracted,
                info: try bytes("info"),
                outputByteCount: count
            )
            #expect(extracted.withUnsafeBytes { Bytes($0) } == (try bytes("PRK")))
            #expect(expanded.withUnsafeBytes { Bytes($0) } == (try bytes("OKM")))
            // And the second implementation, which checks the keys of our formats.
            let second = OpenSSL.extract(salt: try bytes("salt"), try bytes("IKM"))
            #expect(second == (try bytes("PRK")))
            #expect(OpenSSL.expand(second, try bytes("info"), count) == (try bytes("OKM")))
        }
        #expect(vectors.count == 3)
    }
}
