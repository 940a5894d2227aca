import LockbookModel

/// Trees of others that this device cannot look into, while something is asked of all of them.
final class UnreadTrees {
    private var reasons: [AccountID: LockbookError] = [:]

    /// Why one of them cannot be looked into; nil where all were.
    var first: LockbookError? { first { _ in true } }

    /// The same of those of some owners.
    func first(where isMeant: (AccountID) throws -> Bool) rethrows -> LockbookError? {
        try reasons.filter { try isMeant($0.key) }.min { $0.key < $1.key }?.value
    }

    /// Asks something of an owner's tree.
    /// - Returns: nil of one that cannot be looked into, which is not asked again.
    func ask<Answer>(_ owner: AccountID, _ body: () throws -> Answer?) throws -> Answer? {
        guard reasons[owner] == nil else { return nil }
        do { return try body() } catch {
            guard let reason = error as? LockbookError ?? LockbookError(inside: error) else {
                throw error
            }
            reasons[owner] = reason
            return nil
        }
    }

    /// Names the links behind which these are, or whose they are where there is none.
    func tell(
        in tree: LocalTree,
        _ unread: ((path: String, reason: LockbookError)) -> Void
    ) throws {
        guard !reasons.isEmpty else { return }
        let links = try tree.linksByOwner()
        for (owner, reason) in reasons.sorted(by: { $0.key < $1.key }) {
            let paths = (links[owner] ?? [:]).values.map(\.path).sorted()
            guard paths.isEmpty else {
                for path in paths { unread((path, reason)) }
                continue
            }
            unread(("what \(try tree.username(of: owner)) shares", reason))
        }
    }
}
