import LockbookCrypto
import LockbookModel

/// What one account may see of another one's log.
///
/// It begins with the entry of his first grant that still holds: that entry carries all that the
/// scope consists of. Who was removed is told so by the entry that does it, and nothing after.
struct MemberView {
    /// The scope around another one after an entry; nil asks for now.
    private let enclosing: (FileID, UInt64?) throws -> FileID?
    /// The grants of each file, in the log's order, of which the last holds: a right may have changed any number of
    /// times, and each group is looked at.
    private let grants: [FileID: [StoredMembership]]
    /// The last entry that may be read; nil when that is the log's newest.
    let last: UInt64?
    /// The entry that somebody starts with who knows nothing.
    let first: UInt64?

    /// - Parameters:
    ///   - memberships: every grant that the account ever had in this log, in the log's order.
    ///   - enclosing: the scope around another one after an entry, or now.
    /// - Throws: `Refusal` for who was never a member.
    init(
        _ memberships: [StoredMembership],
        enclosing: @escaping (FileID, UInt64?) throws -> FileID?
    ) throws(Refusal) {
        self.enclosing = enclosing
        guard let newest = memberships.last else {
            throw Refusal(.notPermitted, "this account may not read this log")
        }
        grants = Dictionary(grouping: memberships, by: \.file)
        let held = grants.values.filter { $0.last.map { $0.mode > .none } ?? false }
        guard !held.isEmpty else {
            last = newest.position
            first = nil
            return
        }
        last = nil
        first = held.compactMap { grants in
            let removed = grants.lastIndex { $0.mode == .none }
            return grants[(removed.map { $0 + 1 } ?? 0)...].first?.position
        }.min()
    }

    /// Whether a group of this scope is shown whole at a position: before the entry, or after it.
    func sees(_ scope: FileID, at position: UInt64) throws -> Bool {
        if try holds(in: scope, after: position) { return true }
        return try position > 0 && holds(in: scope, after: position - 1)
    }

    /// Whether a scope is part of the state that is shown after an entry.
    func sees(_ scope: FileID, after position: UInt64) throws -> Bool {
        try holds(in: scope, after: position)
    }

    /// Whether there was a grant on exactly this scope, up to an entry.
    func held(_ scope: FileID, until position: UInt64) -> Bool {
        grants[scope]?.first.map { $0.position <= position } ?? false
    }

    /// Whether the scope may be read now.
    func sees(_ scope: FileID) throws -> Bool {
        try holds(in: scope, after: nil)
    }

    /// Whether there is a grant on the scope, or on one around it, after an entry, or now.
    private func holds(in scope: FileID, after position: UInt64?) throws -> Bool {
        var next: FileID? = scope
        var seen: Set<FileID> = []
        while let id = next, seen.insert(id).inserted {
            if mode(on: id, after: position) > .none { return true }
            next = try enclosing(id, position)
        }
        return false
    }

    /// What a grant on exactly this file says after an entry, or now.
    private func mode(on file: FileID, after position: UInt64?) -> ShareMode {
        guard let grants = grants[file] else { return .none }
        guard let position else { return grants.last?.mode ?? .none }
        // How many there were by then.
        var (low, high) = (0, grants.count)
        while low < high {
            let middle = (low + high) / 2
            if grants[middle].position > position { high = middle } else { low = middle + 1 }
        }
        return low > 0 ? grants[low - 1].mode : .none
    }
}

extension MetadataReading {
    /// What a member may see of a log.
    /// - Throws: `Refusal` for who was never a member.
    func memberView(of reader: AccountID, in log: AccountKey) throws -> MemberView {
        // Positions are asked for in their order, and a shared file seldom has another record.
        var known: [FileID: StoredSurrounding] = [:]
        return try MemberView(try memberships(of: reader, in: log)) { scope, position in
            let position = position ?? UInt64(Int64.max)
            if let found = known[scope], found.positions.contains(position) {
                return found.scope
            }
            let found = try surrounding(of: scope, after: position, in: log)
            known[scope] = found
            return found.scope
        }
    }
}
