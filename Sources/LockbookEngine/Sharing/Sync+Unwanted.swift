import LockbookCrypto
import LockbookModel

extension PushPlan {
    /// Whether it lets people in and takes nothing back.
    var onlyGrants: Bool {
        let grants = entry.groups.flatMap(\.grants)
        return !grants.isEmpty && grants.allSatisfy { $0.mode > .none }
    }

    /// Whether it takes a file back from somebody.
    var takesBack: Bool { entry.groups.flatMap(\.grants).contains { $0.mode == .none } }
}

extension LocalTree {
    /// What an entry wants of who may see a file, and what they may do there so far.
    fileprivate func wishes(of plan: SharePlan) throws -> [(wish: ShareWish, held: ShareMode)] {
        let grants = plan.push.entry.groups.flatMap(\.grants).filter { $0.file == plan.file }
        return try wishes().filter { wish in
            wish.file == plan.file
                && grants.contains {
                    AccountID($0.grantee) == wish.grantee && $0.mode == wish.mode
                }
        }.map { ($0, try grant(of: $0.file, to: $0.grantee)?.mode ?? ShareMode.none) }
    }
}

extension Sync {
    /// Does without what the server refuses of who may see a file; everything else goes on.
    ///
    /// Who blocked this account, has too many offers to answer or is gone is not offered it again
    /// until it is asked for again. All else is wanted as before, and the next sync tries it again:
    /// who is not known may not have come back yet to a server that was put back, and what takes a
    /// right away is not for the server to end. As long as it is not taken, nothing is pushed that
    /// somebody would read who is to be out. `send` let go of the entry.
    /// - Parameter isForetold: whether that is what a dry run knows of the last sync.
    mutating func refuse(
        _ plan: SharePlan,
        _ error: any Error,
        _ reason: String,
        isForetold: Bool = false
    ) throws {
        let all = try store.read { try $0.wishes(of: plan) }
        guard !all.isEmpty else { throw error }
        let grantee = error as? RefusedGrantee
        let named = all.filter {
            $0.wish.grantee == grantee?.account && $0.wish.file == grantee?.file
        }
        // What it names besides was not asked for now: nothing of this entry can be done.
        for (wish, held) in named.isEmpty ? all : named {
            let isOver = !named.isEmpty && grantee?.cause == .unwanted && wish.mode > held
            if isOver {
                try store.write { try $0.forget(wish) }
            } else {
                putOff[wish.file, default: []].insert(wish.grantee)
            }
            if wish.mode == .none, !isForetold {
                try store.write { try $0.mark(wish, .refusal) }
            }
            let reason = isOver ? reason : "\(reason); the next sync tries again"
            try noteRefused(wish, held, reason)
        }
    }

    /// Does in a dry run without what could not be taken back before: whether it can be now, only
    /// the server knows.
    /// - Returns: whether this is such an entry.
    mutating func refuseAgain(_ plan: SharePlan) throws -> Bool {
        let obstacles = try store.read {
            try $0.wishes(of: plan).map { $0.wish }.filter { $0.mode == .none }
                .compactMap(\.obstacle)
        }
        guard !obstacles.isEmpty else { return false }
        try store.write { try $0.forgetPending() }
        let reason =
            obstacles.contains(.refusal)
            ? "the server refused it the last time"
            : "what was moved in it could not be synced the last time"
        try refuse(plan, LockbookError.refused(reason: reason), reason, isForetold: true)
        return true
    }

    /// Does without who is not there: the server would not let him in.
    /// - Returns: whether this is such an entry.
    mutating func refuseMissing(_ plan: SharePlan) async throws -> Bool {
        // Another mode for who is in already lets nobody in.
        let joining = try store.read { try $0.wishes(of: plan) }
            .filter { $0.wish.mode > .none && $0.held == .none }.map { $0.wish.grantee }
        guard !joining.isEmpty else { return false }
        try await ask(of: joining, in: plan.push)
        let missing = try missing(among: joining)
        guard !missing.isEmpty else { return false }
        try store.write { try $0.forgetPending() }
        let ended = try endedAccounts()
        for account in missing {
            let isEnded = ended.contains(account)
            // As the server says it where it is sent.
            let refusal = RefusedGrantee(
                file: plan.file,
                account: account,
                cause: isEnded ? .unwanted : .unknown,
                reason: isEnded
                    ? "this account was deleted by its owner" : "there is no such account here"
            )
            let explained = try await explain(refusal)
            try refuse(plan, explained, explained.reason)
        }
        return true
    }

    private mutating func noteRefused(
        _ wish: LocalTree.ShareWish,
        _ held: ShareMode,
        _ reason: String
    ) throws {
        let (path, name) = try store.read {
            (try $0.path(of: wish.file), try $0.username(of: wish.grantee))
        }
        let wanted = wish.mode > .none ? "not \(wish.mode)" : "it is not taken back"
        let note = SyncReport.Note(
            kind: held > .none ? .notChanged : .notShared,
            id: wish.file.description,
            path: path,
            detail: held > .none
                ? "\(name) has \(held) as before, and \(wanted): \(reason)"
                : "with \(name): \(reason)"
        )
        report.note(once: [note])
    }
}
