import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

extension Sync {
    /// Tells the server how invitations ended, so that it can tell who comes too late, and what this
    /// account thinks of others.
    mutating func tellEnds() async throws {
        guard !options.isDryRun, !store.context.isForeign else { return }
        try await tellOpen()
        let ended = try store.read { try $0.invitations() }.filter {
            try !$0.isTold && $0.entry.state != .open && !isOwed($0)
        }
        for invitation in ended {
            try await keepingApart { sync in
                let _: Lockbook_V1_InviteResponse = try await sync.server.ask(
                    .invite,
                    Lockbook_V1_InviteRequest.with {
                        $0.invitation = Data(invitation.name)
                        $0.state = invitation.entry.state == .takenBack ? .takenBack : .used
                    }
                )
                try sync.store.write { try $0.markTold(invitation.entry.secret) }
            }
        }
        for (account, news) in try store.read({ try $0.acquaintances() }) {
            try await keepingApart { try await $0.tellOrKeep(news, of: account) }
        }
    }

    /// Whether who used an invitation is yet to be let in: when he hears that it is used up, he waits
    /// for nothing any more.
    private func isOwed(_ invitation: OwnInvitation) throws -> Bool {
        let entry = invitation.entry
        guard case .used(let account) = entry.state else { return false }
        guard invitation.owedAfter == nil else { return true }
        let there =
            entry.owner == nil
            ? store : others.first { $0.store.context.owner == entry.owner }?.store
        return try there?.read { try $0.wishes() }
            .contains { $0.file == entry.file && $0.grantee == account && $0.mode > .none } ?? false
    }

    /// Tells a server that was put back of the invitations that somebody can still use.
    ///
    /// Of one that it knows nothing changes by that.
    private mutating func tellOpen() async throws {
        guard try store.read({ try $0.setting(.tellsAnew) }) != nil else { return }
        for invitation in try store.read({ try $0.openInvitations() }) {
            try await keepingApart { sync in
                let _: Lockbook_V1_InviteResponse = try await sync.server.ask(
                    .invite,
                    Lockbook_V1_InviteRequest.with {
                        $0.invitation = Data(invitation.name)
                        $0.expires = invitation.entry.expires.milliseconds
                    }
                )
            }
        }
        try store.write { try $0.set(.tellsAnew, to: nil) }
    }

    /// Tells the server what this account thinks of another one, and keeps that where it refuses.
    ///
    /// Who is not known may come back to a server that was put back, and is told of then. Until
    /// that he offers nothing, so nothing is lost, and nothing need be said.
    private func tellOrKeep(_ news: AcquaintanceNews, of account: AccountID) async throws {
        do { try await tell(news, of: account) } catch let ended as OtherAccountEnded
            where ended.account == account
        {
            // Of who deleted his account nothing more comes, whatever is thought of him.
        } catch is OtherAccountUnknown {
            return
        } catch {
            guard let reason = error.refusal else { throw error }
            let name = try store.read { try $0.username(of: account) }
            throw LockbookError.refused(reason: "what you answered \(name): \(reason)")
        }
        try store.write { try $0.forgetAcquaintance(account) }
    }

    private func tell(_ news: AcquaintanceNews, of account: AccountID) async throws {
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
    }

    /// Makes the links to what invitations promised, where it has come.
    mutating func settleAwaited() throws {
        guard !store.context.isForeign else { return }
        for awaited in try store.read({ try $0.awaited() }) {
            let other = others.first { $0.store.context.owner == awaited.owner }?.store
            // Of a code that is used up nothing more comes than what came, be it less than promised.
            let isUsedUp = vain[awaited.file] == Self.usedUp
            let least = isUsedUp ? ShareMode.read : awaited.mode ?? .read
            let found = try other?.read { tree -> FileName? in
                guard let mode = try tree.held()[awaited.file], mode >= least,
                    let row = try tree.row(awaited.file), !row.isDeleted
                else { return nil }
                return try tree.shownTitle(of: row)
            }
            guard let title = found ?? nil else {
                try giveUp(awaited)
                continue
            }
            let notes = try store.write { try $0.accept(awaited, title) }
            // It is no offer any more; what another account shares under the same id may be one.
            let target = LinkTarget(owner: awaited.owner, file: awaited.file)
            report.notes.removeAll { $0.offer == target }
            report.notes += notes
        }
    }

