import LockbookCrypto
import LockbookModel

/// Scopes that come into another one or out of it, as a member sees it.
extension PageCheck {
    /// Forgets what moved, as a scope of its own, out of what this account may see.
    mutating func depart(_ shown: [EntryGroup]) throws {
        let moved = shown.filter(\.isMoved).map(\.scope)
        guard context.isForeign, !moved.isEmpty else { return }
        let view = view
        let held = try view.held(by: context.author)
        let gone = try Set(moved.filter { try !isSeen($0, held) })
        guard !gone.isEmpty else { return }
        let members = try checked.overlay.members(in: tree)
        for scope in gone {
            for id in members[scope] ?? [] where try view.facts(id)?.scope == scope { forget(id) }
            checked.overlay.forgetMembers(of: scope)
            forgetTold(scope)
        }
        checked.news.departed.formUnion(gone)
    }

    /// What was told of the surroundings of a scope holds no more.
    mutating func forgetTold(_ scope: FileID) {
        guard context.isForeign else { return }
        checked.overlay.told[scope] = nil
        checked.overlay.toldAnew.insert(scope)
        checked.news.told[scope] = nil
        checked.news.toldAnew.insert(scope)
    }
}
