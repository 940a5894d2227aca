import LockbookCrypto
import LockbookModel

/// What one account may see of another one's log.
///
/// It begins with the entry of his first grant that still holds: that entry carries all that the
/// scope consists of. Who was removed is told so by the entry that does it, and nothing after.
struct MemberView {
    private let enclosing: (FileID) throws -> FileID?
    private let memberships: [StoredMembership]
    /// The last entry that may be read; nil when that is the log's newest.
    let last: UInt64?
    /// The entry that somebody starts with who knows nothing.
    let first: UInt64?

    /// - Parameters:
    ///   - memberships: every grant that the account ever had in this log, in the log's order.
    ///   - enclosing: the scope around another one. That never changes but for one that is made
    ///     between them, so it does not matter at which position it is asked for.
    /// - Throws: `Refusal` for who was never a member.
    init(_ memberships: [StoredMembership], enclosing: @escaping (FileID) throws -> FileID?)
        throws(Refusal)
    {
        self.enclosing = enclosing
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
    func sees(_ scope: FileID, at position: UInt64) throws -> Bool {
        try holds(in: scope) { grant in
            grant.position <= position && grant.superseded.map { $0 >= position } ?? true
        }
    }

    /// Whether the scope may be read now.
    func sees(_ scope: FileID) throws -> Bool {
        try holds(in: scope) { $0.superseded == nil }
    }

    /// Whether there is such a grant on the scope, or on one around it.
    private func holds(in scope: FileID, _ isSuch: (StoredMembership) -> Bool) throws -> Bool {
        var next: FileID? = scope
        var seen: Set<FileID> = []
        while let id = next, seen.insert(id).inserted {
            if memberships.contains(where: { $0.file == id && $0.mode > .none && isSuch($0) }) {
                return true
            }
            next = try enclosing(id)
        }
        return false
    }
}

extension MetadataReading {
    /// What a member may see of a log.
    /// - Throws: `Refusal` for who was never a member.
    func memberView(of reader: AccountID, in log: AccountKey) throws -> MemberView {
        var known: [FileID: FileID?] = [:]
        return try MemberView(try memberships(of: reader, in: log)) { scope in
            if let found = known[scope] { return found }
            let found = try self.scope(around: scope, in: log)
            known[scope] = .some(found)
            return found
        }
    }
}
