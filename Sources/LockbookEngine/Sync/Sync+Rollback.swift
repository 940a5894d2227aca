import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

extension Sync {
    /// Goes back to the newest entry that the server still has, when that is not the newest one
    /// that this device knows, and when it was told to.
    ///
    /// What the server lost are changes of this device then. Nothing else is done: the pull and the
    /// push that follow are as always.
    mutating func acceptRollback() async throws {
        guard options.acceptsRollback,
            try store.read({ try $0.setting(.registered) != nil || $0.isForeign })
        else { return }
        if !store.context.isForeign { try store.write { try $0.tellAnew() } }
        guard let known = try store.read({ try $0.head() }) else {
            return try forgetRequired()
        }
        do {
            if let shown = try await newest(after: known) {
                let step = try await commonStep(upTo: shown.position)
                try await rewind(from: known, to: step, shown: shown.position)
            }
        } catch LockbookError.unknownAccount where !store.context.isForeign {
            return try await rewind(from: known, to: nil, shown: 0, isUnknown: true)
        }
        // What the key says that there was, a server may have lost as well.
        try forgetRequired()
        // What one that broke off found is put right by now, and would not be found again.
        let untold = report.rollback?.shares ?? []
        let shares = try await rolledBackShares().filter { !untold.contains($0) }
        guard !shares.isEmpty else { return }
        let unmoved = Rollback(
            known: known.position,
            shown: known.position,
            common: known.position,
            files: 0
        )
        report.rollback = report.rollback ?? unmoved
        report.rollback?.shares = untold + shares
        try store.write { [rollback = report.rollback] in try $0.keepRollback(rollback) }
    }

    /// The server's newest entry; nil when its log goes on from the entry that is known.
    private func newest(after known: LogHead) async throws -> LogHead? {
        let update = try await askAlone(position(known, nil))
        guard let hash = Hash256(Array(update.head)) else {
            throw LockbookError.integrity(reason: "the server answers for another log")
        }
        let newest = LogHead(position: update.headPosition, hash: hash)
        let goesOn = !update.entries.isEmpty || update.hasCheckpoint
        if newest == known || (newest.position > known.position && goesOn) { return nil }
        return newest
    }

    /// The users whose logs are not those any more that this device saw.
    private mutating func rolledBackShares() async throws -> [String] {
        guard !store.context.isForeign else { return [] }
        var names: [String] = []
        let (followed, left) = try store.read { (try $0.followed(), try $0.leftBehind()) }
        for other in followed + left {
            try await keepingApart { sync in
                let isNews =
                    try await left.contains(other)
                    ? sync.isToldAgain(other) : sync.isRolledBack(other)
                guard isNews else { return }
                names.append(try sync.store.read { try $0.username(of: other) })
            }
        }
        return names
    }

    /// This account in the log of another one.
    private func inLog(of other: AccountID) throws -> Sync {
        within(try LocalStore(StoreContext(store, of: other)))
    }

    /// Whether there is something to settle in a log that was not followed any more.
    ///
    /// The server may know by now what its owner has done again, and taken back since.
    private func isToldAgain(_ other: AccountID) async throws -> Bool {
        let sync = try inLog(of: other)
        guard try !sync.store.read({ try $0.heldOrMissed().isEmpty }) else { return false }
        guard let known = try sync.store.read({ try $0.head() }) else { return false }
        do { _ = try await sync.newest(after: known) } catch {
            guard error.refusal != nil || Self.isUnknown(error) else { throw error }
            return false
        }
        try store.write { try $0.follow(other) }
        return true
    }

    private func isRolledBack(_ other: AccountID) async throws -> Bool {
        let sync = try inLog(of: other)
        // A log that is being read anew has to reach what was known of it before.
        let heads = try sync.store.read { try [$0.head()].compactMap { $0 } + $0.requiredHeads() }
        guard let known = heads.max(by: { $0.position < $1.position }) else { return false }
        do {
            return try await sync.newest(after: known) != nil
        } catch let error where error.refusal != nil {
            // It was shared after the backup; its owner brings it back. Until then nothing can be
            // asked, and the answer to that would be all that this account gets.
            try store.write { try $0.unfollow(other) }
            return true
        } catch let error where Self.isUnknown(error) {
            // The pull asks again, behind this account's own log, and tells of it.
            return false
        }
    }

    /// Whether a server says of another account's log that it has not this one, whose own log it has.
    private static func isUnknown(_ error: any Error) -> Bool {
        if case LockbookError.unknownAccount = error { true } else { false }
    }

