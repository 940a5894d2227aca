import GRDB
import LockbookCrypto
import LockbookModel

extension CheckedEntries {
    /// Begins with a checkpoint's state of a log with shares: what was known of it before is the past.
    ///
    /// What this device has and the state has not was purged, or moved to where this account does not see
    /// it; unless all of its scope is not seen any more. That goes as it does after an entry that takes a
    /// share back, and is whole again after one that gives it anew.
    init(_ state: CheckpointState, _ scopes: CheckpointScopes, in tree: LocalTree) throws {
        try scopes.verify(against: tree.heldGrants())
        begun = state.newest
        newest = state.records
        overlay.isAll = true
        for record in state.records.values { overlay.take(record) }
        news.replaces = Set(scopes.seen.flatMap(\.grants).map(\.file)).union(
            scopes.seen.map(\.scope)
        )
        news.wraps = scopes.seen.flatMap(\.wraps).filter { $0.grantee == tree.author }
        for grant in scopes.grants {
            let isKnown = overlay.grants[grant.file, default: [:]].updateValue(
                grant,
                forKey: AccountID(grant.grantee)
            )
            if isKnown == nil { news.grants.append(grant) }
        }
        if tree.isForeign {
            // Also of what is not seen any more: who stands around it holds nothing there by that.
            news.toldAnew = try tree.toldScopes()
            for state in scopes.seen {
                news.toldAnew.insert(state.scope)
                let outer = Set(state.grants.map(\.file)).subtracting([state.scope])
                guard !outer.isEmpty else { continue }
                overlay.told[state.scope] = outer
                news.told[state.scope] = outer
            }
        }
        let seen = Set(scopes.seen.map(\.scope))
        let before = PageView(tree: tree)
        for id in try tree.agreedIDs() where newest[id] == nil && id != tree.root {
            guard let scope = try before.facts(id)?.scope else { continue }
            // A scope that there is not any more was purged with all that was in it.
            if !tree.isForeign || seen.contains(scope) || !scopes.all.contains(scope) {
                overlay.left.insert(id)
                purged.insert(id)
            } else {
                overlay.lapse(id, of: scope, around: try before.scopes(around: scope))
                // What was written there and not synced is one's own, as after an entry that moves it away.
                news.departed.insert(scope)
            }
        }
    }
}

extension LocalTree {
    /// The grants of this account on shared files of another one that are here.
    func heldGrants() throws -> [Grant] {
        guard isForeign else { return [] }
        return try allGrants().filter {
            try AccountID($0.grantee) == author && $0.mode > .none && row($0.file) != nil
        }
    }

    /// Lets go of grants on these files that are none any more, so that the way back knows of them.
    func keepOnly(_ grants: [Grant], on files: Set<FileID>) throws {
        defer { granteeNames = nil }
        var kept: Set<[UInt8]> = []
        for grant in grants { kept.insert(grant.file.bytes + AccountID(grant.grantee).hash.bytes) }
        for grant in try allGrants() where files.contains(grant.file) {
            let grantee = AccountID(grant.grantee).hash.bytes
            guard !kept.contains(grant.file.bytes + grantee) else { continue }
            try keep(grant)
            try db.execute(
                sql: "DELETE FROM share_grant WHERE file = ? AND grantee = ?",
                arguments: [grant.file.bytes.data, grantee.data]
            )
        }
    }
}
