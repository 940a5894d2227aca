import Crypto
import SecondImplementation
import Testing

@testable import LockbookCrypto

struct SealingTests {
    private let key = FileKey(random: .seeded(1))
    private let other = FileKey(random: .seeded(2))

    @Test func `a wrapped key opens only where it belongs`() throws {
        let sealed = try other.wrapKey().wrap(key, bound: [1, 2], random: .seeded(3))
        #expect(sealed.count == WrapKey.sealedByteCount)
        #expect(try other.wrapKey().unwrap(sealed[...], bound: [1, 2]) == key)
        #expect(throws: OpeningFailure.doesNotOpen) {
            try other.wrapKey().unwrap(sealed[...], bound: [1])
        }
        #expect(throws: OpeningFailure.doesNotOpen) {
            try key.wrapKey().unwrap(sealed[...], bound: [1, 2])
        }
        // The same key for another purpose.
        #expect(throws: OpeningFailure.doesNotOpen) {
            try other.previousKeyKey().unwrap(sealed[...], bound: [1, 2])
        }
    }

    @Test func `sealed bytes with any bit changed, cut or longer do not open`() throws {
        let body = key.bodyKey()
        let sealed = try body.seal([1, 2, 3], bound: [9], random: .seeded(3))
        #expect(try body.open(sealed[...], commitment: body.commitment, bound: [9]) == [1, 2, 3])
        for index in sealed.indices {
            for bit in 0..<8 {
                var changed = sealed
                changed[index] ^= 1 << UInt8(bit)
                #expect(throws: OpeningFailure.doesNotOpen) {
                    try body.open(changed[...], commitment: body.commitment, bound: [9])
                }
            }
        }
        for length in 0..<sealed.count {
            #expect(throws: OpeningFailure.doesNotOpen) {
                try body.open(sealed.prefix(length), commitment: body.commitment, bound: [9])
            }
        }
        #expect(throws: OpeningFailure.doesNotOpen) {
            try body.open(sealed + [0], commitment: body.commitment, bound: [9])
        }
    }

    @Test func `a commitment to another key is noticed before anything is opened`() throws {
        let body = key.bodyKey()
        let sealed = try body.seal([1], bound: [], random: .seeded(3))
        #expect(throws: OpeningFailure.wrongKey) {
            try body.open(sealed[...], commitment: other.bodyKey().commitment, bound: [])
        }
        for index in 0..<32 {
            var bytes = body.commitment.bytes
            bytes[index] ^= 1
            let changed = try #require(Hash256(bytes))
            #expect(throws: OpeningFailure.wrongKey) {
                try body.open(sealed[...], commitment: changed, bound: [])
            }
        }
    }

    @Test func `keys of a file are those of OpenSSL, byte for byte`() {
        let second = SecondFileKey(key.bytes)
        func bytes(_ key: SymmetricKey) -> Bytes { key.withUnsafeBytes { Bytes($0) } }
        #expect(bytes(key.wrapKey().key) == second.wrapKey)
        #expect(bytes(key.tagKey().key) == second.tagKey)
        #expect(bytes(key.previousKeyKey().key) == second.previousKey)
        #expect(bytes(key.bodyKey().key) == second.bodyKey)
        #expect(key.bodyKey().commitment.bytes == second.commitment)
        #expect(
            Set([
                second.wrapKey, second.tagKey, second.previousKey, second.bodyKey,
                second.commitment, key.bytes,
            ]).count == 6
        )
        #expect(
            key.tagKey().tag(Bytes("todo.md".utf8)).bytes
                == OpenSSL.hmac(second.tagKey, Bytes("todo.md".utf8))
        )
    }

    @Test func `the same name has another tag in every folder`() {
        let name = Bytes("todo.md".utf8)
        #expect(key.tagKey().tag(name) == key.tagKey().tag(name))
        #expect(key.tagKey().tag(name) != other.tagKey().tag(name))
        #expect(key.tagKey().tag(name) != key.tagKey().tag(Bytes("todo.mD".utf8)))
    }

    @Test func `what a device seals for itself is opened by OpenSSL, and the reverse`() throws {
        let device = DeviceKey(random: .seeded(4))
        let key = device.key(for: "directory")
        let second = secondDirectoryKey(device: device.bytes)
        let binding = secondDirectoryBinding(folder: noise(16), block: 3)
        let plaintext = text(5_000)
        let sealed = try key.seal(plaintext, bound: binding, random: .seeded(5))
        #expect(SecondImplementation.open(sealed, second, binding) == plaintext)
        let built = SecondImplementation.seal(plaintext, second, nonce: noise(12), binding)
        #expect(try key.open(built, bound: binding) == plaintext)
        #expect(throws: OpeningFailure.doesNotOpen) {
            try key.open(built, bound: secondDirectoryBinding(folder: noise(16), block: 4))
        }
        #expect(throws: OpeningFailure.doesNotOpen) {
            try device.key(for: "exported").open(built, bound: binding)
        }
    }

    @Test func `ten thousand sealings of the system use as many nonces`() throws {
        var nonces: Set<Bytes> = []
        for _ in 0..<10_000 {
            let sealed = try key.wrapKey().wrap(other, bound: [], random: .system)
            nonces.insert(Bytes(sealed.prefix(12)))
        }
        #expect(nonces.count == 10_000)
    }
}
