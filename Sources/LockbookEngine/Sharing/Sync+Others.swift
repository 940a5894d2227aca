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
    /// What the first request told of it.
    var update: Lockbook_V1_LogUpdate?
    /// Whether this sync found something wrong with it.
    var isBroken = false
    /// Contents that came while it was merged.
    var prefetched: [FetchedBlob] = []
}

extension LockbookError {
    /// Whether nothing else can be asked of the server either.
    fileprivate var isOfConnection: Bool {
        switch self {
        case .offline, .unavailable, .notALockbookServer, .untrustedServer, .unknownAccount,
            .serverUpdateNeeded:
            true
        default: false
        }
    }
}

extension Sync {
    /// The positions of the logs that are followed, for the first request of a sync.
    mutating func followedPositions() throws -> [Lockbook_V1_LogPosition] {
        guard !store.context.isForeign, others.isEmpty else { return [] }
        let all = try welcome().map { [options, store] owner in
            let other = try LocalStore(StoreContext(store, of: owner))
            var log = SharedLog(
                store: options.isDryRun ? try other.rehearsal() : other,
                isBegun: try other.read { try $0.head() } != nil
            )
            log.isOver = try log.isBegun && isOver(other)
            return log
        }
        // A log that ended stays followed: who forgot how far it went could be shown it anew. But so many
        // ended ones as anybody likes can be made: what is too much of them is asked for when something is
        // offered there again.
        let live = all.filter { !$0.isOver }
        let room = max(0, environment.followedLogCount - live.count)
        others = live + all.filter(\.isOver).prefix(room)
        // What is more than one request may name is asked for alone.
        return try others.filter(\.isBegun).prefix(environment.followedLogCount).map { other in
            let head = try other.store.read { try $0.head() }
            return .with {
                $0.log = Data(other.store.context.owner.hash.bytes)
                $0.known = head != nil
                $0.position = head?.position ?? 0
                $0.head = Data(head?.hash.bytes ?? [])
            }
        }
    }

    /// Whose logs are followed: what a blocked account shares is not, unless it was accepted before or is
    /// being given to another owner.
    private func welcome() throws -> [AccountID] {
        try store.read { tree in
            var givers = Set(try tree.transfers().map(\.heir))
            for successor in try tree.successors() {
                givers.formUnion(successor.sources.map(\.offer.source.owner))
            }
            return try tree.followed().filter { owner in
                try !tree.isBlocked(owner) || !tree.links(to: owner).isEmpty
                    || givers.contains(owner) || changesWait(in: owner)
            }
        }
    }

    /// Whether something that was changed here in what an account shares was not settled yet.
    private func changesWait(in owner: AccountID) throws -> Bool {
        try LocalStore(StoreContext(store, of: owner)).read { try $0.hasSomethingToSend() }
    }

    private func isOver(_ other: LocalStore) throws -> Bool {
        guard try store.read({ try $0.links(to: other.context.owner).isEmpty }),
            try !isUnsettled(other)
        else { return false }
        return try other.read { try $0.held().isEmpty && !$0.hasSomethingToSend() }
    }

    /// Keeps what the first answer tells of others, until this account's own log is merged.
    mutating func take(_ answer: Lockbook_V1_PullResponse) throws {
        guard !store.context.isForeign else { return }
        for (index, update) in zip(
            others.indices.filter { others[$0].isBegun },
            answer.logs.dropFirst()
        ) {
            guard Array(update.log) == others[index].store.context.owner.hash.bytes else {
                throw LockbookError.integrity(reason: "the server answers for another log")
            }
            others[index].update = update
        }
        offers += answer.offers.map { Array($0) }
        claims += answer.claims.map { Array($0) }
    }

    /// Takes what others changed in what they share, and what they newly offer.
    mutating func pullOthers() async throws {
        // An honest server offers no more than a device follows; each takes a store here before anything of
        // it is proved.
        let live = others.count { !$0.isOver }
        for offer in offers.prefix(max(0, environment.followedLogCount - live)) {
            do { try follow(offer) } catch { failure = failure ?? error }
        }
        try dropEnded()
        offers = []
        for index in others.indices {
            try await keepingApart(index) { try await $0.pullOther(index) }
        }
        guard !others.isEmpty else { return }
        try await keepingApart { try $0.followTransfers() }
        try settleSecondLinks()
    }

    private mutating func pullOther(_ index: Int) async throws {
        if options.acceptsRollback, others[index].isBegun, try forgetEmpty(others[index].store) {
            others[index].isBroken = true
            return
        }
        try beginAnewWhereMissing(index)
        guard let update = others[index].update, !options.acceptsRollback else {
            let isBegun = others[index].isBegun
            try await withOther(index) { sync in
                try await sync.acceptRollback()
                do { try await sync.pull() } catch let error where !isBegun && error.refusal != nil
                {
                    // It ended since it was offered; the next sync lets go of it.
                }
            }
            if !isBegun { try noteReadAnew(index) }
            return
        }
        others[index].update = nil
        // What an earlier sync let stand is let go of before it is seen again, and is another one.
        if try !others[index].store.read({ try $0.leftOver().isEmpty }) {
            try await withOther(index) { _ in }
        }
        guard try update.hasNews(for: others[index].store) else {
            if try isUnsettled(others[index].store) { try await withOther(index) { _ in } }
            return
        }
        try await withOther(index) { sync in
            try await sync.pull(beginningWith: update)
        }
    }

