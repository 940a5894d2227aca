import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel

extension LockbookServer {
    /// Keeps an invitation's id, or how it ended.
    ///
    /// The end is for sentences and to save the owner work: he himself decides whom he lets in.
    func invite(_ request: Lockbook_V1_InviteRequest, for account: StoredAccount) async throws
        -> Lockbook_V1_InviteResponse
    {
        guard let id = FileID(request.invitation) else {
            throw Refusal(.malformed, "an invitation's id is 16 bytes")
        }
        let now = settings.now() * 1_000
        try await write(of: account) { store in
            let known = try store.invitation(id, of: account.key)
            switch request.state {
            case .open:
                // The same again, whose answer was lost.
                if known?.expires == request.expires { return }
                guard known == nil else {
                    throw Refusal(.nameTaken, "there is another invitation of this id")
                }
                guard request.expires > now else {
                    throw Refusal(
                        .violation,
                        "by this server's clock the invitation is over already; is yours right?"
                    )
                }
                guard request.expires < now + ShareLimits.invitationTime else {
                    throw Refusal(
                        .violation,
                        "it would last for over a year by this server's clock; is yours right?"
                    )
                }
                guard
                    try store.openInvitationCount(of: account.key, at: now)
                        < ShareLimits.invitations
                else { throw Refusal(.tooLarge, "too many invitations are open already") }
                try store.put(
                    StoredInvitation(id: id, expires: request.expires, state: .open, claim: []),
                    of: account.key
                )
                // Without it an account could keep as many rows as it likes: there is no quota for them.
                try store.deleteEndedInvitations(
                    of: account.key,
                    at: now,
                    keeping: ShareLimits.endedInvitations
                )
            case .used, .takenBack:
                guard var known else { return }
                known.state = request.state == .used ? .used : .takenBack
                known.claim = []
                try store.put(known, of: account.key)
            case .UNRECOGNIZED:
                throw Refusal(.malformed, "an invitation has no such state")
            }
        }
        return Lockbook_V1_InviteResponse()
    }

    /// Keeps what somebody says who uses an invitation, until its owner looks at it.
    func claim(_ request: Lockbook_V1_ClaimRequest, for account: StoredAccount) async throws
        -> Lockbook_V1_ClaimResponse
    {
        guard let owner = Hash256(request.owner) else {
            throw Refusal(.malformed, "a hash is 32 bytes")
        }
        let claim = try InvitationClaim(Array(request.claim))
        guard claim.certificate.bytes == account.certificate else {
            throw Refusal(.notPermitted, "an account uses an invitation for itself alone")
        }
        guard let id = FileID(claim.invitation) else {
            throw Refusal(.malformed, "an invitation's id is 16 bytes")
        }
        let now = settings.now() * 1_000
        let (certificate, isUsed) = try await write(of: account) { store -> ([UInt8], Bool) in
            if let ended = try store.end(of: AccountID(hash: owner)) {
                throw Refusal(ended, "whose invitation it is has deleted his account")
            }
            guard let owner = try store.account(id: AccountID(hash: owner)),
                var known = try store.invitation(id, of: owner.key)
            else { throw Refusal(.notFound, "there is no such invitation here any more") }
            switch known.state {
            case .takenBack: throw Refusal(.notPermitted, "this invitation was taken back")
            case .used where known.claimant == account.id:
                // He may not know yet that he was let in.
                return (owner.certificate, true)
            case .used: throw Refusal(.notPermitted, "this invitation was used already")
            case .open: break
            }
            guard known.claimant == nil || known.claimant == account.id else {
                throw Refusal(.notPermitted, "this invitation was used already")
            }
            guard known.expires > now else {
                throw Refusal(.notPermitted, "this invitation has expired")
            }
            guard try store.acquaintance(of: owner.key, with: account.id) != .blocked else {
                throw Refusal(.notPermitted, "whose invitation it is takes nothing of this account")
            }
            known.claim = claim.bytes
            known.claimant = account.id
            try store.put(known, of: owner.key)
            // Who uses an invitation knows whose it is, and wants what is offered.
            if try store.acquaintance(of: account.key, with: owner.id) == .unknown {
                try store.set(.known, of: account.key, with: owner.id)
            }
            return (owner.certificate, false)
        }
        var response = Lockbook_V1_ClaimResponse()
        response.certificate = Data(certificate)
        response.used = isUsed
        return response
    }

    /// Keeps what an account says of another one: it decides what may be offered.
    func acquaint(_ request: Lockbook_V1_AcquaintRequest, for account: StoredAccount)
        async throws -> Lockbook_V1_AcquaintResponse
    {
        guard let other = Hash256(request.account) else {
            throw Refusal(.malformed, "a hash is 32 bytes")
        }
        let state: Acquaintance
        switch request.state {
        case .unknown: state = .unknown
        case .known: state = .known
        case .blocked: state = .blocked
        case .UNRECOGNIZED: throw Refusal(.malformed, "there is no such state")
        }
        try await write(of: account) { store in
            if let ended = try store.end(of: AccountID(hash: other)) { throw Refusal(ended) }
            // Of accounts that are not here nothing is kept: a table of anything is no service.
            guard try store.account(id: AccountID(hash: other)) != nil else {
                throw Refusal(.notFound, "there is no such account here")
            }
            try store.set(state, of: account.key, with: AccountID(hash: other))
        }
        return Lockbook_V1_AcquaintResponse()
    }
}
