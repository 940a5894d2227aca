import LockbookCrypto
import LockbookModel

/// Entries at the end of another account's log that are all about what this one does not see.
///
/// Whether there are such people, and may write there, is no more than the server's word, until its owner signs
/// an entry after them, or a member one that is seen: it names them all by the hash of the one before it.
/// Till then they are asked for no second time, and this account's own entries go after them; but the newest
/// entry that is known stays the one before, and a server that has others there has broken no word.
extension LocalTree {
    /// The entry after which the log goes on, as the server shows it; the newest one that is known where
    /// nothing was shown after that.
    func shownEnd() throws -> LogHead? {
        guard let newest = try head() else { return nil }
        guard let end = try setting(.shownEnd).flatMap({ LogHead(bytes: $0) }),
            end.position > newest.position
        else { return newest }
        return end
    }
}

extension Sync {
    /// - Parameter newest: the last entry that the server showed in this pull.
    func keepShownEnd(_ newest: LogHead?) throws {
        guard let newest, let end = try store.read({ try $0.shownEnd() }), end != newest
        else { return }
        try store.write { try $0.set(.shownEnd, to: newest.bytes) }
    }

    /// - Returns: whether the log ended elsewhere, by the server's word, than where it is known to.
    func forgetShownEnd() throws -> Bool {
        guard try store.read({ try $0.shownEnd() != $0.head() }) else { return false }
        try store.write { try $0.set(.shownEnd, to: nil) }
        return true
    }

    /// What a push costs that comes after such entries, or after what the server takes back of them: each
    /// is a few requests, while a page has thousands of entries.
    static let unseenPerRound = 1 << 12

    /// Counts entries of which little can be checked but that they stand one after the other.
    /// - Parameters:
    ///   - count: the entries of a page, which ends with `head`.
    ///   - known: the newest of these to which the server may be held.
    mutating func countUnseen(
        _ count: Int,
        upTo head: LogHead?,
        after known: EntryHeader?
    ) throws {
        guard let known, let head else { return try spendOnUnseen(count) }
        unseenCost = 0
        try spendOnUnseen(Int(clamping: head.position - known.position))
    }

    /// Counts a round of a push after which there is another one.
    /// - Parameter known: the newest entry that was known before it.
    mutating func countRound(after known: LogHead?) throws {
        if try store.read({ try $0.head() }) == known {
            try spendOnUnseen(Self.unseenPerRound)
        } else {
            unseenCost = 0
        }
    }

    private mutating func spendOnUnseen(_ cost: Int) throws {
        unseenCost += cost
        guard unseenCost <= environment.unseenBudget else {
            throw LockbookError.integrity(
                reason: "the server shows no end of changes to what is not shared with you"
            )
        }
    }
}