    private static let usedUp = "it is used up, and lets you in no more"

    /// Waits no longer for what was refused or used up, or for who did not sync in time.
    private mutating func giveUp(_ awaited: LocalTree.Awaited) throws {
        let other = others.first { $0.store.context.owner == awaited.owner }
        // Where something is wrong with what he shares, nobody can say what he gave.
        if let reason = vain[awaited.file], other?.isBroken != true {
            return try stopAwaiting(awaited) { "\($0)'s; \(reason)" }
        }
        guard awaited.expires < environment.now() else { return }
        try stopAwaiting(awaited) { "\($0) let nobody in before the invitation expired" }
    }

    /// Asks again to be let in where this account waits for that, and keeps what is refused by now.
    ///
    /// That is the server's word, by which nothing is lost: what is shared all the same is an offer.
    mutating func askAwaited() async throws {
        guard !options.isDryRun, !store.context.isForeign else { return }
        for awaited in try store.read({ try $0.awaited() }) {
            guard let claim = awaited.claim else { continue }
            do {
                let isUsed = try await server.claim(claim, of: awaited.inviter).isUsed
                vain[awaited.file] = isUsed ? Self.usedUp : nil
            } catch LockbookError.refused(let reason) {
                vain[awaited.file] = "the server says: \(reason)"
            }
        }
    }

    /// - Parameter reason: why, from the name of who invited.
    private mutating func stopAwaiting(
        _ awaited: LocalTree.Awaited,
        because reason: (String) -> String
    ) throws {
        report.notes += try store.write { tree in
            try tree.stopAwaiting(awaited.file)
            return try tree.keepUntold(more: [
                SyncReport.Note(
                    kind: .claimRefused,
                    id: awaited.file.description,
                    path: "id:\(awaited.file)",
                    detail: reason(tree.username(of: awaited.inviter))
                )
            ])
        }
    }
}

extension ServerClient {
    /// Leaves at the server that this account uses an invitation; the same once more changes nothing.
    /// - Returns: the certificate that the server has of who invited, and whether he has acted on it
    ///   by now: who has nothing of him after that gets nothing.
    func claim(_ claim: [UInt8], of inviter: AccountID) async throws
        -> (inviter: AccountCertificate, isUsed: Bool)
    {
        let answer: Lockbook_V1_ClaimResponse = try await ask(
            .claim,
            Lockbook_V1_ClaimRequest.with {
                $0.owner = Data(inviter.hash.bytes)
                $0.claim = Data(claim)
            }
        )
        return (try AccountCertificate(verifying: Array(answer.certificate)), answer.used)
    }
}

extension LocalTree {
    /// Makes the link to what an invitation promised, unless there is one.
    /// - Parameter title: what its owner calls it.
    /// - Returns: that, as the sync tells it; should it be killed before, the next one does.
    fileprivate func accept(_ awaited: Awaited, _ title: FileName) throws -> [SyncReport.Note] {
        try stopAwaiting(awaited.file)
        return try keepUntold(more: [
            SyncReport.Note(
                kind: .accepted,
                id: awaited.file.description,
                path: pathOfLink(to: awaited, title),
                detail: names(of: awaited)
            )
        ])
    }

    private func pathOfLink(to awaited: Awaited, _ title: FileName) throws -> String {
        if let link = try links(to: awaited.owner)[awaited.file] { return link.path }
        let target = LinkTarget(owner: awaited.owner, file: awaited.file)
        do {
            return try path(of: link(to: target, title, at: awaited.destination))
        } catch is LockbookError {
            // Where it should go something else is now, or the folder is gone.
            return try path(of: link(to: target, title, at: nil))
        }
    }

    /// Whose it is, and who invited where that is somebody else.
    fileprivate func names(of awaited: Awaited) throws -> String {
        let owner = try username(of: awaited.owner)
        guard awaited.isByAdmin else { return owner }
        return "\(owner), invited by \(try username(of: awaited.inviter))"
    }
}
