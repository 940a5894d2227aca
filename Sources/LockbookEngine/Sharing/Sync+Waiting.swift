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
    mutating func letGoOfLeft() async throws {
        unfollowed = try store.read { try $0.leftBehind() }.map { owner in
            let other = try LocalStore(StoreContext(store, of: owner))
            return try options.isDryRun ? other.rehearsal() : other
        }
        for other in unfollowed {
            try await keepingApart { sync in
                guard try sync.isOverThere(other) else { return }
                let index = sync.others.count
                sync.others.append(SharedLog(store: other, isBegun: true))
                defer { sync.others.removeLast() }
                try await sync.withOther(index) { inner in
                    try inner.store.write { try $0.giveUp() }
                }
            }
        }
    }

    /// Whether nothing is waited for in a log that is not followed any more.
    private func isOverThere(_ other: LocalStore) throws -> Bool {
        // An earlier sync was killed before it put right what had ended.
        guard try !other.read({ try $0.heldOrMissed().isEmpty }) else {
            return try isUnsettled(other)
        }
        // Without a link, who wrote there has left it.
        guard try store.read({ try $0.links(to: other.context.owner).isEmpty }) else {
            return false
        }
        return try !other.read { try $0.waitingTops(isFollowed: false).isEmpty }
    }

    /// Lets go of what waits for its owner in a log that is followed, and was left here meanwhile.
    mutating func letGoOfMissed(_ index: Int) async throws {
        let other = others[index].store
        guard !others[index].isBroken, try !other.read({ try $0.missed().isEmpty }) else { return }
        let links = try store.read { try $0.links(to: other.context.owner) }
        let ended = try other.read { tree in
            let missed = try tree.missed()
            return try tree.waitingTops(isFollowed: true).keys.filter { file in
                missed[file] != nil && links[file] == nil
            }
        }
        guard !ended.isEmpty else { return }
        try await withOther(index) { sync in
            try sync.store.write { try $0.endMissed(Set(ended)) }
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
