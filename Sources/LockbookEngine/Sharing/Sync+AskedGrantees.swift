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
    mutating func ask(of joining: [AccountID], in plan: SharePlan) async throws {
        guard options.isDryRun else { return }
        let known = try endedAccounts()
        for grant in plan.push.entry.groups.flatMap(\.grants) {
            let account = AccountID(grant.grantee)
            guard joining.contains(account), !known.contains(account),
                !grantees.isUnanswered, grantees.asked.count < AskedGrantees.maximumCount,
                grantees.asked.insert(account).inserted
            else { continue }
            try await ask(of: account, named: grant.granteeName)
        }
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