    /// What is wrong with what others share, or with what this device has of it, keeps nothing else
    /// from being synced: it is told of at the end.
    /// - Parameter index: whose it is.
    mutating func keepingApart(
        _ index: Int? = nil,
        _ body: (inout Sync) async throws -> Void
    ) async throws {
        do { try await body(&self) } catch let error as LockbookError where error.isOfConnection {
            throw error
        } catch {
            if let index { others[index].isBroken = true }
            failure = failure ?? (index.map { told(error, of: $0) } ?? error)
        }
    }

    /// A refusal says whose log it is about, where that is another account's.
    private func told(_ error: any Error, of index: Int) -> any Error {
        guard let reason = error.refusal,
            let name = try? store.read({ try $0.username(of: others[index].store.context.owner) })
        else { return error }
        return LockbookError.refused(reason: "of what \(name) shares with you: \(reason)")
    }

    /// Sends what was changed here in what others share.
    mutating func pushOthers() async throws {
        for index in others.indices where !others[index].isBroken {
            try await keepingApart(index) { try await $0.pushOther(index) }
        }
        try await keepingApart { try $0.followTransfers() }
    }

    private mutating func pushOther(_ index: Int) async throws {
        let hasWork = try others[index].store.read {
            try $0.hasSomethingToSend() || $0.absentCount() > 0
        }
        guard hasWork else { return }
        let owner = others[index].store.context.owner
        let isAccepted = try isAccepted(owner)
        // What ended meanwhile is put right by what tells of it, and the rest is sent after that.
        var isBehind = true
        while isBehind {
            isBehind = false
            try await withOther(index) { sync in
                isBehind = try await sync.isBehindAfterPushing(fetching: isAccepted)
            }
        }
    }

    /// What is only offered is not fetched until somebody reads it.
    private func isAccepted(_ owner: AccountID) throws -> Bool {
        try !store.read { try $0.links(to: owner) }.isEmpty
    }

    /// Begins to follow the log of somebody who shares something with this account.
    private mutating func follow(_ certificate: [UInt8]) throws {
        let certificate = try AccountCertificate(verifying: certificate)
        // What was accepted before its owner was blocked stays, on every device.
        let isWelcome = try store.read { tree in
            try !tree.isBlocked(certificate.account)
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
        try Disk.makeFolder(account.directory + "/shares")
        try Disk.makeFolder(context.directory)
        try Disk.syncFolder(account.directory + "/shares")
        try Disk.syncFolder(account.directory)
        return try LocalStore(context)
    }

    /// Works in another account's log, as this account, and reports it with this account's paths.
    private mutating func withOther(_ index: Int, _ body: (inout Sync) async throws -> Void)
        async throws
    {
        let other = others[index].store
        // Once is enough to know that something is wrong there.
        guard !others[index].isBroken else { return }
        var sync = Sync(
            account: account,
            keys: keys,
            store: other,
            environment: environment,
            server: server,
            options: options,
            progress: progress
        )
        let (before, names, given) = try other.read {
            (try $0.held(), try $0.ownersNames(), try $0.given())
        }
        let ahead = try copiesAhead(of: other.context.owner)
        swap(&sync.prefetched, &others[index].prefetched)
        // They are in memory until all logs are merged: those of one log at a time.
        sync.prefetches =
            try others.allSatisfy(\.prefetched.isEmpty) && isAccepted(other.context.owner)
        defer { others[index].prefetched = sync.prefetched }
        do {
            try await sync.rememberingStops { try await body(&$0) }
            failure = failure ?? sync.failure
        } catch let error as LockbookError where error.isOfConnection {
            throw error
        } catch {
            others[index].isBroken = true
            failure = failure ?? told(error, of: index)
        }
        // Of a log of which nothing is known yet nobody can say what ended.
        if others[index].isBroken, try other.read({ try $0.head() }) == nil { return }
        let after = try other.read { try $0.held() }
        try followNames(of: other, before: names)
        let ended = others[index].isBroken ? [] : try endedLinks(to: other)
        try settle(
            sync.report,
            of: other,
            before: before,
            after: after,
            ended: ended,
            refused: sync.refused
        )
        try noteGiven(by: other, before: given)
        try noteNotAheadAnyMore(ahead)
    }
}

extension Lockbook_V1_LogUpdate {
    func hasNews(for store: LocalStore) throws -> Bool {
        let head = try store.read { try $0.head() }
        return head.map { $0.position != headPosition || Array($0.hash.bytes) != Array(self.head) }
            ?? true
    }
}
