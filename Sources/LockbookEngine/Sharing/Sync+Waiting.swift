import GRDB
import LockbookCrypto
import LockbookModel

/// What others shared with this account, of which a server that was put back knows nothing.
///
/// It waits for its owner, who may share it again. Only what the user says lets go of it: a server that
/// lies looks the same.
extension Sync {
    /// Whether a log that was gone back in to its beginning is shown to this account no more.
    ///
    /// Its owner took back what was in it, or has to share it again: nothing signed says which.
    func isShownNoMore(_ refusal: any Error) throws -> Bool {
        guard options.acceptsRollback, refusal is UnreadableLog else { return false }
        return try store.read { try $0.head() } == nil
    }

    /// Looks at what stayed of logs that are not followed any more, and settles what is over there.
    mutating func letGoOfUnfollowed() async throws {
        for owner in try store.read({ try $0.leftBehind() }) {
            try await keepingApart { sync in
                guard try !sync.removeEmpty(of: owner) else { return }
                let other = try LocalStore(StoreContext(sync.store, of: owner))
                sync.unfollowed.append(try sync.options.isDryRun ? other.rehearsal() : other)
            }
        }
        for other in unfollowed {
            try await keepingApart { sync in
                let index = sync.others.count
                sync.others.append(SharedLog(store: other, isBegun: true))
                defer { sync.others.removeLast() }
                // An earlier sync was killed before it put right what had ended.
                if try sync.isUnsettled(other) { try await sync.withOther(index) { _ in } }
                try await sync.letGoOfLeft(index, isFollowed: false)
            }
        }
    }

    /// Removes the store of an account of whose log nothing ever came.
    ///
    /// Whom a server names as offering something is believed before anything of it is proved: it can name
    /// new ones in each sync, and their stores would fill this disk.
    /// - Returns: whether it was such a one.
    func removeEmpty(of owner: AccountID) throws -> Bool {
        guard !options.isDryRun else { return false }
        let context = StoreContext(store, of: owner)
        guard try LocalStore(context).read({ try $0.isUntouched() }) else { return false }
        try LocalStore.remove(context.directory)
        return true
    }

    /// Lets go of each share that waits for its owner, and was left here meanwhile.
    mutating func letGoOfLeft(_ index: Int, isFollowed: Bool = true) async throws {
        let other = others[index].store
        // Most often nothing was lost, and no link has to be asked for.
        guard try other.read({ try !$0.waitingRights(isFollowed: isFollowed).isEmpty })
        else { return }
        let links = Set(try store.read { try $0.links(to: other.context.owner) }.keys)
        guard try !other.read({ try $0.left(besides: links, isFollowed: isFollowed).isEmpty })
        else { return }
        try await withOther(index) { sync in
            try sync.store.write { try $0.letGoOfLeft(besides: links, isFollowed: isFollowed) }
        }
    }

    /// Names the shares in which something waits for their owners.
    mutating func tellWaiting() throws {
        for other in others where !other.isEnded { try tellWaiting(in: other.store) }
        for other in unfollowed { try tellWaiting(in: other, isFollowed: false) }
    }

    private mutating func tellWaiting(in other: LocalStore, isFollowed: Bool = true) throws {
        if isFollowed, try other.read({ try $0.missed().isEmpty }) { return }
        let owner = other.context.owner
        let links = try store.read { try $0.links(to: owner) }
        let (waiting, name, places) = try other.read { tree in
            (
                try tree.waitingTops(isFollowed: isFollowed), try tree.username(of: owner),
                try LinkedPlaces(links, in: tree)
            )
        }
        for (file, count) in waiting.sorted(by: { $0.key < $1.key }) {
            let changes = count == 1 ? "1 change waits" : "\(count) changes wait"
            note(
                .notPushed,
                file,
                places.own("/\(file)"),
                "\(changes) until \(name) shares it again, as the server does not know of it any "
                    + "more; who leaves the share keeps what was written"
            )
        }
    }
}

extension LocalTree {
    /// Whether nothing ever came into this tree of another account's, and nothing is known of it.
    func isUntouched() throws -> Bool {
        guard try head() == nil, try !holds(atLeast: 2), try !hasSomethingToSend(),
            try missed().isEmpty, try setting(.ownerEnd) == nil
        else { return false }
        // What was gone back in had something once.
        return try Bool.fetchOne(
            db,
            sql: """
                SELECT NOT EXISTS (SELECT 1 FROM share_grant)
                    AND NOT EXISTS (SELECT 1 FROM rewound)
                """
        ) ?? false
    }

    /// What this account was let into and waits for its owner, where what was written in it here was left.
    ///
    /// Without a link, who wrote there has left it. What stands in something else that is seen waits as
    /// long as a link leads anywhere into that.
    /// - Parameters:
    ///   - links: what links lead to.
    ///   - isFollowed: whether the log of this tree is; if not, all waits.
    func left(besides links: Set<FileID>, isFollowed: Bool) throws -> Set<FileID> {
        let lost = try waitingRights(isFollowed: isFollowed)
        guard !lost.isEmpty else { return [] }
        let tops = Set(try waitingTops(isFollowed: isFollowed).keys)
        let above = filesAbove { tops.contains($0) }
        let linked = Set(try links.compactMap { try above.nearest(from: $0) })
        return Set(
            try lost.keys.filter { file in
                try above.nearest(from: file).map { !linked.contains($0) } ?? false
            }
        )
    }

    /// What this account was let into, and the server knows nothing of, with its rights.
    fileprivate func waitingRights(isFollowed: Bool) throws -> [FileID: ShareMode] {
        try isFollowed ? missed() : heldOrMissed()
    }

    /// Takes the loss of what was left here for its end.
    func letGoOfLeft(besides links: Set<FileID>, isFollowed: Bool) throws {
        // Of a log that is not told of any more, the server has nothing that was agreed in it.
        if !isFollowed, try head() != nil { _ = try rewind(to: nil) }
        try endMissed(left(besides: links, isFollowed: isFollowed))
    }

    /// How many changes wait for the owner of this tree, by what stands at its top around them.
    /// - Parameter isFollowed: whether its log is; if not, all do.
    func waitingTops(isFollowed: Bool) throws -> [FileID: Int] {
        let waiting = try isFollowed ? Set(waitingForOwner().map(\.description)) : []
        var counts: [FileID: Int] = [:]
        for change in try changes() where !isFollowed || waiting.contains(change.id) {
            guard let top = change.path.steps.first.flatMap({ FileID(hex: $0) }) else { continue }
            counts[top, default: 0] += 1
        }
        return counts
    }
}
