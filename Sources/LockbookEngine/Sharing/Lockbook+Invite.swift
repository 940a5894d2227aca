import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

extension Lockbook {
    /// Invites somebody who has no account yet, or whose name is not known.
    ///
    /// Tells the server that there is an invitation, and not its secret. Who uses the code is let in
    /// by the first sync of this account after that.
    /// - Parameter milliseconds: how long it can be used; from a minute to a year.
    /// - Throws: `.badShare`, `.badInvitation`; what goes wrong with the server.
    public func invite(
        _ reference: FileReference,
        mode: ShareRight,
        lasting milliseconds: Int64
    ) async throws -> Invitation {
        guard (60_000...365 * 86_400_000).contains(milliseconds) else {
            throw LockbookError.badInvitation(reason: "it lasts from a minute to 365 days")
        }
        _ = try await withServer { _ = try await $0.register() }
        guard let username = Username(account.username) else {
            throw LockbookError.badUsername(account.username)
        }
        let expires = Timestamp(milliseconds: environment.now().milliseconds + milliseconds)
        let secret = InvitationSecret(random: environment.random)
        let row = try store.write { tree in
            let row: FileRow
            do { row = try tree.shareable(reference) } catch is CrossesLink {
                throw LockbookError.badShare(
                    path: reference.text,
                    reason: "it is another account's, and an invitation is its owner's"
                )
            }
            try tree.sweepInvitations()
            guard try tree.openInvitations().count < AddressBook.maximumInvitationCount else {
                throw LockbookError.badInvitation(
                    reason: "\(AddressBook.maximumInvitationCount) are open already"
                )
            }
            try tree.insert(
                AddressBook.Invitation(
                    secret: secret,
                    file: row.id,
                    mode: mode.mode,
                    expires: expires
                )
            )
            return row
        }
        do {
            try await askServer { client in
                let _: Lockbook_V1_InviteResponse = try await client.ask(
                    .invite,
                    Lockbook_V1_InviteRequest.with {
                        $0.invitation = Data(secret.name)
                        $0.expires = expires.milliseconds
                    }
                )
            }
        } catch {
            try store.write { try $0.forget(secret) }
            throw error
        }
        let code = InvitationCode(
            InvitationTerms(
                owner: store.context.owner,
                file: row.id,
                mode: mode.mode,
                expires: expires
            ),
            secret: secret,
            from: username,
            server: account.server.url
        )
        return Invitation(
            id: secret.name.hex,
            path: try store.read { try $0.path(of: row) },
            mode: mode,
            expires: expires.milliseconds,
            code: code.text
        )
    }

    /// Uses an invitation: leaves at the server who this account is, vouched for with the secret in
    /// the code, and remembers whose keys the code names.
    ///
    /// What it is for is there after the other's next sync and then one here; the link to it is made
    /// by that one.
    /// - Parameter destination: where the link goes, as for `acceptShare`.
    public func acceptInvitation(_ text: String, to destination: String? = nil) async throws
        -> AcceptedInvitation
    {
        let code = try Self.code(text)
        let terms = code.terms
        guard terms.owner != store.context.owner else {
            throw LockbookError.badInvitation(reason: "it is an invitation of this account itself")
        }
        guard terms.expires > environment.now() else {
            throw LockbookError.invitationRefused(reason: "this invitation has expired")
        }
        _ = try await withServer { _ = try await $0.register() }
        let own = try store.read { tree in
            if let known = try tree.known(code.owner.text), known.account != terms.owner {
                throw LockbookError.keyChanged(username: code.owner.text)
            }
            if let destination, let name = try tree.place(for: destination).name,
                let taken = try tree.child(name, of: try tree.place(for: destination).folder)
            {
                throw LockbookError.exists(path: try tree.path(of: taken))
            }
            guard let bytes = try tree.setting(.certificate) else {
                throw LockbookError.notSyncedYet
            }
            return try AccountCertificate(verifying: bytes)
        }
        let claim = InvitationClaim(terms, secret: code.secret, by: own)
        let owner = try await claimed(claim, of: code)
        try store.write { tree in
            try tree.pin(owner)
            try tree.expect(
                LocalTree.Awaited(
                    file: terms.file,
                    owner: terms.owner,
                    expires: terms.expires,
                    destination: destination
                )
            )
        }
        return AcceptedInvitation(
            from: owner.username.text,
            mode: ShareRight(terms.mode),
            expires: terms.expires.milliseconds
        )
    }

    /// Whether a text looks like an invitation's code, and not like an offer's id.
    public static func isInvitation(_ text: String) -> Bool {
        text.lowercased().filter { !$0.isWhitespace }.hasPrefix(InvitationCode.prefix)
    }

    /// Takes an invitation back that nobody has used.
    /// - Parameter prefix: the beginning of its id, four digits at least.
    /// - Returns: nil when no invitation to this file has such an id.
    func takeBack(_ prefix: String, to file: FileID, in tree: LocalTree) throws
        -> AddressBook.Invitation?
    {
        guard prefix.utf8.count >= 4 else { return nil }
        let matches = try tree.invitations().filter {
            $0.entry.file == file && $0.name.hex.hasPrefix(prefix.lowercased())
        }
        guard let found = matches.first else { return nil }
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
    /// - Returns: whose invitation it is, which has to be who the code says.
    private func claimed(_ claim: InvitationClaim, of code: InvitationCode) async throws
        -> AccountCertificate
    {
        let owner: AccountCertificate
        do {
            owner = try await askServer { client in
                let answer: Lockbook_V1_ClaimResponse = try await client.ask(
                    .claim,
                    Lockbook_V1_ClaimRequest.with {
                        $0.owner = Data(code.terms.owner.hash.bytes)
                        $0.claim = Data(claim.bytes)
                    }
                )
                return try AccountCertificate(verifying: Array(answer.certificate))
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
        guard owner.account == code.terms.owner, owner.username == code.owner else {
            throw LockbookError.integrity(
                reason: "the server gives other keys for \(code.owner) than the invitation"
            )
        }
        return owner
    }
}
