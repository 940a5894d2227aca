import LockbookModel

/// Who sees what: of this account, and of what others share with it.
extension Lockbook {
    /// Who may see a file, or any of this account's; by path and name.
    public func shares(of reference: FileReference? = nil) throws -> [ShareInfo] {
        func sorted(_ shares: [ShareInfo]) -> [ShareInfo] {
            shares.sorted { ($0.path, $0.username) < ($1.path, $1.username) }
        }
        guard let reference else { return sorted(try ownShares(of: nil) + listInvitations()) }
        return try across(reference) {
            let file = try store.read { try $0.requireOwn(reference).id }
            let target = LinkTarget(owner: store.context.owner, file: file)
            return sorted(try ownShares(of: file) + listInvitations(to: target))
        } there: { place in
            let other = place.lockbook
            let file = try other.store.read { try $0.requireOwn(place.reference).id }
            let target = LinkTarget(owner: other.store.context.owner, file: file)
            let shares = try other.ownShares(of: file).map { share in
                var share = try other.told(share)
                share.path = place.own(share.path)
                return share
            }
            return sorted(try shares + listInvitations(to: target))
        }
    }

    /// What others share with this account, and where it is an admin who else may see it; by path and
    /// name.
    public func sharesOfOthers() throws -> [ShareInfo] {
        try store.read { try $0.followed() }.flatMap { owner -> [ShareInfo] in
            guard let other = try shared(by: owner) else { return [] }
            let links = try store.read { try $0.links(to: owner) }
            let held = try other.store.read { try $0.held() }.filter {
                $0.value == .admin || links[$0.key] != nil
            }
            return try held.keys.flatMap { try other.ownShares(of: $0) }.filter { share in
                share.username == account.username
                    || FileID(hex: share.id).flatMap { held[$0] } == .admin
            }.map { share in
                var share = try other.told(share)
                share.path = SharedPath.own(share.path, links)
                return share
            }
        }
        .sorted { ($0.path, $0.username) < ($1.path, $1.username) }
    }

    /// A part in what another account shares, with its owner; of this account's own it is the owner
    /// whose keys were compared.
    private func told(_ share: ShareInfo) throws -> ShareInfo {
        try store.read { tree in
            var share = share
            share.owner = try tree.username(of: tree.owner)
            if share.username == account.username {
                share.verified = try tree.isVerified(tree.owner)
            }
            return share
        }
    }

    private func ownShares(of only: FileID?) throws -> [ShareInfo] {
        try store.read { tree in
            var found: [ShareInfo] = []
            var wishes = try tree.wishes()
            for grant in try tree.allGrants() where grant.mode > .none {
                let index = wishes.firstIndex {
                    $0.file == grant.file && $0.grantee == AccountID(grant.grantee)
                }
                let wish = index.map { wishes.remove(at: $0) }
                let isTakenBack = wish?.mode == ShareMode.none
                found.append(
                    ShareInfo(
                        id: grant.file.description,
                        path: try tree.path(of: grant.file),
                        username: try tree.username(of: AccountID(grant.grantee)),
                        mode: ShareRight(isTakenBack ? grant.mode : wish?.mode ?? grant.mode),
                        since: grant.created.milliseconds,
                        verified: try tree.isVerified(AccountID(grant.grantee)),
                        state: wish == nil ? .shared : isTakenBack ? .takingBack : .waiting
                    )
                )
            }
            for wish in wishes where wish.mode > .none {
                found.append(
                    ShareInfo(
                        id: wish.file.description,
                        path: try tree.path(of: wish.file),
                        username: try tree.username(of: wish.grantee),
                        mode: ShareRight(wish.mode),
                        since: nil,
                        verified: try tree.isVerified(wish.grantee),
                        state: .waiting
                    )
                )
            }
            for index in found.indices {
                guard let file = FileID(hex: found[index].id),
                    let transfer = try tree.transfer(of: file), transfer.isOpen,
                    try tree.username(of: transfer.heir) == found[index].username
                else { continue }
                found[index].transfer = true
            }
            return found.filter { only == nil || $0.id == only?.description }
        }
    }
}
