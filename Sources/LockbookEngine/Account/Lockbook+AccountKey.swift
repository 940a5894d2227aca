import LockbookCrypto
import LockbookModel

extension Lockbook {
    /// The 24 words that are this account.
    public func recoveryPhrase() -> [String] {
        RecoveryPhrase.words(for: account.seed)
    }

    /// The account in one line of text, with what a new device may at least expect of the server.
    public func compactKey() throws -> String {
        let head = try store.read { try $0.head() }
        return CompactKey(
            seed: account.seed,
            position: head?.position ?? 0,
            head: head?.hash ?? .zero
        ).text
    }

    /// Tells whether what was typed is this account's key, and of the history that this device knows.
    /// - Throws: `.badKey`, or `.forked`.
    public func checkKey(_ typed: String) throws {
        let key = try Self.parse(key: typed)
        guard key.seed == account.seed else {
            throw LockbookError.badKey(reason: "it is that of another account than \(username)")
        }
        try requireSame(key.head)
    }

    /// Compares the newest entry that a key is of with those up to which this device synced, or is to.
    ///
    /// Of what it read between two of them nothing can be said.
    /// - Throws: `.forked` where it knows another entry in that place.
    func requireSame(_ head: LogHead?) throws {
        guard let head else { return }
        let known = try store.read { try $0.steps().map(\.head) + $0.requiredHeads() }
        guard known.allSatisfy({ $0.position != head.position || $0 == head }) else {
            throw LockbookError.forked(position: head.position)
        }
    }

    /// Reads what was typed as a key: the compact form, or 24 words.
    /// - Returns: the seed and, from a compact key, the newest entry when it was written down.
    static func parse(key text: String) throws -> (seed: AccountSeed, head: LogHead?) {
        do {
            let compact = try CompactKey(text)
            let head = LogHead(position: compact.position, hash: compact.head)
            return (compact.seed, compact.head == .zero ? nil : head)
        } catch .notACompactKey {
        } catch .checksum {
            throw LockbookError.badKey(reason: "the key is mistyped or cut short")
        } catch .newerFormat {
            throw LockbookError.updateNeeded(what: "the key is of a newer format")
        }
        // No word of a phrase is so long: it is a piece of a key, without its beginning.
        let words = text.split { !$0.isLetter && !$0.isNumber }
        guard words.count != 1 || words[0].utf8.count <= 12 else {
            throw LockbookError.badKey(reason: "the key is mistyped or cut short")
        }
        do {
            return (try RecoveryPhrase.seed(from: text), nil)
        } catch .wordCount(let found) {
            throw LockbookError.badKey(reason: "a recovery phrase has 24 words, these are \(found)")
        } catch .unknownWord(let position, let word, let suggestions) {
            let hint =
                suggestions.isEmpty ? "" : "; perhaps \(suggestions.joined(separator: " or "))"
            throw LockbookError.badKey(
                reason: "word \(position), \(word), is not in the word list\(hint)"
            )
        } catch .checksum {
            throw LockbookError.badKey(
                reason: "every word exists, but not in this order: one is mistyped or misplaced"
            )
        }
    }
}
