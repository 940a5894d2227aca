import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

/// Whom the server was asked about: by a dry run before it counts them as let in, and by a sync when
/// it is told that it knows them not.
struct AskedGrantees {
    var asked: Set<AccountID> = []
    /// Who of them has deleted his account.
    var ended: Set<AccountID> = []
    /// Whom of them the server does not know, as after it was put back.
    var unknown: Set<AccountID> = []
    /// Whether somebody else has their names there by now, as far as it was asked.
    var otherKeys: [AccountID: Bool] = [:]
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
            let found = try await holder(of: name)
            // Who makes a grant may say any name in it: that of somebody else tells nothing.
            guard let found, found != account, try contact(account)?.username == name else {
                return
            }
            grantees.unknown.insert(account)
            grantees.otherKeys[account] = true
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
            // That of somebody else, as above.
        }
    }

    /// Who has a name at the server; nil where it shows nothing that this is proved by.
    private func holder(of name: Username) async throws -> AccountID? {
        let answer: Lockbook_V1_AccountResponse = try await server.ask(
            .account,
            Lockbook_V1_AccountRequest.with { $0.username = name.text }
        )
        let certificate = try? AccountCertificate(verifying: Array(answer.certificate))
        return certificate?.username == name ? certificate?.account : nil
    }

    private func contact(_ account: AccountID) throws -> AccountCertificate? {
        try (store.context.accountStore ?? store).read { try $0.contact(account) }
    }

    /// Says of whom the server knows not that somebody else has his name there, if that is so: he does
    /// not come back, and the sync fails of it when all else is done.
    ///
    /// Who blocked the name knows it, and is only told what is not shared.
    mutating func explain(_ refusal: RefusedGrantee) async throws -> RefusedGrantee {
        guard refusal.cause == .unknown, let met = try contact(refusal.account) else {
            return refusal
        }
        if grantees.otherKeys[met.account] == nil {
            // What is no answer to it is left to be said of what was asked for.
            let found = (try? await holder(of: met.username)) ?? nil
            grantees.otherKeys[met.account] = found.map { $0 != met.account } ?? false
        }
        guard grantees.otherKeys[met.account] == true else { return refusal }
        if try !(store.context.accountStore ?? store).read({ try $0.isBlocked(met) }) {
            failures.add(LockbookError.keyChanged(username: met.username.text))
        }
        return RefusedGrantee(
            file: refusal.file,
            account: refusal.account,
            cause: .unknown,
            reason: "the server has other keys under that name than those that were met first"
        )
    }
}
