import LockbookCrypto
import LockbookModel

/// What a member does not see for a while: between two times when he is let in things change, and
/// move out, of which he is told nothing.
extension PageCheck {
    /// Forgets the state of what this entry takes away from this account.
    mutating func lapse(_ shown: [EntryGroup]) throws {
        let isOut = shown.flatMap(\.grants).contains {
            AccountID($0.grantee) == context.author && $0.mode == .none
        }
        guard context.isForeign, isOut else { return }
        let view = view
        let held = try view.held(by: context.author)
        var known = Set(checked.overlay.facts.keys)
        known.formUnion(try tree.agreedIDs())
        known.remove(FileID(rootOf: context.owner))
        var around: [FileID: [FileID]] = [:]
        for id in known {
            guard let scope = try view.facts(id)?.scope else { continue }
            let scopes = try around[scope] ?? view.scopes(around: scope)
            around[scope] = scopes
            if !scopes.contains(where: held.contains) { checked.overlay.lapsed[id] = scopes }
        }
        for (scope, scopes) in around where !scopes.contains(where: held.contains) {
            forgetTold(scope)
        }
        for id in checked.overlay.lapsed.keys {
            checked.overlay.left.insert(id)
            drop(id)
            // What had just moved there left the place that it has here, and that is still seen.
            guard let base = try tree.row(id)?.base else { continue }
            if try isSeen(FileRecord(base).facts.scope, held) { checked.purged.insert(id) }
        }
    }

    /// What is gone from scopes that are seen again, also inside of another one than before: the
    /// entry that brings one brings all of it.
    mutating func returned(_ held: Set<FileID>) throws -> Set<FileID> {
        guard !checked.overlay.lapsed.isEmpty else { return [] }
        let seen = try Set(checked.overlay.lapsed.values.joined()).filter { try isSeen($0, held) }
        let gone = Set(
            checked.overlay.lapsed.filter { $0.value.contains(where: seen.contains) }.keys
        )
        for id in gone { checked.overlay.lapsed[id] = nil }
        return gone
    }

    /// What left folders without this account's being told, and stands in them here.
    ///
    /// It was moved out of a folder that is gone now, before all of it was taken away from this
    /// account; or, after that, out of one that is seen again, by itself now.
    func strayed(_ held: Set<FileID>) throws -> Set<FileID> {
        guard !checked.overlay.lapsed.isEmpty else { return [] }
        let agreed = try BaseFacts(tree: tree)
        let view = view
        var strayed: Set<FileID> = []
        for id in checked.overlay.lapsed.keys {
            guard let parent = try agreed.facts(id)?.parent, checked.overlay.lapsed[parent] == nil,
                let folder = try view.facts(parent), try isSeen(folder.scope, held)
            else { continue }
            strayed.insert(id)
        }
        var folders = Array(checked.purged.union(strayed))
        while let folder = folders.popLast() {
            for id in try agreed.children(of: folder)
            where checked.overlay.lapsed[id] != nil && strayed.insert(id).inserted {
                folders.append(id)
            }
        }
        return strayed
    }
}
