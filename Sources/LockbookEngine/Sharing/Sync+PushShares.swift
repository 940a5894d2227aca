import LockbookCrypto
import LockbookModel

extension Sync {
    /// Sends what was changed here, then what is wanted of shares; shares that are taken back go
    /// first, so that who is out does not get the words that were written since.
    /// - Returns: false when somebody else's entry came first and has to be merged before.
    mutating func pushAll() async throws -> Bool {
        // Who used an invitation stands in the log before he is let in.
        if try store.read({ try $0.isBookStale() }) { try store.write { try $0.writeBook() } }
        guard try await push() else { return false }
        try grantOwed()
        if !options.isDryRun { try rememberRefused() }
        return try await pushShares(.afterChanges)
    }

    /// Sends what is wanted of shares, entry by entry.
    /// - Returns: false when somebody else's entry came first and has to be merged before.
    mutating func pushShares(_ pass: SharePass) async throws -> Bool {
        if pass == .beforeChanges { try settleRewound() }
        while true {
            guard try store.read({ try !$0.wishes().isEmpty || !$0.behind().isEmpty }) else {
                return true
            }
            let planned = try await planShare(pass)
            report.note(once: try planned.notes.map { try asKnown($0) })
            guard var plan = planned.plan else { return true }
            plan.push.spare(try planned.sent.get())
            if try options.isDryRun && refuseAgain(plan) { continue }
            if try await refuseMissing(plan) { continue }
            do {
                let outcome = try await sendShares(plan.push)
                guard outcome == .accepted else {
                    report.races += 1
                    return false
                }
            } catch {
                guard let reason = error.refusal, try await leave(plan, error, reason) else {
                    throw error
                }
                continue
            }
            let purged = try store.write { tree in
                let purged = try tree.topPaths(of: plan.push.entry.purged)
                _ = try tree.acceptPending(plan.sealed)
                return purged
            }
            report.purged.append(contentsOf: purged)
            guard purged.isEmpty else { continue }
            // Also where no record went: another mode alone is something that was done.
            report.pushed.append(try store.read { try $0.path(of: plan.file) })
        }
    }

    /// Does without an entry that the server refused, where all else can go on without it.
    /// - Returns: whether it can.
    private mutating func leave(
        _ plan: SharePlan,
        _ error: any Error,
        _ reason: String
    ) async throws -> Bool {
        if plan.push.onlyGrants {
            if let grantee = error as? RefusedGrantee {
                let explained = try await explain(grantee)
                try refuse(plan, explained, explained.reason)
            } else {
                try refuse(plan, error, reason)
            }
        } else if plan.isOverruling {
            try leaveOverruled(plan, error, reason)
        } else if plan.push.takesBack && isRefusalFinal {
            try refuse(plan, error, reason)
        } else if plan.endsOffer {
            leavesEndedOffers = true
        } else {
            return false
        }
        return true
    }

    /// A note on what was purged since this sync began, with the path that it had then.
    private func asKnown(_ note: SyncReport.Note) throws -> SyncReport.Note {
        guard let file = FileID(hex: note.id), let path = wishedBefore[file],
            try store.read({ try $0.row(file) == nil })
        else { return note }
        var note = note
        note.path = path
        return note
    }

    /// Plans an entry, and sends what is sealed for it already while the rest is.
    ///
    /// What there is to say of what was let go of meanwhile is said also where the connection broke.
    private func planShare(_ pass: SharePass) async throws -> (
        plan: SharePlan?, notes: [SyncReport.Note], sent: Result<Set<Hash256>, any Error>
    ) {
        let ahead = RecordsAhead(batchByteCount: environment.aheadByteCount)
        async let sent = send(ahead)
        let (plan, notes) = try store.write { tree in
            if !options.isDryRun { tree.recordsAhead = ahead }
            return try tree.planShare(pass, without: putOff, besides: shareExtras)
        }
        ahead.end()
        return (plan, notes, await sent)
    }

    private var shareExtras: SharePlan.Extras {
        var extras: SharePlan.Extras = []
        if options.acceptDeletions { extras.insert(.purges) }
        if !leavesRestoration { extras.insert(.restorations) }
        if !leavesEndedOffers { extras.insert(.endsOfOffers) }
        return extras
    }

    /// Does without what the server does not take back over nonsense: nothing else waits for it.
    ///
    /// When a share is taken back it is given up, as what was always damaged, and what it was here is a
    /// file of its own.
    private mutating func leaveOverruled(
        _ plan: SharePlan,
        _ error: any Error,
        _ reason: String
    ) throws {
        leavesRestoration = true
        let rescued = try store.write { tree -> [SyncReport.Note]? in
            guard plan.push.entry.groups.contains(where: { !$0.grants.isEmpty }) else { return [] }
            return try (error as? RefusedChange).flatMap { try tree.giveUp($0.file) }
        }
        guard let rescued else {
            guard plan.push.takesBack, isRefusalFinal else {
                throw LockbookError.refused(reason: reason)
            }
            return try refuse(plan, error, reason)
        }
        report.notes.append(contentsOf: rescued)
        guard rescued.isEmpty else { return }
        let path = try store.read { try $0.shownPath(of: plan.file) }
        let note = SyncReport.Note(
            kind: .notPushed,
            id: plan.file.description,
            path: path,
            detail: reason
        )
        report.note(once: [note])
    }

    private mutating func sendShares(_ push: PushPlan) async throws -> Outcome {
        guard !options.isDryRun else { return .accepted }
        let isLarge = push.items.count >= Self.largeShare
        if isLarge { leavesCheckpoint = true }
        return try await send(push, resuming: false, settlingLog: isLarge)
    }

    /// So many files in one entry take the server and this device a while.
    private static let largeShare = 1_000
}
