import LockbookCrypto
import LockbookModel

extension MetadataReading {
    /// Refuses a grant that calls an account by another name than its own: people take it out by
    /// that name.
    func refuseMisnamed(_ grants: [Grant], by author: AccountID) throws {
        for grant in grants where grant.grantor == author {
            guard let grantee = try account(id: AccountID(grant.grantee)) else { continue }
            let name = try AccountCertificate(verifying: grantee.certificate).username
            guard grant.granteeName == name else {
                throw Refusal(.notPermitted, "the account of a grant has another name", of: grant)
            }
        }
    }

    /// Refuses grants to accounts that are not here, that blocked the owner or who lets them in, or of which there would
    /// be more than a device can follow, or than somebody wants from strangers.
    ///
    /// A grant to who holds one already is no new offer.
    func refuseUnwanted(_ grants: [Grant], of owner: StoredAccount) throws {
        var strangers: Set<AccountID> = []
        var offered: [AccountID: Int] = [:]
        var joining: [FileID: Int] = [:]
        for grant in grants where grant.mode > .none {
            let grantee = AccountID(grant.grantee)
            let isHeld = try memberships(of: grantee, in: owner.key).contains {
                $0.file == grant.file && $0.superseded == nil && $0.mode > .none
            }
            if isHeld { continue }
            guard let recipient = try account(id: grantee) else {
                // There is nobody who could come back.
                if try end(of: grantee) != nil {
                    throw Refusal(.notPermitted, "this account was deleted by its owner", of: grant)
                }
                throw Refusal(.notFound, "there is no such account here", of: grant)
            }
            let logs = try logs(sharedWith: grantee)
            guard logs.contains(owner.key) || logs.count < ShareLimits.owners else {
                throw Refusal(
                    .tooLarge,
                    "too many people share with this account already",
                    of: grant
                )
            }
            let count = try grantCount(to: grantee, in: owner.key) + offered[grantee, default: 0]
            guard count < ShareLimits.grants else {
                throw Refusal(.tooLarge, "too much is shared with this account already", of: grant)
            }
            offered[grantee, default: 0] += 1
            let members =
                try memberCount(of: grant.file, in: owner.key)
                + joining[grant.file, default: 0]
            guard members < ShareLimits.members else {
                throw Refusal(.tooLarge, "this is shared with too many accounts already", of: grant)
            }
            joining[grant.file, default: 0] += 1
            // An admin speaks for the owner, but in what he writes there it is he who is heard.
            if grant.grantor != owner.id,
                try acquaintance(of: recipient.key, with: grant.grantor) == .blocked
            {
                throw Refusal(.notPermitted, "this account takes no offers of yours", of: grant)
            }
            switch try acquaintance(of: recipient.key, with: owner.id) {
            case .blocked:
                throw Refusal(.notPermitted, "this account takes no offers of yours", of: grant)
            case .known: continue
            case .unknown: break
            }
            guard !logs.contains(owner.key), !strangers.contains(grantee) else { continue }
            guard
                try strangerCount(sharingWith: grantee) < ShareLimits.strangersPerRecipient
            else {
                throw Refusal(
                    .tooLarge,
                    "too many offers wait for an answer of this account already",
                    of: grant
                )
            }
            let most =
                grant.grantor == owner.id
                ? ShareLimits.strangersPerSender : ShareLimits.strangersOfAdmins
            guard try strangerCount(in: owner.key) + strangers.count < most else {
                throw Refusal(
                    .tooLarge,
                    "too many offers of yours wait for an answer already",
                    of: grant
                )
            }
            strangers.insert(grantee)
        }
    }
}
