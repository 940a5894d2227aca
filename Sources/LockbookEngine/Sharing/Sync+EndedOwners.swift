import LockbookAPI
import LockbookCrypto
import LockbookModel

/// What an account shared that its owner has deleted.
///
/// A server that says so has to show what the owner signed. Then all of it is over as what was taken back
/// is, for good.
extension Sync {
    /// Takes in that the owner of this log has deleted his account.
    /// - Throws: `VerificationFailure` when it is not he who says so.
    func takeEnd(_ bytes: [UInt8]) throws {
        let end = try AccountEnd(verifying: bytes, of: owner)
        guard store.context.isForeign else {
            throw LockbookError.accountDeleted(
                username: account.username,
                time: end.created.milliseconds
            )
        }
        try store.write { try $0.endOwner(end) }
    }

    /// Who has deleted his account, of those whose logs are followed and whom a dry run asked about.
    func endedAccounts() throws -> Set<AccountID> {
        guard !store.context.isForeign else { return endedElsewhere.union(grantees.ended) }
        let ended = try others.filter { try $0.store.read { try $0.isOwnerGone() } }
        return grantees.ended.union(ended.map(\.store.context.owner))
    }
}

extension LocalTree {
    /// Whether the owner of this tree is known to have deleted his account.
    func isOwnerGone() throws -> Bool {
        try isForeign && setting(.ownerEnd) != nil
    }

    func endOwner(_ end: AccountEnd) throws {
        try set(.ownerEnd, to: end.bytes)
        // Nobody is there any more to whom something could be sent.
        try forgetPending()
        for wish in try wishes() { try forget(wish) }
    }
}
