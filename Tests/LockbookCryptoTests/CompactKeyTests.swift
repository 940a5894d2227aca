import LockbookCrypto
import SecondImplementation
import Testing

struct CompactKeyTests {
    private func key(_ seed: UInt64) -> CompactKey {
        CompactKey(
            seed: AccountSeed(random: .seeded(seed)),
            position: seed &* 1_000_003,
            head: Hash256(sha256: u64(seed))
        )
    }

    @Test func `a compact key leads back, and is the second implementation's`() throws {
        for seed in [0, 1, 2, .max] as [UInt64] {
            let key = key(seed)
            #expect(try CompactKey(key.text) == key)
            #expect(
                key.text
                    == SecondAccount.compactKey(
                        seed: key.seed.bytes,
                        position: key.position,
                        head: key.head.bytes
                    )
            )
            #expect(key.text.count == 127)
        }
    }

    @Test func `case and white space do not matter`() throws {
        let key = key(1)
        let typed = key.text.uppercased().enumerated().map { index, letter in
            index.isMultiple(of: 4) ? " \(letter)\n" : String(letter)
        }.joined()
        #expect(try CompactKey(typed) == key)
    }

    /// The last letter holds one bit of the checksum and four that mean nothing.
    @Test func `every change of one character is noticed`() throws {
        let key = key(1)
        let letters = Array(key.text)
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567")
        var tried = 0
        for index in letters.indices {
            for letter in alphabet where letter != letters[index] {
                var changed = letters
                changed[index] = letter
                #expect(throws: CompactKeyFailure.self, "\(index) \(letter)") {
                    try CompactKey(String(changed))
                }
                tried += 1
            }
        }
        #expect(tried >= 127 * 31)
    }

    @Test func `a missing, doubled or exchanged character is noticed`() throws {
        let letters = Array(key(1).text)
        for index in letters.indices {
            var shorter = letters
            shorter.remove(at: index)
            #expect(throws: CompactKeyFailure.self) { try CompactKey(String(shorter)) }
            var longer = letters
            longer.insert(letters[index], at: index)
            #expect(throws: CompactKeyFailure.self) { try CompactKey(String(longer)) }
            var swapped = letters
            swapped.swapAt(index, (index + 1) % letters.count)
            if swapped != letters {
                #expect(throws: CompactKeyFailure.self) { try CompactKey(String(swapped)) }
            }
            #expect(throws: CompactKeyFailure.self) {
                try CompactKey(String(letters.prefix(index)))
            }
        }
    }

    @Test func `a key of a later format says so`() throws {
        var bytes: Bytes = [2] + noise(72)
        bytes += labelled("compact-key", bytes).prefix(4)
        var bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
        while !bits.count.isMultiple(of: 5) { bits.append(0) }
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567")
        let text = stride(from: 0, to: bits.count, by: 5).map { start in
            alphabet[bits[start..<start + 5].reduce(0) { $0 << 1 | Int($1) }]
        }
        #expect(throws: CompactKeyFailure.newerFormat(2)) { try CompactKey("lb1" + String(text)) }
    }

    @Test func `what is no compact key is called none`() {
        for text in [
            "", "lb1", "lb1a", "lb2abc", "hello", "lb1\u{0}", "lb10189", "İb1aaaaaaaaaaaaaa",
        ] {
            #expect(throws: CompactKeyFailure.self) { try CompactKey(text) }
        }
    }
}
