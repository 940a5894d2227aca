import LockbookAPI
import LockbookCrypto
import LockbookModel

extension Sync {
    /// Sends what was changed here, entry by entry.
    /// - Returns: false when somebody else's entry came first and has to be merged before.
    mutating func push() async throws -> Bool {
        var isStaged = false
        while true {
            try await rememberClock()
            guard try await pushShares(.beforeChanges) else { return false }
            if try store.read({ try !$0.hasPending() && !$0.unsettledShares().isEmpty }) {
                try store.write { try $0.settleShares() }
            }
            let (wasInterrupted, hasChanges) = try store.read {
                (try $0.hasPending(), try $0.hasChanges() || $0.hasExpired())
            }
            guard wasInterrupted || hasChanges else { return true }
            guard let (plan, changes) = try preparePush() else {
                guard try await findAtServer() else { return true }
                continue
            }
            if wasInterrupted, try await letGoOfMissing(in: plan) { continue }
            let outcome: Outcome
            do {
                outcome =
                    options.isDryRun
                    ? .accepted : try await send(plan, resuming: wasInterrupted || isStaged)
            } catch {
                guard let reason = error.refusal else { throw error }
                // What was to let people in, or to take something back, and was on its way when an
                // earlier sync stopped, is let go of by now, and asked for anew.
                if wasInterrupted, plan.onlyGrants || plan.takesBack { continue }
                if !leaveOut(error, of: plan) {
                    let isFound = try await findRefused(in: plan, reason)
                    guard try isFound || leaveBook(error, of: plan) else { throw error }
                }
                isStaged = true
                continue
            }
            guard outcome == .accepted else {
                report.races += 1
                return false
            }
            let (pushed, purged) = try store.write { tree in
                let purged = try tree.topPaths(of: plan.entry.purged)
                let accepted = try tree.acceptPendingNews()
                if accepted.people { report.people = true }
                return (try accepted.files.map { try tree.path(of: $0) }, purged)
            }
            report.pushed.append(contentsOf: pushed)
            if options.listsChanges { report.changes = (report.changes ?? []) + changes }
            report.purged.append(contentsOf: purged)
        }
    }

    enum Outcome {
        case accepted, moved
    }

    /// Signs an entry over the changes and keeps it; nil when there is nothing to push.
    private mutating func preparePush() throws -> (PushPlan, [StatusReport.Change])? {
        let (refused, atServer) = (refused, atServer ?? [])
        let (plan, changes, notes) = try store.write { tree in
            tree.contentsAtServer = atServer
            try tree.settlePending()
            if try !tree.hasPending() { try tree.purgeExpired() }
            // Once more after the merge: what it made of the tree was not asked for either.
            if try !options.acceptDeletions && !tree.hasPending(),
                let stop = try tree.unaskedDeletions(believesNotes: true)
            {
                throw LockbookError.stopped(stop)
            }
            let (plan, notes) = try tree.planPush(without: refused)
            let changes = try options.listsChanges ? plan.map { try tree.changes(in: $0) } : nil
            return (plan, changes ?? [], notes)
        }
        report.note(once: notes)
        return plan.map { ($0, changes) }
    }

    /// Sends an entry and what it lists.
    ///
    /// One that the server will not have, or has no room for, is not kept for another try: what is
    /// asked of it changes when the user deletes what that was for. Should the log have it after
    /// all, that is known.
    /// - Parameter settlingLog: whether what was committed moves from the write-ahead log into the
    ///   database while the server is at work.
    func send(_ plan: PushPlan, resuming: Bool, settlingLog: Bool = false) async throws -> Outcome {
        do {
            return try await sendWhole(plan, resuming: resuming, settlingLog)
        } catch {
            let didNothing = await server.didNothing
            if error.refusal != nil || didNothing { try store.write { try $0.setPendingAside() } }
            throw error
        }
    }

    private func sendWhole(_ plan: PushPlan, resuming: Bool, _ settlingLog: Bool) async throws
        -> Outcome
    {
        progress(.uploading(done: 0, of: plan.byteCount))
        var inline = PushPlan.Batch()
        let isAhead = plan.isNew && plan.sendsAhead(environment.batchByteCount)
        if isAhead { try store.write { try $0.noteOffered(false) } }
        try await stage(plan, resuming: resuming, inline: &inline)
        if isAhead { try store.write { try $0.noteOffered(true) } }
        guard settlingLog else { return try await appended(plan, with: &inline) }
        // Not before all that is sent was read, which would wait for it.
        let log = store
        async let settled: Void = log.settleLog()
        let outcome = try await appended(plan, with: &inline)
        await settled
        return outcome
    }

    private func appended(_ plan: PushPlan, with inline: inout PushPlan.Batch) async throws
        -> Outcome
    {
        for _ in 0..<3 {
            switch try await append(plan, with: &inline).outcome {
            case .accepted: return .accepted
            case .moved: return .moved
            case .missing(let missing):
                try await stageMissing(missing, plan)
            case nil:
                throw LockbookError.integrity(reason: "the server's answer cannot be read")
            }
        }
        throw LockbookError.integrity(reason: "the server forgets what it is sent")
    }
}
