import LockbookCrypto
import LockbookModel

/// What a share that has another owner now is to everybody else.
extension Sync {
    /// Puts links to what continues a share where those were that led to it.
    mutating func followTransfers() throws {
        guard !store.context.isForeign else { return }
        for ended in try store.read({ try $0.endedShares() }) {
            let old = others.first { $0.store.context.owner == ended.source.owner }
            if try old?.store.read({ try $0.held()[ended.source.file] != nil }) ?? false {
                try store.write { try $0.forgetEnd(of: ended.source) }
                continue
            }
            guard let (target, title, owner) = try continuation(of: ended) else { continue }
            let path = try store.write { tree in
                try tree.forgetEnd(of: ended.source)
                if let link = try tree.links(to: target.owner)[target.file] { return link.path }
                let old = try ended.link.flatMap { try tree.row($0) }
                return try tree.path(of: tree.link(to: target, inPlaceOf: old, named: title))
            }
            try noteTransferred(from: ended.source, to: target, at: path, owner)
        }
        for ended in endedUnlinked where !rejectedBefore.contains(ended.source) {
            guard let (target, _, owner) = try continuation(of: ended) else { continue }
            endedUnlinked.removeAll { $0.source == ended.source }
            // Another device has put the link there, or nobody ever wanted one.
            let link = try store.read { try $0.links(to: target.owner)[target.file] }
            if try link == nil && isBehindLink(target) {
                // What is around it has that owner, too, and is told.
                let id = ended.source.file.description
                try forget { $0.kind == .takenBack && $0.id == id || $0.offer == target }
                continue
            }
            try noteTransferred(from: ended.source, to: target, at: link?.path, owner)
        }
        try noteLetGo()
        // Of the end of what was rejected, or left, nobody wants to hear; but a link may have led to what
        // another account shares under the same id.
        let linked = Set(linksBefore.map(\.target.file))
        let unwanted = Set(rejectedBefore.map(\.file)).subtracting(linked).map(\.description)
        report.notes.removeAll { $0.kind == .takenBack && unwanted.contains($0.id) }
    }

    /// Whether a link to what is around it leads to what another account shares.
    private func isBehindLink(_ target: LinkTarget) throws -> Bool {
        guard let other = others.first(where: { $0.store.context.owner == target.owner }) else {
            return false
        }
        let links = try store.read { try $0.links(to: target.owner) }
        return try other.store.read { tree in
            guard let row = try tree.row(target.file) else { return false }
            return try SharedPath.isReached(tree.nearest(links, above: row).link)
        }
    }

    /// - Parameter path: of the link to it; without one it is an offer.
    private mutating func noteTransferred(
        from source: LinkTarget,
        to target: LinkTarget,
        at path: String?,
        _ owner: String
    ) throws {
        try noteNews(.transferred, target.file, path ?? "id:\(target.file)", owner) {
            $0.kind == .takenBack && $0.id == source.file.description
                || path != nil && $0.offer == target
        }
    }

    /// What continues a share, by the offer that stood in it when it ended; nil also where this account
    /// wants nothing of that.
    ///
    /// By any other one its owner gave nothing away: he had taken that back.
    func continuation(of ended: LocalTree.EndedShare) throws
        -> (target: LinkTarget, title: FileName, owner: String)?
    {
        // Most ends have none, and all that others share would be looked through for each.
        guard ended.offer > 0, let found = try continuation(of: ended.source, by: ended.offer)
        else { return nil }
        let isUnwanted = try store.read { tree in
            let owner = found.target.owner
            return try tree.isBlocked(owner)
                || tree.rejected(of: owner).contains(found.target.file)
        }
        return isUnwanted ? nil : found
    }

    /// What continues a share: of several, what comes next after it.
    /// - Parameter offer: for which it was made; without one the last that something was made for.
    func continuation(of source: LinkTarget, by offer: UInt32? = nil) throws
        -> (target: LinkTarget, title: FileName, owner: String)?
    {
        var found: (target: LinkTarget, title: FileName, owner: String)?
        var best: (UInt32, Int) = (0, 0)
        for other in others {
            try other.store.read { tree in
                // What is seen for a share around it alone has no link of its own.
                let held = try tree.held()
                for successor in try tree.successors() where held[successor.row.id] != nil {
                    let steps = successor.sources.firstIndex { $0.offer.source == source }
                    guard let steps else { continue }
                    let number = successor.sources[steps].offer.number
                    guard (number, -steps) > best, offer ?? number == number else { continue }
                    best = (number, -steps)
                    found = (
                        LinkTarget(owner: tree.owner, file: successor.row.id),
                        try tree.ownersName(of: successor.row), try tree.username(of: tree.owner)
                    )
                }
            }
        }
        return found
    }

    /// Tells what another device of this account has let go of since the last sync here, and who has
    /// it now: that may be this account again.
    private mutating func noteLetGo() throws {
        for (file, number) in sharedBefore.sorted(by: { $0.key < $1.key }) {
            let isLetGo = try store.read { tree in
                guard let row = try tree.row(file), try tree.isDead(row) else { return false }
                // Where the server had no room for the address book, nothing is known of the
                // transfer, or not of its end; one that had ended before is another one.
                let transfer = try tree.transfer(of: file)
                return transfer.map { $0.isOpen || $0.number != number } ?? true
            }
            let source = LinkTarget(owner: store.context.owner, file: file)
            guard isLetGo, let (target, path, owner) = try follower(of: source) else { continue }
            sharedBefore[file] = nil
            let id = target.file.description
            // What this device itself let go of was told with that.
            guard !report.notes.contains(where: { $0.kind == .transferred && $0.id == id }) else {
                continue
            }
            report.notes.removeAll { $0.offer == target }
            note(.transferred, target.file, path, owner)
        }
    }

    /// What stands in this account's tree where a share of it stood: a link, or what it has itself.
    private func follower(of source: LinkTarget) throws
        -> (LinkTarget, path: String, owner: String)?
    {
        if let (target, _, owner) = try continuation(of: source),
            let link = try store.read({ try $0.links(to: target.owner)[target.file] })
        {
            return (target, link.path, owner)
        }
        return try store.read { tree in
            try tree.successors().first { $0.number(of: source) != nil }.map {
                (
                    LinkTarget(owner: tree.owner, file: $0.row.id), try tree.path(of: $0.row),
                    account.username
                )
            }
        }
    }

    // MARK: What waits for an owner to let go

    /// Copies of what an account gave to somebody that are no shares of their own yet.
    func copiesAhead(of owner: AccountID) throws -> [LinkTarget] {
        // Few give anything away, and all that all others share would be looked through for each.
        let giver = others.first { $0.store.context.owner == owner }
        guard let giver, try giver.store.read({ try $0.mayGive() }) else { return [] }
        return try others.flatMap { other in
            try other.store.read { tree in
                try tree.successors().compactMap { successor in
                    guard let source = successor.sources.first, source.offer.source.owner == owner,
                        try isAhead(source)
                    else { return nil }
                    return LinkTarget(owner: tree.owner, file: successor.row.id)
                }
            }
        }
    }

    /// When the owner keeps a share after all, the copy that was made of it is one like any other.
    mutating func noteNotAheadAnyMore(_ before: [LinkTarget]) throws {
        for copy in before {
            guard
                let shared = others.first(where: { $0.store.context.owner == copy.owner })?.store,
                let mode = try shared.read({ try $0.held()[copy.file] })
            else { continue }
            try noteOffered([copy.file: mode], in: shared)
        }
    }
}
