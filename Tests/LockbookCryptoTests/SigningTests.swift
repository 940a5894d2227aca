import SecondImplementation
import Testing

@testable import LockbookCrypto

struct SigningTests {
    private let keys: AccountKeys
    private let message = Bytes("what is said".utf8)

    init() throws { keys = try AccountKeys(seed: AccountSeed(random: .seeded(5))) }

    @Test func `a signature verifies for its purpose and for no other`() throws {
        for purpose in SignaturePurpose.allCases {
            let signature = try keys.signing.sign(message, for: purpose)
            for other in SignaturePurpose.allCases {
                #expect(
                    keys.signing.publicKey.verifies(signature, of: message, for: other)
                        == (other == purpose)
                )
            }
            // Nor for a request, by either key.
            #expect(!keys.signing.publicKey.verifies(signature, ofSignatureBase: message))
            #expect(!keys.request.publicKey.verifies(signature, of: message, for: purpose))
        }
    }

    @Test func `a request's signature serves for nothing else`() throws {
        let signature = try keys.request.sign(signatureBase: message)
        #expect(keys.request.publicKey.verifies(signature, ofSignatureBase: message))
        for purpose in SignaturePurpose.allCases {
            #expect(!keys.request.publicKey.verifies(signature, of: message, for: purpose))
            #expect(!keys.signing.publicKey.verifies(signature, of: message, for: purpose))
        }
        #expect(!keys.signing.publicKey.verifies(signature, ofSignatureBase: message))
    }

    /// A server that could have a request signed whose text is a labelled message still signs
    /// with a key that nobody asks about entries.
    @Test func `even a request that spells out an entry signs no entry`() throws {
        let signature = try keys.request.sign(
            signatureBase: SignaturePurpose.entry.message(message)
        )
        #expect(!keys.signing.publicKey.verifies(signature, of: message, for: .entry))
    }

    @Test func `signatures are those of OpenSSL, byte for byte`() throws {
        let seed = noise(32)
        let key = try #require(SigningKey(seed: seed))
        let labels: [(SignaturePurpose, String)] = [
            (.entry, "entry"), (.checkpoint, "checkpoint"), (.account, "account"),
            (.grant, "grant"), (.transferOffer, "transfer-offer"), (.succession, "succession"),
            (.accountEnd, "account-end"),
        ]
        #expect(labels.count == SignaturePurpose.allCases.count)
        for (purpose, name) in labels {
            let signature = try key.sign(message, for: purpose)
            #expect(signature == OpenSSL.sign(label(name) + message, seed))
            #expect(OpenSSL.verify(signature, label(name) + message, key.publicKey.bytes.bytes))
        }
        #expect(key.publicKey.bytes.bytes == OpenSSL.ed25519Public(seed))
    }

    @Test func `a signature with any bit changed, or cut, does not verify`() throws {
        let signature = try keys.signing.sign(message, for: .entry)
        let key = keys.signing.publicKey
        for index in signature.indices {
            for bit in 0..<8 {
                var changed = signature
                changed[index] ^= 1 << UInt8(bit)
                #expect(!key.verifies(changed, of: message, for: .entry))
            }
        }
        for length in 0..<64 {
            #expect(!key.verifies(signature.prefix(length), of: message, for: .entry))
        }
        #expect(!key.verifies(signature + [0], of: message, for: .entry))
        #expect(!key.verifies(signature, of: message + [0], for: .entry))
    }

    @Test func `keys of an account differ from each other and between accounts`() throws {
        var seen: Set<Bytes> = []
        for seed in 1...20 as ClosedRange<UInt64> {
            let account = SecondAccount(seed: AccountSeed(random: .seeded(seed)).bytes)
            let derived = [
                account.entryKey, account.requestKey, account.agreementKey, account.rootKey,
                account.rootTag,
            ]
            for key in derived { #expect(seen.insert(key).inserted) }
        }
        #expect(seen.count == 100)
    }
}
