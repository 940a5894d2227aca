import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel

extension Sync {
    /// Keeps what the first answer tells of others, until this account's own log is merged.
    mutating func take(_ answer: Lockbook_V1_PullResponse) throws {
        guard !store.context.isForeign else { return }
        for (index, update) in zip(
            others.indices.filter { others[$0].isAsked },
            answer.logs.dropFirst()
        ) {
            guard Array(update.log) == others[index].store.context.owner.hash.bytes else {
                throw LockbookError.integrity(reason: "the server answers for another log")
            }
            others[index].update = update
        }
        // Each page of this account's log says it again; added up, they would eat all memory.
        guard !hasOffers else { return }
        hasOffers = true
        offers = answer.offers.map { Array($0) }
        claims = answer.claims.map { Array($0) }
    }

    /// Takes what others changed in what they share, and what they newly offer.
    mutating func pullOthers() async throws {
        let strangers = try followKnown()
        try dropEnded()
        offers = []
        try await letGoOfUnfollowed()
        for index in others.indices { try await pullApart(index) }
        try await meet(strangers)
        keptBefore = []
        guard !others.isEmpty else { return }
        try await keepingApart { try $0.followTransfers() }
        try settleSecondLinks()
    }

    mutating func pullOther(_ index: Int) async throws {
        guard !others[index].isEnded else {
            // An earlier sync was killed, or a link came back since.
            if try isUnsettled(others[index].store) { try await withOther(index) { _ in } }
            return
        }
        if options.acceptsRollback, others[index].isBegun, try forgetEmpty(others[index].store) {
            others[index].isBroken = true
            return
        }
        try await beginAnewWhereMissing(index)
        guard let update = others[index].update, !options.acceptsRollback else {
            let isBegun = others[index].isBegun
            var isShownNoMore = false
            try await withOther(index) { sync in
                try await sync.acceptRollback()
                do { try await sync.pull() } catch let error where error.refusal != nil {
                    // It ended since it was offered; the next sync lets go of it.
                    guard isBegun else { return }
                    isShownNoMore = try sync.isShownNoMore(error)
                    if !isShownNoMore { throw error }
                }
            }
            if isShownNoMore {
                // It waits as what a server that was put back does not know at all.
                let owner = others[index].store.context.owner
                try store.write { try $0.unfollow(owner) }
                others[index].isBroken = true
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

    /// Sends what was changed here in what others share.
    mutating func pushOthers() async throws {
        for index in others.indices where !others[index].isBroken {
            try await keepingApart(index) { try await $0.pushOther(index) }
        }
        try await keepingApart { try $0.followTransfers() }
    }

    private mutating func pushOther(_ index: Int) async throws {
        let hasWork = try others[index].store.read {
            try !$0.isOwnerGone() && ($0.hasSomethingToSend() || $0.absentCount() > 0)
        }
        guard hasWork else { return }
        let owner = others[index].store.context.owner
        let isAccepted = try isAccepted(owner)
        // What is only offered is not fetched.
        guard try isAccepted || others[index].store.read({ try $0.hasSomethingToSend() }) else {
            return
        }
        let ended = try endedAccounts()
        // What ended meanwhile is put right by what tells of it, and the rest is sent after that.
        var isBehind = true
        while isBehind {
            isBehind = false
            let known = try others[index].store.read { try $0.head() }
            try await withOther(index) { sync in
                sync.endedElsewhere = ended
                guard try await sync.isBehindAfterPushing(fetching: isAccepted) else { return }
                // A server can make up for ever what this account does not see, or take it back again.
                try sync.countRound(after: known)
                isBehind = true
            }
        }
    }

    /// What is only offered is not fetched until somebody reads it.
    func isAccepted(_ owner: AccountID) throws -> Bool {
        try !store.read { try $0.links(to: owner) }.isEmpty
    }

    /// This account at work in the store of another one's log.
    func within(_ other: LocalStore) -> Sync {
        Sync(
            account: account,
            keys: keys,
            store: other,
            environment: environment,
            server: server,
            options: options,
            progress: progress
        )
    }

    /// Works in another account's log, as this account, and reports it with this account's paths.
    mutating func withOther(_ index: Int, _ body: (inout Sync) async throws -> Void)
        async throws
    {
        let other = others[index].store
        // Once is enough to know that something is wrong there.
        guard !others[index].isBroken else { return }
        var sync = within(other)
        // Of what was only offered nobody here has anything to lose, or to be asked about.
        if try !isAccepted(other.context.owner) { sync.options.acceptDeletions = true }
        let (before, names, given) = try other.read {
            (try $0.held(), try $0.namesFollowed(), try $0.given())
        }
        let ahead = try copiesAhead(of: other.context.owner)
        sync.grantees = grantees
        sync.unseenCost = others[index].unseenCost
        swap(&sync.prefetched, &others[index].prefetched)
        // They are in memory until all logs are merged: those of one log at a time.
        sync.prefetches =
            try others.allSatisfy(\.prefetched.isEmpty) && isAccepted(other.context.owner)
        defer {
            others[index].prefetched = sync.prefetched
            others[index].unseenCost = sync.unseenCost
            grantees = sync.grantees
        }
        do {
            try await sync.rememberingStops { try await body(&$0) }
            for failure in sync.failures.all { add(failure, of: other) }
        } catch LockbookError.unknownAccount {
            // It answered for this account's own log.
            let reason = "it says that it has no account with this key, which it had before"
            leave(index, after: LockbookError.refused(reason: reason))
        } catch let error as LockbookError where error.isOfConnection {
            // The next sync knows neither the names of before what was merged already, nor what was done.
            try followNames(of: other, before: names)
            try passOn(sync.report, of: other)
            throw error
        } catch {
            leave(index, after: error)
        }
        // Of a log of which nothing is known yet nobody can say what ended.
        if others[index].isBroken, try other.read({ try $0.head() }) == nil { return }
        if !others[index].isBroken { try nameMet(in: other) }
        let after = try other.read { try $0.held() }
        try followNames(of: other, before: names)
        // Who reads it from its beginning is told nothing new by what was long ago.
        if others[index].isBegun, !options.acceptsRollback {
            try offerAnew(sync.renewed.filter { before[$0] != nil && after[$0] != nil }, of: other)
        }
        let ended = others[index].isBroken ? [] : try endedLinks(to: other)
        try settle(
            sync.report,
            moved: sync.moved,
            of: other,
            before: before,
            after: after,
            ended: ended,
            unfit: sync.unfit
        )
        try noteGiven(by: other, before: given)
        try noteNotAheadAnyMore(ahead)
    }
}

extension Lockbook_V1_LogUpdate {
    func hasNews(for store: LocalStore) throws -> Bool {
        let (known, required) = try store.read { (try $0.shownEnd(), try $0.requiredHeads()) }
        // A pull that was cut off had further to go: the next one sees to that.
        guard end.isEmpty, required.isEmpty, let known else { return true }
        return known.position != headPosition || known.hash.bytes != Array(head)
    }
}
