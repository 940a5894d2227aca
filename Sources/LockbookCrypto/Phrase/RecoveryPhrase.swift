/// Why a recovery phrase is not one.
package enum RecoveryPhraseFailure: Error, Equatable, Sendable {
    case wordCount(found: Int)
    /// A word that is not in the list; the position counts from 1.
    case unknownWord(position: Int, word: String, suggestions: [String])
    /// Every word is in the list, but together they are mistyped or in another order.
    case checksum
}

/// The 24 words of an account's seed: BIP39 as published, English, without its passphrase step.
package enum RecoveryPhrase {
    package static let wordCount = 24

    package static func words(for seed: AccountSeed) -> [String] {
        let entropy = seed.bytes
        let checksum = Hash256(sha256: entropy).bytes[0]
        var words: [String] = []
        var bits: UInt32 = 0
        var count = 0
        for byte in entropy + [checksum] {
            bits = bits << 8 | UInt32(byte)
            count += 8
            if count >= 11 {
                count -= 11
                words.append(Self.words[Int(bits >> UInt32(count) & 0x7ff)])
            }
        }
        return words
    }

    /// Reads a phrase; words may be cut to their first four letters, which are unique.
    package static func seed(from text: String) throws(RecoveryPhraseFailure) -> AccountSeed {
        let typed = text.lowercased().split { !$0.isLetter }.map(String.init)
        guard typed.count == wordCount else { throw .wordCount(found: typed.count) }
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for (index, word) in typed.enumerated() {
            guard let number = number(of: word) else {
                throw .unknownWord(
                    position: index + 1,
                    word: word,
                    suggestions: suggestions(for: word)
                )
            }
            bits = bits << 11 | UInt32(number)
            count += 11
            while count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        let entropy = bytes[..<32]
        guard let seed = AccountSeed(entropy),
            Hash256(sha256: Array(entropy)).bytes[0] == bytes[32]
        else { throw .checksum }
        return seed
    }

    static func number(of word: String) -> Int? {
        if let index = words.firstIndex(of: word) { return index }
        guard word.count == 4 else { return nil }
        let matches = words.indices.filter { words[$0].hasPrefix(word) }
        return matches.count == 1 ? matches.first : nil
    }

    /// Words of the list that share the most beginning with a mistyped one.
    private static func suggestions(for word: String) -> [String] {
        for length in stride(from: min(word.count, 4), to: 1, by: -1) {
            let matches = words.filter { $0.hasPrefix(word.prefix(length)) }
            if !matches.isEmpty { return Array(matches.prefix(3)) }
        }
        return []
    }
}
