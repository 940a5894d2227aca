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
                    detail: try store.read { try $0.names(of: awaited) }
                )
            )
        }
    }

    /// Who did not sync in time, or had lost the right to, lets nobody in any more.
    private mutating func lapse(_ awaited: LocalTree.Awaited) throws {
        guard awaited.expires < environment.now() else { return }
        let name = try store.write { tree in
            try tree.stopAwaiting(awaited.file)
            return try tree.username(of: awaited.inviter)
        }
        report.notes.append(
            SyncReport.Note(
                kind: .claimRefused,
                id: awaited.file.description,
                path: "id:\(awaited.file)",
                detail: "\(name) let nobody in before the invitation expired"
            )
        )
    }
}

extension LocalTree {
    /// Whose it is, and who invited where that is somebody else.
    fileprivate func names(of awaited: Awaited) throws -> String {
        let owner = try username(of: awaited.owner)
        guard awaited.isByAdmin else { return owner }
        return "\(owner), invited by \(try username(of: awaited.inviter))"
    }
}
