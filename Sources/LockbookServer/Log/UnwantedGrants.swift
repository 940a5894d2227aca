import LockbookCrypto
import LockbookModel

extension MetadataReading {
    /// Refuses a grant that calls an account by another name than its own: people take it out by
    /// that name.
    func refuseMisnamed(_ grants: [Grant], by author: AccountID) throws {
        for grant in grants where grant.grantor == author {
            guard let grantee = try account(id: AccountID(grant.grantee)) else { continue }
            guard grant.granteeName.text == grantee.username else {
                throw Refusal(.notPermitted, "the account of a grant has another name", of: grant)
            }
        }
    }

    /// Refuses grants to accounts that are not here, that blocked the owner or who lets them in, or of which there would
    /// be more than a device can follow, or than somebody wants from strangers.
    ///
    /// A grant to who holds one already is no new offer.
    func refuseUnwanted(_ grants: [Grant], of owner: StoredAccount) throws {
        var offers = NewOffers()
        for grant in grants where grant.mode > .none {
            let grantee = AccountID(grant.grantee)
            if try mode(of: grantee, on: grant.file, in: owner.key) > .none { continue }
            let recipient = try recipient(of: grant)
            let logs = try offers.logs(sharedWith: grantee, in: self)
            try refuseTooMany(grant, of: owner, to: logs, &offers)
            let isStranger = try isStranger(owner, offering: grant, to: recipient)
            guard isStranger, !logs.contains(owner.key), !offers.strangers.contains(grantee)
            else { continue }
            try refuseStranger(owner, offering: grant, &offers)
            offers.strangers.insert(grantee)
        }
    }

    private func recipient(of grant: Grant) throws -> StoredAccount {
        let grantee = AccountID(grant.grantee)
        if let recipient = try account(id: grantee) { return recipient }
        // There is nobody who could come back.
        if try end(of: grantee) != nil {
            throw Refusal(.notPermitted, "this account was deleted by its owner", of: grant)
        }
        throw Refusal(.notFound, "there is no such account here", of: grant)
    }

    /// Refuses what is more than a device can follow.
    /// - Parameter logs: those in which something is shared with the recipient.
    private func refuseTooMany(
        _ grant: Grant,
        of owner: StoredAccount,
        to logs: [AccountKey],
        _ offers: inout NewOffers
    ) throws {
        let grantee = AccountID(grant.grantee)
        guard logs.contains(owner.key) || logs.count < ShareLimits.owners else {
            throw Refusal(.tooLarge, "too many people share with this account already", of: grant)
        }
        let count = try offers.counts[grantee] ?? grantCount(to: grantee, in: owner.key)
        guard count < ShareLimits.grants else {
            throw Refusal(.tooLarge, "too much is shared with this account already", of: grant)
        }
        offers.counts[grantee] = count + 1
        let members = try offers.members[grant.file] ?? memberCount(of: grant.file, in: owner.key)
        guard members < ShareLimits.members else {
            throw Refusal(.tooLarge, "this is shared with too many accounts already", of: grant)
        }
        offers.members[grant.file] = members + 1
    }

    /// Whether the recipient said nothing yet of whose files these are.
    private func isStranger(
        _ owner: StoredAccount,
        offering grant: Grant,
        to recipient: StoredAccount
    ) throws -> Bool {
        // An admin speaks for the owner, but in what he writes there it is he who is heard.
        if grant.grantor != owner.id,
            try acquaintance(of: recipient.key, with: grant.grantor) == .blocked
        {
            throw Refusal(.notPermitted, "this account takes no offers of yours", of: grant)
        }
        switch try acquaintance(of: recipient.key, with: owner.id) {
        case .blocked:
            throw Refusal(.notPermitted, "this account takes no offers of yours", of: grant)
        case .known: return false
        case .unknown: return true
        }
    }

    private func refuseStranger(
        _ owner: StoredAccount,
        offering grant: Grant,
        _ offers: inout NewOffers
    ) throws {
        let waiting = try strangerCount(sharingWith: AccountID(grant.grantee))
        guard waiting < ShareLimits.strangersPerRecipient else {
            throw Refusal(
                .tooLarge,
                "too many offers wait for an answer of this account already",
                of: grant
            )
        }
        let most =
            grant.grantor == owner.id
            ? ShareLimits.strangersPerSender : ShareLimits.strangersOfAdmins
        let waitingHere = try offers.waitingBefore ?? strangerCount(in: owner.key)
        offers.waitingBefore = waitingHere
        guard waitingHere + offers.strangers.count < most else {
            throw Refusal(
                .tooLarge,
                "too many offers of yours wait for an answer already",
                of: grant
            )
        }
    }
}

/// What a push offers that was not offered before it, as far as it was looked at.
///
/// Each is asked for once in a push: the store looks at every grant that there ever was for it, while nobody else
/// can write.
private struct NewOffers {
    /// How many grants there are then, by account.
    var counts: [AccountID: Int] = [:]
    /// How many accounts are let in then, by file.
    var members: [FileID: Int] = [:]
    /// Accounts that said nothing of the owner yet.
    var strangers: Set<AccountID> = []
    /// How many such accounts there were before the push.
    var waitingBefore: Int?
    private var logs: [AccountID: [AccountKey]] = [:]

    mutating func logs(sharedWith account: AccountID, in store: some MetadataReading) throws
        -> [AccountKey]
    {
        if let known = logs[account] { return known }
        let found = try store.logs(sharedWith: account)
        logs[account] = found
        return found
    }
}
