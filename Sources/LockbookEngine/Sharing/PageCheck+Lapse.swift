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
        let held = try view.held(by: context.author)
        let members = try checked.overlay.members(in: tree)
        let view = view
        var lost: [(scope: FileID, around: [FileID], files: [FileID])] = []
        for (scope, members) in members {
            let around = try view.scopes(around: scope)
            guard !around.contains(where: held.contains) else { continue }
            let files = try members.filter {
                try $0 != FileID(rootOf: context.owner) && view.facts($0)?.scope == scope
            }
            lost.append((scope, around, files))
        }
        for (scope, around, files) in lost {
            checked.overlay.forgetMembers(of: scope)
            if !files.isEmpty { forgetTold(scope) }
            for id in files {
                checked.overlay.lapse(id, of: scope, around: around)
                drop(id)
            }
        }
        for id in lost.flatMap({ $0.files }) {
            // What had just moved there left the place that it has here, and that is still seen.
            guard let base = try tree.row(id)?.base else { continue }
            if try isSeen(FileRecord(base).facts.scope, held) { checked.purged.insert(id) }
        }
    }

    /// What is gone from scopes that are seen again, also inside of another one than before: the
    /// entry that brings one brings all of it.
    mutating func returned(_ held: Set<FileID>) throws -> Set<FileID> {
        // Also of which every file is told of again: what was around it then is not what is around it now.
        guard !checked.overlay.lapsedScopes.isEmpty else { return [] }
        let lapsed = checked.overlay.lapsedScopes.mapValues { $0.around }
        let seen = try Set(lapsed.values.joined()).filter { try isSeen($0, held) }
        let back = lapsed.filter { $0.value.contains(where: seen.contains) }
        return Set(back.keys.flatMap { checked.overlay.endLapse(of: $0) })
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
