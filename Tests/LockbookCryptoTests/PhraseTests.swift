import SecondImplementation
import Testing

@testable import LockbookCrypto

struct PhraseTests {
    /// BIP39's published vectors for 32 bytes.
    private static let vectors: [(seed: String, words: String)] = [
        (
            "0000000000000000000000000000000000000000000000000000000000000000",
            String(repeating: "abandon ", count: 23) + "art"
        ),
        (
            "7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f",
            "legal winner thank year wave sausage worth useful legal winner thank year wave "
                + "sausage worth useful legal winner thank year wave sausage worth title"
        ),
        (
            "8080808080808080808080808080808080808080808080808080808080808080",
            "letter advice cage absurd amount doctor acoustic avoid letter advice cage absurd "
                + "amount doctor acoustic avoid letter advice cage absurd amount doctor acoustic "
                + "bless"
        ),
        (
            "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
            String(repeating: "zoo ", count: 23) + "vote"
        ),
        (
            "68a79eaca2324873eacc50cb9c6eca8cc68ea5d936f98787c60c7ebc74e6ce7c",
            "hamster diagram private dutch cause delay private meat slide toddler razor book "
                + "happy fancy gospel tennis maple dilemma loan word shrug inflict delay length"
        ),
        (
            "9f6a2878b2520799a44ef18bc7df394e7061a224d2c33cd015b157d746869863",
            "panda eyebrow bullet gorilla call smoke muffin taste mesh discover soft ostrich "
                + "alcohol speed nation flash devote level hobby quick inner drive ghost inside"
        ),
        (
            "066dca1a2bb7e8a1db2832148ce9933eea0f3ac9548d793112d9a95c9407efad",
            "all hour make first leader extend hole alien behind guard gospel lava path output "
                + "census museum junior mass reopen famous sing advance salt reform"
        ),
        (
            "f585c11aec520db57dd353c69554b21a89b20fb0650966fa0a9d6f74fd989d8f",
            "void come effort suffer camp survey warrior heavy shoot primary clutch crush open "
                + "amazing screen patrol group space point ten exist slush involve unfold"
        ),
    ]

    @Test func `phrases are those that BIP39 publishes`() throws {
        for vector in Self.vectors {
            let seed = try #require(AccountSeed(try Vectors.hex(vector.seed)))
            #expect(RecoveryPhrase.words(for: seed).joined(separator: " ") == vector.words)
            #expect(try RecoveryPhrase.seed(from: vector.words) == seed)
        }
    }

    @Test func `the list is BIP39's, and four letters tell its words apart`() throws {
        let words = RecoveryPhrase.words
        #expect(words.count == 2_048)
        let file = words.map { $0 + "\n" }.joined()
        #expect(
            OpenSSL.sha256(Bytes(file.utf8)).hex
                == "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda"
        )
        #expect(Set(words.map { $0.prefix(4) }).count == 2_048)
    }

    @Test func `phrases are those of the second implementation, and lead back`() throws {
        for seed in 1...200 as ClosedRange<UInt64> {
            let account = AccountSeed(random: .seeded(seed))
            let words = RecoveryPhrase.words(for: account)
            #expect(
                words
                    == SecondAccount.phrase(seed: account.bytes).map { RecoveryPhrase.words[$0] }
            )
            #expect(try RecoveryPhrase.seed(from: words.joined(separator: " ")) == account)
        }
    }

    @Test func `a phrase may be cut to four letters, numbered, in capitals, over lines`() throws {
        let account = AccountSeed(random: .seeded(7))
        let words = RecoveryPhrase.words(for: account)
        let short = words.map { String($0.prefix(4)) }
        let numbered = words.enumerated().map { "\($0 + 1). \($1.uppercased())" }
        #expect(try RecoveryPhrase.seed(from: short.joined(separator: "\n")) == account)
        #expect(try RecoveryPhrase.seed(from: numbered.joined(separator: "\t ")) == account)
    }

    @Test func `a word that is none is named with its place and what it may have been`() throws {
        var words = RecoveryPhrase.words(for: AccountSeed(random: .seeded(7)))
        words[16] = "abandom"
        let expected = RecoveryPhraseFailure.unknownWord(
            position: 17,
            word: "abandom",
            suggestions: ["abandon"]
        )
        #expect(throws: expected) { try RecoveryPhrase.seed(from: words.joined(separator: " ")) }
        words[16] = "xxxx"
        #expect(
            throws: RecoveryPhraseFailure.unknownWord(
                position: 17,
                word: "xxxx",
                suggestions: []
            )
        ) { try RecoveryPhrase.seed(from: words.joined(separator: " ")) }
        #expect(throws: RecoveryPhraseFailure.wordCount(found: 23)) {
            try RecoveryPhrase.seed(from: words.dropLast().joined(separator: " "))
        }
        #expect(throws: RecoveryPhraseFailure.wordCount(found: 0)) {
            try RecoveryPhrase.seed(from: " \n")
        }
    }

    /// Eight bits of checksum: one wrong phrase in 256 goes through, as in BIP39.
    @Test func `most phrases with one other word, or two exchanged, are noticed`() throws {
        let words = RecoveryPhrase.words(for: AccountSeed(random: .seeded(8)))
        var missed = 0
        var generator = SeededGenerator(1)
        for trial in 0..<1_024 {
            var typed = words
            if trial.isMultiple(of: 2) {
                typed[trial % 24] = RecoveryPhrase.words.randomElement(using: &generator) ?? ""
            } else {
                typed.swapAt(trial % 24, (trial / 24) % 24)
            }
            guard typed != words else { continue }
            if (try? RecoveryPhrase.seed(from: typed.joined(separator: " "))) != nil { missed += 1 }
        }
        #expect(missed < 20)
    }
}
