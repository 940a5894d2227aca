import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

/// Another account's log, of which this one may see a part.
struct SharedLog {
    let store: LocalStore
    /// Whether anything of it is here: what was only begun to be followed is not asked for before
    /// the server said that it still is offered.
    var isBegun: Bool
    /// Whether it ended for this account, and nothing of it is left here: it is followed so that nobody
    /// is shown it anew, and keeps no other one out.
    var isOver = false
    /// Whether its owner deleted his account: nothing can be asked for any more.
    var isEnded = false
    /// What the first request told of it.
    var update: Lockbook_V1_LogUpdate?
    /// Whether this sync found something wrong with it.
    var isBroken = false
    /// Contents that came while it was merged.
    var prefetched: [FetchedBlob] = []
    /// What this sync spent on entries at its end of which nothing is seen here.
    var unseenCost = 0

    /// Whether the first request of a sync names it.
    var isAsked: Bool { isBegun && !isEnded }
}

/// Whose logs a sync asks for besides this account's own, and where they are kept.
extension Sync {
    /// The positions of the logs that are followed, for the first request of a sync.
    ///
    /// None where the store of one does not open: what becomes of the others may hang on it.
    mutating func followedPositions() throws -> [Lockbook_V1_LogPosition] {
        guard !store.context.isForeign, others.isEmpty, vainBefore.isEmpty, !keepsToOwnLog else {
            return []
        }
        try forgetSelf()
        do { return try openFollowed() } catch let error as LockbookError {
            (others, keepsToOwnLog) = ([], true)
            failures.add(error)
            return []
        }
    }

    private mutating func openFollowed() throws -> [Lockbook_V1_LogPosition] {
        let links = try store.read { try $0.linksByOwner() }
        // A log that ended stays followed: who forgot how far it went could be shown it anew. But so many
        // ended ones as anybody likes can be made: what is too much of them is asked for when something is
        // offered there again, and is not held open till then, as this process may hold few files open.
        var (live, over): ([SharedLog], [SharedLog]) = ([], [])
        for owner in try welcome(by: links) {
            let other = try LocalStore(StoreContext(store, of: owner))
            // What was offered and came to nothing has its turn among what is offered now.
            if links[owner] == nil, try other.read({ try $0.isUntouched() }) {
                vainBefore.append(owner)
                continue
            }
            var log = SharedLog(
                store: options.isDryRun ? try other.rehearsal() : other,
                isBegun: try other.read { try $0.head() } != nil
            )
            log.isEnded = try other.read { try $0.isOwnerGone() }
            log.isOver = try log.isBegun && links[owner] == nil && isOver(other)
            if log.isOver { over.append(log) } else { live.append(log) }
            let room = max(0, environment.followedLogCount - live.count)
            over.removeLast(max(0, over.count - room))
        }
        others = live + over
        // What is more than one request may name is asked for alone.
        return try others.filter(\.isAsked).prefix(environment.followedLogCount).map { other in
            let head = try other.store.read { try $0.shownEnd() }
            return .with {
                $0.log = Data(other.store.context.owner.hash.bytes)
                $0.known = head != nil
                $0.position = head?.position ?? 0
                $0.head = Data(head?.hash.bytes ?? [])
            }
        }
    }

    /// Lets go of this account's own log, where an earlier sync took it for another's.
    private func forgetSelf() throws {
        let folder = StoreContext(store, of: owner).directory
        guard !options.isDryRun, Disk.exists(folder) else { return }
        try store.write { try $0.forgetSelf() }
        try LocalStore.remove(folder)
    }

    /// Whose logs are followed: what a blocked account shares is not, unless it was accepted before or is
    /// being given to another owner.
    private func welcome(by links: [AccountID: [FileID: ShareLink]]) throws -> [AccountID] {
        try store.read { tree in
            var givers = Set(try tree.transfers().map(\.heir))
            for successor in try tree.successors() {
                givers.formUnion(successor.sources.map(\.offer.source.owner))
            }
            return try tree.followed().filter { owner in
                try !tree.isBlocked(owner) || links[owner] != nil
                    || givers.contains(owner) || changesWait(in: owner)
            }
        }
    }

    /// Whether something that was changed here in what an account shares was not settled yet.
    private func changesWait(in owner: AccountID) throws -> Bool {
        try LocalStore(StoreContext(store, of: owner)).read { try $0.hasSomethingToSend() }
    }

    /// Whether nothing is left of another account's log to which no link leads.
    private func isOver(_ other: LocalStore) throws -> Bool {
        guard try !isUnsettled(other) else { return false }
        return try other.read { try $0.held().isEmpty && !$0.hasSomethingToSend() }
    }

    /// Begins to follow the log of somebody who shares something with this account.
    mutating func follow(_ certificate: [UInt8]) throws {
        let certificate = try AccountCertificate(verifying: certificate)
        // What was accepted before its owner was blocked stays, on every device.
        let isWelcome = try store.read { tree in
            try !tree.isBlocked(certificate)
                || !tree.links(to: certificate.account).isEmpty
        }
        guard isWelcome, !others.contains(where: { $0.store.context.owner == certificate.account })
        else { return }
        // A name that another device of this account met counts as met here.
        try store.write { try $0.pin(certificate) }
        let context = StoreContext(store, of: certificate.account)
        let other = try newStore(context)
        let isFollowed = try store.read { try $0.followed().contains(certificate.account) }
        let isBegun = try isFollowed && other.read { try $0.head() } != nil
        try other.write { tree in
            // Shared again on a server that had forgotten it: for that the user gave his word.
            if try !isFollowed && tree.head() != nil { _ = try tree.rewind(to: nil) }
            try tree.pin(certificate)
            try tree.makeForeignRoot()
        }
        try store.write { try $0.follow(certificate.account) }
        others.append(SharedLog(store: other, isBegun: isBegun))
    }

    private func newStore(_ context: StoreContext) throws -> LocalStore {
        if options.isDryRun {
            let isThere = Disk.exists(context.directory + "/" + LocalStore.fileName)
            return try isThere
                ? LocalStore(context).rehearsal() : LocalStore.rehearsal(ofNew: context)
        }
        let sharesFolder = StoreContext.sharesFolder(in: account.directory)
        try Disk.makeFolder(sharesFolder)
        try Disk.makeFolder(context.directory)
        try Disk.syncFolder(sharesFolder)
        try Disk.syncFolder(account.directory)
        return try LocalStore(context)
    }
}
