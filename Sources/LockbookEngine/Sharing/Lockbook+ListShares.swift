import LockbookCrypto
import LockbookModel

/// Who sees what: of this account, and of what others share with it.
extension Lockbook {
    /// Who may see a file, or any of this account's; by path and name.
    public func shares(of reference: FileReference? = nil) throws -> [ShareInfo] {
        func sorted(_ shares: [ShareInfo]) -> [ShareInfo] {
            shares.sorted { ($0.path, $0.username) < ($1.path, $1.username) }
        }
        guard let reference else {
            return sorted(try ownShares(of: nil).map(\.share) + listInvitations())
        }
        return try across(reference) {
            let file = try store.read { try $0.requireOwn(reference).id }
            let target = LinkTarget(owner: store.context.owner, file: file)
            return sorted(try ownShares(of: file).map(\.share) + listInvitations(to: target))
        } there: { place in
            let other = place.lockbook
            let file = try other.store.read { try $0.requireOwn(place.reference).id }
            let target = LinkTarget(owner: other.store.context.owner, file: file)
            let shares = try told(other.ownShares(of: file), by: other).map { share in
                var share = share
                share.path = place.own(share.path)
                return share
            }
            return sorted(try shares + listInvitations(to: target))
        }
    }

    /// What others share with this account, and where it is an admin who else may see it; by path and
    /// name.
    /// - Parameter unread: gets the links behind which cannot be looked, and why.
    public func sharesOfOthers(
        unread: ((path: String, reason: LockbookError)) -> Void = { _ in }
    ) throws -> [ShareInfo] {
        let (owners, byOwner) = try store.read { (try $0.followed(), try $0.linksByOwner()) }
        func shares(by owner: AccountID) throws -> [ShareInfo] {
            guard let other = try shared(by: owner) else { return [] }
            let links = byOwner[owner] ?? [:]
            let isBlocked = try store.read { try $0.isBlocked(owner) }
            let shares = try other.ownShares(of: nil)
            let (seen, places) = try other.store.read { tree in
                let held = try tree.held()
                var rights = KnownRights()
                let seen = try shares.filter { part in
                    guard let file = FileID(hex: part.share.id) else { return false }
                    // Of who is blocked what was accepted stays, and nothing else is shown.
                    if isBlocked, try !tree.isBehind(links, file) { return false }
                    let isAdmin = try tree.right(in: file, &rights) == .admin
                    guard part.account == store.context.author else { return isAdmin }
                    // Also what is shared by itself inside of what was accepted: more may hold there.
                    return try held[file] != nil && (isAdmin || tree.isBehind(links, file))
                }
                return (seen, try LinkedPlaces(links, in: tree))
            }
            return try told(seen, by: other).map { share in
                var share = share
                share.path = places.own(share.path)
                return share
            }
        }
        let shut = UnreadTrees()
        let found = try owners.flatMap { owner in
            try shut.ask(owner) { try shares(by: owner) } ?? []
        }
        try store.read { try shut.tell(in: $0, unread) }
        return found.sorted { ($0.path, $0.username) < ($1.path, $1.username) }
    }

    /// What the account may do more with a folder around a share: the higher right holds.
    public func widerShare(around share: ShareInfo) throws -> ShareInfo? {
        let all = try shares() + sharesOfOthers()
        return all.first { other in
            guard other.username == share.username, other.state != .takingBack else { return false }
            return other.mode.mode > share.mode.mode && share.path.isBelow(other.path)
        }
    }

    /// Parts in what another account shares, with its owner; of this account's own it is the owner
    /// whose keys were compared.
    private func told(_ parts: [Part], by other: Lockbook) throws -> [ShareInfo] {
        let owner = other.store.context.owner
        let name = try other.store.read { try $0.username(of: owner) }
        // Whose keys were compared stands in this account's own store.
        return try store.read { tree in
            try parts.map { part in
                var share = part.share
                share.owner = name
                let compared = part.account == store.context.author ? owner : part.account
                share.verified = try tree.isVerified(compared)
                return share
            }
        }
    }

    private struct Part {
        var share: ShareInfo
        let account: AccountID
    }

    private func ownShares(of only: FileID?) throws -> [Part] {
        try store.read { tree in
            var found: [Part] = []
            var wishes = try tree.wishes()
            for grant in try tree.allGrants() where grant.mode > .none {
                let index = wishes.firstIndex {
                    $0.file == grant.file && $0.grantee == AccountID(grant.grantee)
                }
                let wish = index.map { wishes.remove(at: $0) }
                // In the trash nobody sees it; it is shared again when it comes back.
                guard let row = try tree.row(grant.file), try !tree.isDead(row) else { continue }
                let isTakenBack = wish?.mode == ShareMode.none
                let account = AccountID(grant.grantee)
                let share = ShareInfo(
                    id: grant.file.description,
                    path: try tree.path(of: grant.file),
                    username: try tree.username(of: account),
                    mode: ShareRight(isTakenBack ? grant.mode : wish?.mode ?? grant.mode),
                    since: grant.created.milliseconds,
                    verified: try tree.isVerified(account),
                    state: wish == nil ? .shared : isTakenBack ? .takingBack : .waiting
                )
                found.append(Part(share: share, account: account))
            }
            for wish in wishes where wish.mode > .none {
                let share = ShareInfo(
                    id: wish.file.description,
                    path: try tree.path(of: wish.file),
                    username: try tree.username(of: wish.grantee),
                    mode: ShareRight(wish.mode),
                    since: nil,
                    verified: try tree.isVerified(wish.grantee),
                    state: .waiting
                )
                found.append(Part(share: share, account: wish.grantee))
            }
            for index in found.indices {
                guard let file = FileID(hex: found[index].share.id),
                    let transfer = try tree.transfer(of: file), transfer.isOpen,
                    transfer.heir == found[index].account
                else { continue }
                found[index].share.transfer = true
            }
            return found.filter { only == nil || $0.share.id == only?.description }
        }
    }
}

extension LocalTree {
    /// Whether a shared file, or one around it, is what a link leads to.
    fileprivate func isBehind(_ links: [FileID: ShareLink], _ file: FileID) throws -> Bool {
        try PageView(tree: self).scopes(around: file).contains { links[$0] != nil }
    }
}
