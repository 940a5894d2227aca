import LockbookCrypto
import LockbookModel
import SecondImplementation
import Testing

struct AccountFormatTests {
    @Test func `keys and ids of an account are those of OpenSSL, byte for byte`() throws {
        for number in 1...50 as ClosedRange<UInt64> {
            let person = try Person(number)
            let keys = person.keys.publicKeys
            #expect(keys.signing.bytes.bytes == person.second.entryPublic)
            #expect(keys.request.bytes.bytes == person.second.requestPublic)
            #expect(keys.agreement.bytes.bytes == person.second.agreementPublic)
            #expect(person.id.hash.bytes == person.second.id)
            #expect(person.root.bytes == person.second.root)
            // The root key and its tag key show in what they seal and tag.
            let fileKey = FileKey(random: .seeded(number))
            let sealed = try person.keys.root.wrap(fileKey, bound: [1], random: .seeded(2))
            #expect(
                SecondImplementation.open(sealed, person.second.rootKey, [1]) == fileKey.bytes
            )
            #expect(
                person.keys.rootTag.tag([7]).bytes == OpenSSL.hmac(person.second.rootTag, [7])
            )
        }
    }

    @Test func `a certificate is the second implementation's, byte for byte`() throws {
        let person = try Person(1)
        let username = try #require(Username("ann.b-c_9"))
        let ours = try AccountCertificate(
            username: username,
            keys: person.keys,
            created: Timestamp(milliseconds: -1_234_567_890_123)
        )
        let theirs = person.second.certificate(username: "ann.b-c_9", created: -1_234_567_890_123)
        #expect(ours.bytes == theirs)
        let read = try AccountCertificate(verifying: theirs)
        #expect(read == ours)
        #expect(read.account == person.id)
    }

    @Test func `a certificate with any byte changed is refused`() throws {
        let person = try Person(1)
        let bytes = person.second.certificate(username: "ann", created: 5)
        #expect(throws: Never.self) { try AccountCertificate(verifying: bytes) }
        byteFlips(bytes) { changed, index in
            #expect(throws: (any Error).self, "byte \(index)") {
                try AccountCertificate(verifying: changed)
            }
        }
    }

    @Test func `a certificate signed by another, or for another purpose, is refused`() throws {
        let (ann, eve) = (try Person(1), try Person(2))
        let message = Bytes(ann.second.certificate(username: "ann", created: 5).dropLast(64))
        #expect(throws: VerificationFailure.signature) {
            try AccountCertificate(verifying: eve.second.sign(message, "account"))
        }
        for purpose in ["entry", "checkpoint", "grant"] {
            #expect(throws: VerificationFailure.signature) {
                try AccountCertificate(verifying: ann.second.sign(message, purpose))
            }
        }
    }

    @Test func `unsafe keys are refused though the signature verifies`() throws {
        let ann = try Person(1)
        let zeros = Bytes(repeating: 0, count: 32)
        let one: Bytes = [1] + Bytes(repeating: 0, count: 31)
        let keys = [
            ann.second.entryPublic + zeros + ann.second.agreementPublic,
            ann.second.entryPublic + ann.second.requestPublic + zeros,
            ann.second.entryPublic + ann.second.requestPublic + one,
        ]
        for keys in keys {
            let message: Bytes = [1] + counted(Bytes("ann".utf8)) + keys + i64(5)
            #expect(throws: VerificationFailure.publicKey) {
                try AccountCertificate(verifying: ann.second.sign(message, "account"))
            }
        }
        // Under the identity, R = identity and S = 0 is a signature of everything.
        let message: Bytes =
            [1] + counted(Bytes("ann".utf8)) + one + ann.second.requestPublic
            + ann.second.agreementPublic + i64(5)
        #expect(throws: VerificationFailure.publicKey) {
            try AccountCertificate(verifying: message + one + zeros)
        }
    }

    @Test func `a new username begins and ends with a letter or a digit`() {
        for name in ["a", "ann", "a.b", "9", "a-_.b"] { #expect(Username(name)?.mayBeNew == true) }
        for name in ["-x", "_", "ada.", ".ada", "ada-", "_ada"] {
            #expect(Username(name)?.mayBeNew == false)
        }
    }

    @Test func `usernames have one form`() {
        for name in ["a", "ann", "a.b", "-x", "_", "9", String(repeating: "a", count: 32)] {
            #expect(Username(name)?.text == name)
        }
        let refused = [
            "", ".", "..", "Ann", "a b", "a/b", "ä", "a\u{0}", "a\n", "a\u{301}", "ａ",
            String(repeating: "a", count: 33),
        ]
        for name in refused {
            #expect(Username(name) == nil)
            let person = SecondAccount(seed: noise(32))
            #expect(throws: DecodingFailure.invalid(field: "username")) {
                try AccountCertificate(verifying: person.certificate(username: name, created: 0))
            }
        }
    }
}
