import LockbookCrypto
import LockbookModel

/// What one account may see of another one's log.
///
/// It begins with the entry of his first grant that still holds: that entry carries all that the
/// scope consists of. Who was removed is told so by the entry that does it, and nothing after.
struct MemberView {
    private let memberships: [StoredMembership]
    /// The last entry that may be read; nil when that is the log's newest.
    let last: UInt64?
    /// The entry that somebody starts with who knows nothing.
    let first: UInt64?

    /// - Throws: `Refusal` for who was never a member.
    init(_ memberships: [StoredMembership]) throws(Refusal) {
        guard let newest = memberships.last else {
            throw Refusal(.notPermitted, "this account may not read this log")
        }
        self.memberships = memberships
        let held = memberships.filter { $0.superseded == nil && $0.mode > .none }
        guard !held.isEmpty else {
            last = newest.position
            first = nil
            return
        }
        last = nil
        first = held.map { grant in
            let removed = memberships.last { $0.file == grant.file && $0.mode == .none }
            return memberships.first {
                $0.file == grant.file && $0.position > (removed?.position ?? 0)
            }?.position ?? grant.position
        }.min()
    }

    /// Whether a group of this scope is shown whole at a position: before the entry, or after it.
    func sees(_ scope: FileID, at position: UInt64) -> Bool {
        memberships.contains { grant in
            grant.file == scope && grant.mode > .none && grant.position <= position
                && grant.superseded.map { $0 >= position } ?? true
        }
    }

    /// Whether the scope may be read now.
    func sees(_ scope: FileID) -> Bool {
        memberships.contains { $0.file == scope && $0.mode > .none && $0.superseded == nil }
    }
}
