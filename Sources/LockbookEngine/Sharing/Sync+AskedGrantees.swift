import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

/// Whom a dry run asked the server about before it counts them as let in.
struct AskedGrantees {
    var asked: Set<AccountID> = []
    /// Who of them has deleted his account.
    var ended: Set<AccountID> = []
    /// Whom of them the server does not know, as after it was put back.
    var unknown: Set<AccountID> = []
    /// Whether the server was not there for one, and is asked about no more.
    var isUnanswered = false

    /// More are not asked about in one dry run.
    static let maximumCount = 32
}

extension Sync {
    /// Asks the server, in a dry run, whether those whom an entry lets in are there.
    ///
    /// A sync is told so when it sends the entry. Without an answer the dry run goes by what this
    /// device knows.
    mutating func ask(of joining: [AccountID], in plan: PushPlan) async throws {
        guard options.isDryRun else { return }
        let known = try endedAccounts()
        for grant in plan.entry.groups.flatMap(\.grants) {
            let account = AccountID(grant.grantee)
            guard joining.contains(account), !known.contains(account),
                !grantees.isUnanswered, grantees.asked.count < AskedGrantees.maximumCount,
                grantees.asked.insert(account).inserted
            else { continue }
            try await ask(of: account, named: grant.granteeName)
        }
    }

    /// Those of these accounts that are not there, as far as is known.
    func missing(among accounts: [AccountID]) throws -> [AccountID] {
        let ended = try endedAccounts()
        return accounts.filter { ended.contains($0) || grantees.unknown.contains($0) }
    }

    /// Lets go, in a dry run, of an entry that an earlier sync kept and that lets in who is not there.
    ///
    /// A sync is told so when it sends it again, and lets go of it, too.
    /// - Returns: whether this is such an entry.
    mutating func letGoOfMissing(in plan: PushPlan) async throws -> Bool {
        guard options.isDryRun, plan.onlyGrants else { return false }
        let joining = try store.read { tree in
            try plan.entry.groups.flatMap(\.grants).filter { grant in
                let held = try tree.grant(of: grant.file, to: AccountID(grant.grantee))
                return held.map { $0.mode == .none } ?? true
            }
        }.map { AccountID($0.grantee) }
        try await ask(of: joining, in: plan)
        guard try !missing(among: joining).isEmpty else { return false }
        try store.write { try $0.forgetPending() }
        return true
    }

    private mutating func ask(of account: AccountID, named name: Username) async throws {
        do {
            let _: Lockbook_V1_AccountResponse = try await server.ask(
                .account,
                Lockbook_V1_AccountRequest.with { $0.username = name.text }
            )
        } catch let end as OtherAccountEnded where end.account == account {
            grantees.ended.insert(account)
        } catch is OtherAccountUnknown {
            grantees.unknown.insert(account)
        } catch let error as LockbookError {
            switch error {
            // This account itself may be yet to be told of.
            case .offline, .unavailable, .unknownAccount: grantees.isUnanswered = true
            case .refused: break
            default: throw error
            }
        } catch let error where error is OtherAccountEnded || error.refusal != nil {
            // Who makes a grant may say any name in it: that of somebody else tells nothing.
        }
    }
}
