import LockbookModel

/// Two devices made a file of one name, and this one was to be shared: the one that stays may hold what
/// nobody wanted to show.
extension LocalTree {
    /// To be asked for when the merge and the grants that came with it are in the tree.
    func forgetWishes(
        joinedBy plan: MergePlan,
        _ local: [FileID: File],
        _ news: [FileID: File]
    ) throws -> [SyncReport.Note] {
        guard !plan.joined.isEmpty else { return [] }
        func offer(_ file: File?) -> [UInt8]? {
            file.flatMap { file in
                FileMark(reading: file.bodyExtension)
                    .source(of: LinkTarget(owner: owner, file: file.id))?.offer.bytes
            }
        }
        return try wishes().compactMap { wish in
            guard let other = plan.joined[wish.file] else { return nil }
            try forget(wish)
            // What another device took over by the same offer is shared with the same people.
            let isTakenOver = offer(local[wish.file]).map { $0 == offer(news[other]) } ?? false
            let isLetIn = try grants(of: other).contains {
                AccountID($0.grantee) == wish.grantee && $0.mode >= wish.mode
            }
            guard wish.mode > .none, !isTakenOver, !isLetIn else { return nil }
            let name = try username(of: wish.grantee)
            return SyncReport.Note(
                kind: .notDone,
                id: other.description,
                path: try path(of: other),
                detail: "\(name) is not let in, as it was joined with what another device made"
            )
        }
    }
}
