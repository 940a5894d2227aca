import LockbookCrypto
import LockbookModel

/// What is done with a share in which something does not open.
extension LocalTree {
    /// Signs an entry that gives new keys to all of a share in which a member's new keys do not open: what
    /// this device has of it goes back.
    func planRestoration() throws -> (plan: SharePlan?, notes: [SyncReport.Note]) {
        guard !isForeign else { return (nil, []) }
        let scopes = Set(try behind().values)
        guard !scopes.isEmpty else { return (nil, []) }
        let view = PageView(tree: self)
        var notes: [SyncReport.Note] = []
        for scope in scopes.sorted() {
            // With another around it, it gets them, too.
            let outer = try view.scopes(around: scope, after: [:]).dropFirst()
            guard scopes.isDisjoint(with: outer), let row = try row(scope) else { continue }
            do {
                let entry = ShareEntry(
                    file: scope,
                    sealed: try records(below: row, rotating: true, keepsChanges: true)
                )
                return (try sign(try completed(entry)), notes)
            } catch LockbookError.badShare(let path, _) {
                let share = try shownPath(of: scope)
                let detail =
                    "with it in there, what others see of \(share) cannot be put right: "
                    + "purge it, or take the share back"
                notes.append(
                    SyncReport.Note(
                        kind: .notPushed,
                        id: scope.description,
                        path: path,
                        detail: detail
                    )
                )
            }
        }
        return (nil, notes)
    }

    /// Signs an entry that purges what is damaged in a shared file: nobody could give it a new key,
    /// and with one record of nonsense a member would keep what he holds for ever.
    ///
    /// Another device that knew what they were would put them back; so many are asked about.
    func planPurgeOfDamaged(in file: FileID, asking isAsking: Bool) throws -> SharePlan? {
        guard !isForeign, let row = try row(file) else { return nil }
        var gone: Set<FileID> = []
        for row in try subtree(of: row) where row.isDamaged && row.base != nil {
            // What stands in it opens still, and is not purged for a name.
            if try takeOverDamaged(row) { continue }
            gone.formUnion(try subtree(of: row).map(\.id))
            try purge(row)
        }
        if isAsking, gone.count > SyncStop.harmlessCount {
            throw LockbookError.stopped(
                SyncStop(.damagePurge, count: gone.count, of: try liveCount { _ in true })
            )
        }
        let order = try gone.isEmpty ? [] : planPurge().filter { gone.contains($0) }
        guard !order.isEmpty, let push = try planPush(purging: order) else { return nil }
        return SharePlan(push: push, file: file, sealed: nil)
    }
}
