import COpenSSL

package typealias Bytes = [UInt8]

/// The primitives of `docs/FORMAT.md`, by OpenSSL; nothing here knows the program's own code.
package enum OpenSSL {
    package static func sha256(_ bytes: Bytes) -> Bytes {
        var digest = Bytes(repeating: 0, count: 32)
        SHA256(bytes, bytes.count, &digest)
        return digest
    }

    package static func hmac(_ key: Bytes, _ message: Bytes) -> Bytes {
        var code = Bytes(repeating: 0, count: 32)
        var count: UInt32 = 0
        HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, &code, &count)
        return code
    }

    /// RFC 5869 2.2.
    package static func extract(salt: Bytes, _ key: Bytes) -> Bytes { hmac(salt, key) }

    /// RFC 5869 2.3.
    package static func expand(_ key: Bytes, _ info: Bytes, _ count: Int) -> Bytes {
        var output: Bytes = []
        var block: Bytes = []
        var number: UInt8 = 1
        while output.count < count {
            block = hmac(key, block + info + [number])
            output += block
            number += 1
        }
        return Bytes(output.prefix(count))
    }
}

// MARK: AEAD

/// An AEAD with a 96-bit nonce and a 128-bit tag.
package enum Cipher {
    case aes256GCM
    case chaCha20Poly1305

    private var pointer: OpaquePointer? {
        switch self {
        case .aes256GCM: EVP_aes_256_gcm()
        case .chaCha20Poly1305: EVP_chacha20_poly1305()
        }
    }

    /// Ciphertext, then tag.
    package func seal(_ plaintext: Bytes, key: Bytes, nonce: Bytes, associated: Bytes = [])
        -> Bytes
    {
        let context = EVP_CIPHER_CTX_new()
        defer { EVP_CIPHER_CTX_free(context) }
        var count: Int32 = 0
        var sealed = Bytes(repeating: 0, count: plaintext.count + 16)
        precondition(EVP_EncryptInit_ex(context, pointer, nil, key, nonce) == 1)
        precondition(
            EVP_EncryptUpdate(context, nil, &count, associated, Int32(associated.count)) == 1
        )
        precondition(
            EVP_EncryptUpdate(context, &sealed, &count, plaintext, Int32(plaintext.count)) == 1
        )
        precondition(EVP_EncryptFinal_ex(context, nil, &count) == 1)
        var tag = Bytes(repeating: 0, count: 16)
        precondition(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, &tag) == 1)
        sealed.replaceSubrange(plaintext.count..., with: tag)
        return sealed
    }

    /// nil when it does not open.
    package func open(_ sealed: Bytes, key: Bytes, nonce: Bytes, associated: Bytes = []) -> Bytes? {
        guard sealed.count >= 16 else { return nil }
        let context = EVP_CIPHER_CTX_new()
        defer { EVP_CIPHER_CTX_free(context) }
        var count: Int32 = 0
        let ciphertext = Bytes(sealed.dropLast(16))
        var tag = Bytes(sealed.suffix(16))
        var plaintext = Bytes(repeating: 0, count: ciphertext.count + 1)
        guard EVP_DecryptInit_ex(context, pointer, nil, key, nonce) == 1,
            EVP_DecryptUpdate(context, nil, &count, associated, Int32(associated.count)) == 1,
            EVP_DecryptUpdate(context, &plaintext, &count, ciphertext, Int32(ciphertext.count))
                == 1,
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, &tag) == 1,
            EVP_DecryptFinal_ex(context, nil, &count) == 1
        else { return nil }
        return Bytes(plaintext.dropLast())
    }
}

// MARK: Curve25519

extension OpenSSL {
    private static func withPrivate<Value>(
        _ type: Int32,
        _ key: Bytes,
        _ body: (OpaquePointer?) -> Value
    ) -> Value {
        let key = EVP_PKEY_new_raw_private_key(type, nil, key, key.count)
        defer { EVP_PKEY_free(key) }
        return body(key)
    }

    private static func publicKey(_ type: Int32, _ key: Bytes) -> Bytes {
        withPrivate(type, key) { key in
            var bytes = Bytes(repeating: 0, count: 32)
            var count = 32
            precondition(EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1)
            return bytes
        }
    }

    package static func ed25519Public(_ key: Bytes) -> Bytes { publicKey(NID_ED25519, key) }
    package static func x25519Public(_ key: Bytes) -> Bytes { publicKey(NID_X25519, key) }

    package static func sign(_ message: Bytes, _ key: Bytes) -> Bytes {
        withPrivate(NID_ED25519, key) { key in
            let context = EVP_MD_CTX_new()
            defer { EVP_MD_CTX_free(context) }
            var signature = Bytes(repeating: 0, count: 64)
            var count = 64
            precondition(EVP_DigestSignInit(context, nil, nil, nil, key) == 1)
            precondition(
                EVP_DigestSign(context, &signature, &count, message, message.count) == 1
            )
            return signature
        }
    }

    package static func verify(_ signature: Bytes, _ message: Bytes, _ key: Bytes) -> Bool {
        let key = EVP_PKEY_new_raw_public_key(NID_ED25519, nil, key, key.count)
        let context = EVP_MD_CTX_new()
        defer {
            EVP_MD_CTX_free(context)
            EVP_PKEY_free(key)
        }
        return EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    /// nil when OpenSSL refuses the public key.
    package static func x25519(_ key: Bytes, with other: Bytes) -> Bytes? {
        withPrivate(NID_X25519, key) { key in
            let other = EVP_PKEY_new_raw_public_key(NID_X25519, nil, other, other.count)
            let context = EVP_PKEY_CTX_new(key, nil)
            defer {
                EVP_PKEY_CTX_free(context)
                EVP_PKEY_free(other)
            }
            var secret = Bytes(repeating: 0, count: 32)
            var count = 32
            guard EVP_PKEY_derive_init(context) == 1, EVP_PKEY_derive_set_peer(context, other) == 1,
                EVP_PKEY_derive(context, &secret, &count) == 1
            else { return nil }
            return secret
        }
    }
}
