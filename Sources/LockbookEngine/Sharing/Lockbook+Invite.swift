import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

extension Lockbook {
    /// How long an invitation can be used, in milliseconds: from a minute to 365 days.
    public static let invitationSpan: ClosedRange<Int64> = 60_000...365 * 86_400_000

    /// Invites somebody who has no account yet, or whose name is not known, to a file of this account
    /// or to what another one shares of which this one is an admin.
    ///
    /// Tells the server that there is an invitation, and not its secret. Who uses the code is let in
    /// by the first sync of this account after that.
    /// - Parameter milliseconds: how long it can be used; in `invitationSpan`.
    /// - Throws: `.badShare`, `.ownersToShare`, `.badInvitation`; what goes wrong with the server.
    public func invite(
        _ reference: FileReference,
        mode: ShareRight,
        lasting milliseconds: Int64
    ) async throws -> Invitation {
        guard Self.invitationSpan.contains(milliseconds) else {
            throw LockbookError.badInvitation(reason: "it lasts from a minute to 365 days")
        }
        _ = try await withServer { _ = try await $0.register() }
        guard let username = Username(account.username) else {
            throw LockbookError.badUsername(account.username)
        }
        let expires = Timestamp(milliseconds: environment.now().milliseconds + milliseconds)
        let secret = InvitationSecret(random: environment.random)
        let (target, path, deleted) = try invitable(reference, mode)
        let isOwn = target.owner == store.context.owner
        try note(
            AddressBook.Invitation(
                secret: secret,
                owner: isOwn ? nil : target.owner,
                file: target.file,
                mode: mode.mode,
                expires: expires
            )
        )
        do {
            try await tellServer(of: secret, until: expires)
            // What failed is no command, and hides none from `undo`.
            try store.changeShares { _ in }
        } catch {
            try store.write { try $0.forget(secret) }
            throw error
        }
        let code = InvitationCode(
            InvitationTerms(
                owner: target.owner,
                inviter: store.context.owner,
                file: target.file,
                mode: mode.mode,
                expires: expires
            ),
            secret: secret,
            from: username,
            server: account.server.url
        )
        return Invitation(
            id: secret.name.hex,
            file: target.file.description,
            path: path,
            owner: try isOwn ? nil : store.read { try $0.username(of: target.owner) },
            mode: mode,
            expires: expires.milliseconds,
            code: code.text,
            deleted: deleted
        )
    }

    /// Notes an invitation, of which only so many may be open.
    private func note(_ invitation: AddressBook.Invitation) throws {
        try store.write { tree in
            try tree.sweepInvitations()
            guard try tree.openInvitations().count < AddressBook.maximumInvitationCount else {
                throw LockbookError.badInvitation(
                    reason: "\(AddressBook.maximumInvitationCount) are open already"
                )
            }
            try tree.insert(invitation)
        }
    }

    /// What somebody may be invited to, its path, and how many deleted files are in it.
    private func invitable(
        _ reference: FileReference,
        _ mode: ShareRight
    ) throws -> (LinkTarget, String, Int) {
        func terms(_ row: FileRow, in tree: LocalTree) throws -> (LinkTarget, String, Int) {
            let target = LinkTarget(owner: tree.owner, file: row.id)
            return (target, try tree.path(of: row), try tree.countTrash(below: row))
        }
        return try across(reference) {
            try store.read { try terms($0.shareable(reference), in: $0) }
        } there: { place in
            let (target, path, deleted) = try place.lockbook.store.read {
                try terms($0.requireAdmin(of: place, granting: mode), in: $0)
            }
            return (target, place.own(path), deleted)
        }
    }

    private func tellServer(of secret: InvitationSecret, until expires: Timestamp) async throws {
        try await askServer { client in
            let _: Lockbook_V1_InviteResponse = try await client.ask(
                .invite,
                Lockbook_V1_InviteRequest.with {
                    $0.invitation = Data(secret.name)
                    $0.expires = expires.milliseconds
                }
            )
        }
    }

    /// Takes an invitation back that nobody has used.
    /// - Parameters:
    ///   - prefix: the beginning of its id, four digits at least.
    ///   - owner: whose the file is; nil for this account.
    ///   - tree: this account's own.
    /// - Returns: nil when no invitation to this file has such an id.
    /// - Throws: `.noInvitation` for one that was taken back before, unless somebody is called so whom
    ///   this device met.
    func takeBack(
        _ prefix: String,
        to file: FileID,
        of owner: AccountID? = nil,
        in tree: LocalTree
    ) throws -> AddressBook.Invitation? {
        guard prefix.utf8.count >= 4 else { return nil }
        let known = try tree.invitations().filter {
            $0.entry.file == file && $0.entry.owner == owner
                && $0.name.hex.hasPrefix(prefix.lowercased())
        }
        let matches = known.filter { $0.entry.state != .takenBack }
        guard let found = matches.first else {
            guard try known.isEmpty || tree.contact(named: prefix) != nil else {
                throw LockbookError.noInvitation(id: prefix)
            }
            return nil
        }
        guard matches.count == 1 else {
            throw LockbookError.ambiguous(prefix: prefix, matches: matches.map(\.name.hex))
        }
        if case .used(let account) = found.entry.state {
            throw LockbookError.invitationRefused(
                reason: "it was used by \(try tree.username(of: account)); "
                    + "`lockbook share revoke` with that name takes the share back"
            )
        }
        try tree.set(.takenBack, of: found.entry.secret)
        return found.entry
    }
}
