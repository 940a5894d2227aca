import LockbookCrypto
import LockbookModel

/// Those who used invitations of this account: each is let in once, in time, and with the keys that
/// the secret's holder vouched for.
extension Sync {
    /// Decides about what was brought, and notes it for the log; `grantOwed` does the rest.
    mutating func takeClaims() throws {
        let waiting = claims
        claims = []
        for bytes in waiting {
            do { try takeClaim(try InvitationClaim(bytes)) } catch { failures.add(error) }
        }
        try endVainInvitations()
    }

    private mutating func takeClaim(_ claim: InvitationClaim) throws {
        let noted = try store.write { tree -> SyncReport.Note? in
            // One that another device made, which the log does not have yet, is that device's.
            guard
                let invitation = try tree.invitations().first(where: {
                    $0.name == claim.invitation
                })?.entry, invitation.state == .open
            else { return nil }
            try verify(claim, of: invitation, in: tree)
            let other = claim.certificate
            guard other.account != tree.owner,
                let place = try place(of: invitation, for: other.account, in: tree)
            else { return nil }
            // A sync that is killed before it says so leaves it to the next one.
            func untold(_ kind: SyncReport.Note.Kind, _ detail: String) throws -> SyncReport.Note {
                let note = SyncReport.Note(
                    kind: kind,
                    id: invitation.file.description,
                    path: place.path,
                    detail: "\(other.username)" + detail
                )
                try tree.keepUntold(tree.untoldNotes() + [note])
                return note
            }
            let isLate = invitation.expires <= tree.environment.now()
            let isBlocked = try tree.isBlocked(other)
            let obstacle =
                isLate ? "the invitation had expired" : isBlocked ? "is blocked" : place.obstacle
            if let obstacle {
                try tree.set(.takenBack, of: invitation.secret)
                return try untold(.claimRefused, ": " + obstacle)
            }
            try tree.pin(other)
            try tree.set(
                .used(by: other.account),
                of: invitation.secret,
                owedAfter: place.held?.mode ?? .none < invitation.mode
                    ? place.held?.serial ?? 0 : nil
            )
            return try untold(.joined, ", \(ShareRight(invitation.mode))")
        }
        if let noted { report.notes.append(noted) }
    }

    /// Refuses a claim by whoever has not the invitation's secret.
    private func verify(
        _ claim: InvitationClaim,
        of invitation: AddressBook.Invitation,
        in tree: LocalTree
    ) throws {
        let terms = InvitationTerms(
            owner: invitation.owner ?? tree.owner,
            inviter: tree.owner,
            file: invitation.file,
            mode: invitation.mode,
            expires: invitation.expires
        )
        do { try claim.verify(terms, secret: invitation.secret) } catch {
            // Whoever has the code may do this as well as the server: which it was cannot be told.
            let path = try place(of: invitation, for: claim.certificate.account, in: tree)?.path
            throw LockbookError.integrity(
                reason: "somebody without its secret uses the invitation to "
                    + "\(path ?? "id:\(invitation.file)"), or the server says so: if it says so "
                    + "again, take that one back and make another"
            )
        }
    }

    /// What an invitation is to.
    /// - Returns: nil where that cannot be said: what another account shares is not here, or something
    ///   is wrong with it. The claim waits for a sync that can.
    private func place(
        of invitation: AddressBook.Invitation,
        for account: AccountID,
        in tree: LocalTree
    ) throws -> InvitedPlace? {
        guard let owner = invitation.owner else {
            return try tree.invitedPlace(invitation.file, for: account, behind: [:])
        }
        guard let other = try whole(owner) else { return nil }
        let links = try tree.links(to: owner)
        return try other.read { try $0.invitedPlace(invitation.file, for: account, behind: links) }
    }

    /// What another account shares, where it has come and this sync found nothing wrong with it.
    private func whole(_ owner: AccountID) throws -> LocalStore? {
        guard
            let other = others.first(where: { $0.store.context.owner == owner && !$0.isBroken }),
            try other.store.read({ try $0.head() }) != nil
        else { return nil }
        return other.store
    }

    /// Nobody is let in where this account may not let anybody in any more: who tries is told so.
    private func endVainInvitations() throws {
        for invitation in try store.read({ try $0.openInvitations() }).map(\.entry) {
            guard let owner = invitation.owner, let other = try whole(owner),
                try !other.read({ try $0.mayInvite(to: invitation.file) })
            else { continue }
            try store.write { try $0.set(.takenBack, of: invitation.secret) }
        }
    }

    /// Has those let in who used an invitation, where the log says by now that they did: whatever the
    /// server shows to another device, nobody else is let in for the same one.
    ///
    /// As long as it is owed here nobody is forgotten; the grants themselves are made like any other.
    mutating func grantOwed() throws {
        guard !store.context.isForeign else { return }
        for invitation in try store.read({ try $0.owedInvitations() }) {
            do { try grantOwed(invitation) } catch { failures.add(error) }
        }
    }

    private func grantOwed(_ invitation: OwnInvitation) throws {
        let entry = invitation.entry
        guard case .used(let account) = entry.state, let serial = invitation.owedAfter,
            let there = try entry.owner == nil ? store : entry.owner.flatMap({ try whole($0) }),
            let certificate = try store.read({ tree in
                try tree.agreedBook()?.invitations.contains(entry) ?? false
                    ? tree.contact(account) : nil
            })
        else { return }
        try there.write { tree in
            try tree.pin(certificate)
            // Another device was first, or somebody has decided about him since: that stands.
            guard try tree.grant(of: entry.file, to: account)?.serial ?? 0 == serial,
                try !tree.isLeaving(account, entry.file)
            else { return }
            try tree.wish(
                LocalTree.ShareWish(file: entry.file, grantee: account, mode: entry.mode)
            )
        }
        try store.write { try $0.set(entry.state, of: entry.secret) }
    }
}