    /// The newest entry up to which this device had synced and that the server has.
    private func commonStep(upTo position: UInt64) async throws -> LogStep? {
        let steps = try store.read { try $0.steps() }.filter { $0.head.position <= position }
        // Each entry names the one before: up to the common one all are, after it none is.
        var (low, high) = (0, steps.count)
        while low < high {
            let middle = (low + high) / 2
            if try await newest(after: steps[middle].head) == nil {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low > 0 ? steps[low - 1] : nil
    }

    /// - Parameter isUnknown: whether the server does not know the account any more: it is told of it
    ///   again, which must be known as soon as nothing of the log is.
    private mutating func rewind(
        from known: LogHead,
        to step: LogStep?,
        shown: UInt64,
        isUnknown: Bool = false
    ) async throws {
        let common = step
        var step = step
        var purged: [FileID: FileRecord] = [:]
        if let common = step {
            do {
                if let gone = try await gone(since: common) {
                    purged = gone
                } else if try await !tellsWholeState(after: common) {
                    step = nil
                }
            } catch let error where store.context.isForeign && error.refusal != nil {
                // Taken back since, by an owner who has accepted: the pull brings that.
            }
        }
        // What others purge is theirs to purge again; it is followed from the beginning.
        if store.context.isForeign, !purged.isEmpty { (step, purged) = (nil, [:]) }
        let untold = report.rollback
        let rollback = try store.write { [step, purged] tree -> Rollback? in
            let (rewound, wishes) = try tree.rewind(to: step, common: common, purged: purged)
            guard !tree.isForeign else { return nil }
            if isUnknown { try tree.set(.registered, to: nil) }
            // What was lost more than once is a file that counts once.
            var files = try tree.ids(.untoldFiles).union(rewound)
            // Where all is lost the root is, which is nobody's file.
            if try tree.row(tree.root).map({ $0.base == nil }) ?? false { files.remove(tree.root) }
            try tree.set(.untoldFiles, ids: files)
            var rollback = Rollback(
                known: known.position,
                shown: shown,
                common: step?.head.position,
                commonTime: step?.header.created.milliseconds,
                files: files.count,
                grants: try tree.regrants(wishes)
            )
            if let untold { rollback.follow(untold) }
            // Should this sync break off, the next one would not see that any more.
            try tree.keepRollback(rollback)
            return rollback
        }
        report.rollback = rollback
    }

    /// Whether what the pull brings after an entry is all that there is, by which what was agreed up to
    /// that entry can stay: what this device lacks of that time would be missed otherwise.
    private func tellsWholeState(after step: LogStep) async throws -> Bool {
        guard !store.context.isForeign else { return false }
        return try await askAlone(position(step.head, nil)).hasCheckpoint
    }

    /// What the server has of the time up to an entry, and this device has not: it is gone for good
    /// here.
    ///
    /// Of what others share also what this device does not know as it was then.
    ///
    /// Nil when the server does not tell any more what was up to that entry. A record that the server made up would not open, and would be purged from its own tree.
    private func gone(since step: LogStep) async throws -> [FileID: FileRecord]? {
        // What left what a member may see since is not here, and the pull judges entries about it.
        var state = ShownState(common: step.head, isAll: store.context.isForeign)
        var cursor: CheckpointReader?
        var more = true
        while more {
            var position = position(state.known, cursor?.next)
            // In the state of a later time the earlier one cannot be seen.
            position.noLaterThan = step.head.position
            let update = try await whole(try await askAlone(position), after: position)
            guard update.hasCheckpoint else {
                cursor = nil
                more = try state.take(update, in: store)
                continue
            }
            let page = update.checkpoint
            var reader =
                try cursor?.reading(page, after: state.known, sync: self, isRolledBack: true)
                ?? CheckpointReader(page, after: state.known, sync: self, isRolledBack: true)
            // It is of an older program, or has nothing of that time any more.
            guard reader.position <= step.head.position else { return nil }
            let shown = try reader.take(page)
            cursor = shown == nil ? reader : nil
            if let shown { state.take(shown) }
        }
        return try store.read { tree in
            let then = tree.isForeign ? try tree.agreed(at: step) : [:]
            return try state.records.filter { id, record in
                guard let row = try tree.row(id) else { return true }
                return tree.isForeign && then[id] ?? row.base != record.bytes
            }
        }
    }

    /// Does once more what this device knows of who sees a share, where another one knew less.
    ///
    /// Before anything is pushed.
    mutating func settleRewound() throws {
        guard try store.read({ try $0.setting(.rewoundGrants) != nil }) else { return }
        let (rollback, notes) = try store.write { [before = report.rollback] tree in
            let settled = try tree.settleRewound()
            var rollback = before
            let dropped = try tree.regrants(settled.dropped)
            rollback?.grants.removeAll { dropped.contains($0) }
            rollback?.grants += try tree.regrants(settled.again)
            if rollback != nil { try tree.keepRollback(rollback) }
            return (rollback, try tree.keepUntold(more: settled.notes))
        }
        report.rollback = rollback
        report.notes += notes
    }
}

extension LocalTree {
    fileprivate func regrants(_ wishes: [ShareWish]) throws -> [Rollback.Regrant] {
        try wishes.compactMap { wish in
            guard let row = try row(wish.file) else { return nil }
            return Rollback.Regrant(
                path: try path(of: row),
                username: try username(of: wish.grantee),
                mode: wish.mode > .none ? ShareRight(wish.mode) : nil
            )
        }
    }
}
