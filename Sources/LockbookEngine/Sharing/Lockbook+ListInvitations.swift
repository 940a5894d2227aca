import LockbookCrypto
import LockbookModel

extension Lockbook {
    /// Open invitations of this account, and by which of them somebody waits for the next sync to be
    /// let in.
    func listInvitations(to target: LinkTarget? = nil) throws -> [ShareInfo] {
        try store.read { tree in
            let now = environment.now()
            return try tree.invitations().compactMap { invitation in
                let entry = invitation.entry
                let owner = entry.owner ?? tree.owner
                guard
                    target ?? LinkTarget(owner: owner, file: entry.file)
                        == LinkTarget(owner: owner, file: entry.file)
                else { return nil }
                var name = ""
                switch entry.state {
                case .open where entry.expires > now: break
                case .used(let account) where invitation.owedAfter != nil:
                    name = try tree.username(of: account)
                default: return nil
                }
                let isOpen = entry.state == .open
                return ShareInfo(
                    id: entry.file.description,
                    path: try path(of: entry, in: tree),
                    username: name,
                    mode: ShareRight(entry.mode),
                    since: nil,
                    verified: false,
                    state: isOpen ? .invited : .waiting,
                    invitation: isOpen ? invitation.name.hex : nil,
                    expires: isOpen ? entry.expires.milliseconds : nil
                )
            }
        }
    }

    private func path(of invitation: AddressBook.Invitation, in tree: LocalTree) throws -> String {
        guard let owner = invitation.owner else {
            return try tree.path(of: invitation.file, behind: [:])
        }
        let links = try tree.links(to: owner)
        return try shared(by: owner)?.store.read {
            try $0.path(of: invitation.file, behind: links)
        } ?? "id:\(invitation.file)"
    }

    /// Does not let somebody in who used an invitation, and was to be let in by the next sync.
    /// - Parameters:
    ///   - owner: whose the file is; nil for this account.
    ///   - tree: this account's own.
    /// - Returns: whether there was somebody of this name.
    func keepOut(
        _ username: String,
        of file: FileID,
        of owner: AccountID? = nil,
        in tree: LocalTree
    ) throws -> Bool {
        let owed = try tree.owedInvitations().map(\.entry).filter { entry in
            guard case .used(let account) = entry.state else { return false }
            return try entry.owner == owner && entry.file == file
                && tree.username(of: account) == username
        }
        for entry in owed { try tree.set(entry.state, of: entry.secret) }
        return !owed.isEmpty
    }
}
