import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

extension Lockbook {
    /// Uses an invitation: leaves at the server who this account is, vouched for with the secret in
    /// the code, and remembers whose keys the code names: the inviter's.
    ///
    /// What it is for is there after the other's next sync and then one here; the link to it is made
    /// by that one.
    /// - Parameter destination: where the link goes, as for `acceptShare`.
    public func acceptInvitation(_ text: String, to destination: String? = nil) async throws
        -> AcceptedInvitation
    {
        let code = try Self.code(text)
        let terms = code.terms
        try refuseUseless(terms)
        try refuseShared(destination)
        _ = try await withServer { _ = try await $0.register() }
        let own = try store.read { tree in
            try tree.refuseInviter(in: code)
            if let destination { try tree.refuseTaken(destination) }
            guard let bytes = try tree.setting(.certificate) else {
                throw LockbookError.notSyncedYet
            }
            return try AccountCertificate(verifying: bytes)
        }
        let claim = InvitationClaim(terms, secret: code.secret, by: own)
        let (inviter, isUsed) = try await claimed(claim, of: code)
        // Where the answer to the first claim was lost, he is let in by what was not read yet.
        if isUsed, try await !hasUnread(of: terms.owner) {
            throw LockbookError.invitationRefused(
                reason: "you used this invitation already, and it lets you in no more"
            )
        }
        if terms.isByAdmin { try await welcome(terms.owner) }
        let owner = try store.write { tree in
            try tree.pin(inviter)
            try tree.expect(
                LocalTree.Awaited(
                    file: terms.file,
                    owner: terms.owner,
                    inviter: terms.inviter,
                    expires: terms.expires,
                    mode: terms.mode,
                    destination: destination,
                    claim: claim.bytes
                )
            )
            return terms.isByAdmin ? try tree.name(of: terms.owner) : nil
        }
        return AcceptedInvitation(
            from: inviter.username.text,
            owner: owner,
            mode: ShareRight(terms.mode),
            expires: terms.expires.milliseconds,
            isLetIn: isUsed
        )
    }

    /// Refuses a code that gives nothing: it was used and this account let in, say.
    private func refuseUseless(_ terms: InvitationTerms) throws {
        guard terms.inviter != store.context.owner else {
            throw LockbookError.badInvitation(reason: "it is an invitation of this account itself")
        }
        guard terms.owner != store.context.owner else {
            throw LockbookError.badInvitation(reason: "what it is for is this account's own")
        }
        guard terms.expires > environment.now() else {
            throw LockbookError.invitationRefused(
                reason: "by this device's clock this invitation has expired; is it right?"
            )
        }
        guard let other = try shared(by: terms.owner),
            let mode = try other.store.read({ try $0.held()[terms.file] }), mode >= terms.mode
        else { return }
        guard let link = try store.read({ try $0.links(to: terms.owner)[terms.file] }) else {
            throw LockbookError.invitationHeld(id: terms.file.description)
        }
        throw LockbookError.invitationNotNeeded(path: link.path)
    }

    /// Whether a text looks like an invitation's code, and not like an offer's id.
    public static func isInvitation(_ text: String) -> Bool {
        text.lowercased().filter { !$0.isWhitespace }.hasPrefix(InvitationCode.prefix)
    }

    private static func code(_ text: String) throws -> InvitationCode {
        do { return try InvitationCode(text) } catch {
            switch error {
            case .notACode:
                throw LockbookError.badInvitation(reason: "this is no invitation's code")
            case .checksum:
                throw LockbookError.badInvitation(reason: "the code was mistyped, or is cut off")
            case .newerFormat:
                throw LockbookError.updateNeeded(what: "the invitation is of a newer format")
            }
        }
    }

    /// Leaves a claim at the server.
    /// - Returns: whose invitation it is, which has to be who the code says; and whether he has seen
    ///   that this account used it.
    private func claimed(_ claim: InvitationClaim, of code: InvitationCode) async throws
        -> (inviter: AccountCertificate, isUsed: Bool)
    {
        let answer: (inviter: AccountCertificate, isUsed: Bool)
        do {
            answer = try await askServer { client in
                try await client.claim(claim.bytes, of: code.terms.inviter)
            }
        } catch LockbookError.refused(let reason) {
            let isElsewhere = code.server != account.server.url
            throw LockbookError.invitationRefused(
                reason: reason
                    + (isElsewhere
                        ? "; it is for \(code.server), and this account is on \(account.server.url)"
                        : "")
            )
        }
        guard answer.inviter.account == code.terms.inviter,
            answer.inviter.username == code.inviter
        else {
            throw LockbookError.integrity(
                reason: "the server gives other keys for \(code.inviter) than the invitation"
            )
        }
        return answer
    }

    /// Whether the server has something of what an account shares that this device has not read.
    private func hasUnread(of owner: AccountID) async throws -> Bool {
        var isUnread = false
        if let other = try shared(by: owner), try other.store.read({ try $0.head() }) != nil {
            _ = try await other.withServer { isUnread = try await $0.fate() == .changed }
        } else {
            _ = try await withServer { isUnread = try await $0.isOffered(by: owner) }
        }
        return isUnread
    }

    /// Says that the owner of what an admin invited to is no stranger, as `claim` says of who invites:
    /// what is offered will be the owner's.
    private func welcome(_ owner: AccountID) async throws {
        do {
            try await askServer { client in
                do {
                    let _: Lockbook_V1_AcquaintResponse = try await client.ask(
                        .acquaint,
                        Lockbook_V1_AcquaintRequest.with {
                            $0.account = Data(owner.hash.bytes)
                            $0.state = .known
                        }
                    )
                } catch let ended as OtherAccountEnded where ended.account == owner {
                    throw LockbookError.invitationRefused(
                        reason: "whose folder this invitation is to has deleted his account"
                    )
                }
            }
        } catch LockbookError.refused {
            throw LockbookError.invitationRefused(
                reason: "whose folder this invitation is to has no account on \(account.server.url)"
            )
        }
    }
}

extension LocalTree {
    /// Refuses an invitation where whoever invites had other keys here, or he or the owner is blocked.
    fileprivate func refuseInviter(in code: InvitationCode) throws {
        let terms = code.terms
        if let known = try known(code.inviter.text), known.account != terms.inviter {
            throw LockbookError.keyChanged(username: code.inviter.text)
        }
        for account in [terms.inviter, terms.owner] where try isBlocked(account) {
            throw LockbookError.badInvitation(reason: "\(try name(of: account)) is blocked here")
        }
    }

    /// Refuses a place for a link that something has.
    fileprivate func refuseTaken(_ destination: String) throws {
        let place = try place(for: destination)
        if let name = place.name, let taken = try child(name, of: place.folder) {
            throw LockbookError.exists(path: try path(of: taken))
        }
    }
}
