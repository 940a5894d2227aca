import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

extension Sync {
    /// Lets those in who used an invitation of this account: each once, in time, and with the keys
    /// that the secret's holder vouched for.
    ///
    /// The grants themselves are made like any other.
    mutating func takeClaims() throws {
        let waiting = claims
        claims = []
        for bytes in waiting {
            do { try takeClaim(try InvitationClaim(bytes)) } catch {
                failure = failure ?? Self.failure(error)
            }
        }
    }

    private mutating func takeClaim(_ claim: InvitationClaim) throws {
        let noted = try store.write { tree -> SyncReport.Note? in
            // One that another device made, which the log does not have yet, is that device's.
            guard
                let invitation = try tree.invitations().first(where: {
                    $0.name == claim.invitation
                })?.entry, invitation.state == .open
            else { return nil }
            let terms = InvitationTerms(
                owner: tree.owner,
                file: invitation.file,
                mode: invitation.mode,
                expires: invitation.expires
            )
            do { try claim.verify(terms, secret: invitation.secret) } catch {
                throw LockbookError.integrity(
                    reason: "somebody without its secret uses an invitation"
                )
            }
            let other = claim.certificate
            func note(_ kind: SyncReport.Note.Kind, _ detail: String) throws -> SyncReport.Note {
                let row = try tree.row(invitation.file)
                return SyncReport.Note(
                    kind: kind,
                    id: invitation.file.description,
                    path: try row.map { try tree.path(of: $0) } ?? "id:\(invitation.file)",
                    detail: detail
                )
            }
            func refuse(_ reason: String) throws -> SyncReport.Note {
                try tree.set(.takenBack, of: invitation.secret)
                return try note(.claimRefused, "\(other.username): \(reason)")
            }
            guard other.account != tree.owner else { return nil }
            guard invitation.expires > tree.environment.now() else {
                return try refuse("the invitation had expired")
            }
            do {
                guard let row = try tree.row(invitation.file), try !tree.isDead(row) else {
                    return try refuse("it is deleted")
                }
                _ = try tree.shareable(.id(prefix: row.id.description))
            } catch LockbookError.badShare(_, let reason) {
                return try refuse(reason)
            }
            try tree.pin(other)
            let held = try tree.grants(of: invitation.file).first {
                AccountID($0.grantee) == other.account
            }
            if held?.mode ?? .none < invitation.mode {
                try tree.wish(
                    LocalTree.ShareWish(
                        file: invitation.file,
                        grantee: other.account,
                        mode: invitation.mode
                    )
                )
            }
            try tree.set(.used(by: other.account), of: invitation.secret)
            return try note(.joined, "\(other.username), \(ShareRight(invitation.mode))")
        }
        if let noted { report.notes.append(noted) }
    }

    /// Tells the server how invitations ended, so that it can tell who comes too late, and what this
    /// account thinks of others.
    mutating func tellEnds() async throws {
        guard !options.isDryRun, !store.context.isForeign else { return }
        let ended = try store.read { try $0.invitations() }.filter {
            !$0.isTold && $0.entry.state != .open
        }
        for invitation in ended {
            let _: Lockbook_V1_InviteResponse = try await server.ask(
                .invite,
                Lockbook_V1_InviteRequest.with {
                    $0.invitation = Data(invitation.name)
                    $0.state = invitation.entry.state == .takenBack ? .takenBack : .used
                }
            )
            try store.write { try $0.markTold(invitation.entry.secret) }
        }
        for (account, news) in try store.read({ try $0.acquaintances() }) {
            let _: Lockbook_V1_AcquaintResponse = try await server.ask(
                .acquaint,
                Lockbook_V1_AcquaintRequest.with {
                    $0.account = Data(account.hash.bytes)
                    $0.state =
                        switch news {
                        case .unknown: .unknown
                        case .known: .known
                        case .blocked: .blocked
                        }
                }
            )
            try store.write { try $0.forgetAcquaintance(account) }
        }
    }

    /// Makes the links to what invitations promised, where it has come.
    mutating func settleAwaited() throws {
        guard !store.context.isForeign else { return }
        for awaited in try store.read({ try $0.awaited() }) {
            let other = others.first { $0.store.context.owner == awaited.owner }?.store
            let title = try other?.read { tree -> FileName? in
                guard try tree.held()[awaited.file] != nil,
                    let row = try tree.row(awaited.file), !row.isDeleted
                else { return nil }
                return try tree.ownersName(of: row)
            }
            guard let title = title ?? nil else {
                try lapse(awaited)
                continue
            }
            let target = LinkTarget(owner: awaited.owner, file: awaited.file)
            let path = try store.write { tree in
                try tree.stopAwaiting(awaited.file)
                if let link = try tree.links(to: awaited.owner)[awaited.file] { return link.path }
                do {
                    return try tree.path(of: tree.link(to: target, title, at: awaited.destination))
                } catch is LockbookError {
                    // Where it should go something else is now, or the folder is gone.
                    return try tree.path(of: tree.link(to: target, title, at: nil))
                }
            }
            report.notes.append(
                SyncReport.Note(
                    kind: .accepted,
                    id: awaited.file.description,
                    path: path,
                    detail: try store.read { try $0.username(of: awaited.owner) }
                )
            )
        }
    }

    /// Who did not sync in time lets nobody in any more.
    private mutating func lapse(_ awaited: LocalTree.Awaited) throws {
        guard awaited.expires < environment.now() else { return }
        let name = try store.write { tree in
            try tree.stopAwaiting(awaited.file)
            return try tree.username(of: awaited.owner)
        }
        report.notes.append(
            SyncReport.Note(
                kind: .claimRefused,
                id: awaited.file.description,
                path: "id:\(awaited.file)",
                detail: "\(name) did not sync before the invitation expired"
            )
        )
    }
}
