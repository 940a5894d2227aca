import LockbookCrypto
import LockbookModel

/// What an invitation is to, as the tree has it that it stands in.
struct InvitedPlace {
    /// In the account's own tree, or behind its link.
    let path: String
    /// Why nobody is let in there.
    let obstacle: String?
    /// The newest grant there to who uses it, also one that took an earlier one back.
    let held: Grant?
}

extension LocalTree {
    /// - Parameter links: those that lead from the account's own tree into this one.
    func invitedPlace(
        _ file: FileID,
        for account: AccountID,
        behind links: [FileID: ShareLink]
    ) throws -> InvitedPlace {
        InvitedPlace(
            path: try path(of: file, behind: links),
            obstacle: try obstacle(to: file, for: account),
            held: try grant(of: file, to: account)
        )
    }

    /// The path of a file, in another account's tree as links lead to it.
    func path(of file: FileID, behind links: [FileID: ShareLink]) throws -> String {
        guard let row = try row(file) else { return "id:\(file)" }
        let path = try path(of: row)
        guard isForeign else { return path }
        let (top, link) = try nearest(links, above: row)
        return link + path.behind(top)
    }

    func grant(of file: FileID, to account: AccountID) throws -> Grant? {
        try grants(of: file).first { AccountID($0.grantee) == account }
    }

    /// Whether somebody decided here that an account is to be out of a share, and it is not yet.
    ///
    /// What this account lost the right to decide is not done.
    func isLeaving(_ account: AccountID, _ file: FileID) throws -> Bool {
        try wishes().contains {
            $0.file == file && $0.grantee == account && $0.mode == .none && !$0.isSettling
                && !$0.isForfeited
        }
    }

    /// Whether this account lets others into a shared file of another one's tree.
    func mayInvite(to file: FileID) throws -> Bool {
        guard let row = try row(file) else { return false }
        return try scope(of: row) == row.id && right(in: row.id) >= .admin
    }

    private func obstacle(to file: FileID, for account: AccountID) throws -> String? {
        if try isLeaving(account, file) { return "you take the share back from that account" }
        if isForeign {
            if account == owner { return "it is that account's own" }
            guard try mayInvite(to: file) else {
                return "you may not let anybody in there any more"
            }
        }
        guard let row = try row(file), try !isDead(row) else { return "it is deleted" }
        guard !isForeign else { return nil }
        do {
            _ = try shareable(.id(prefix: file.description))
            return nil
        } catch LockbookError.badShare(_, let reason) {
            return reason
        }
    }
}
