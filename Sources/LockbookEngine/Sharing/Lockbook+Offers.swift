import GRDB
import LockbookCrypto
import LockbookModel

extension Lockbook {
    /// What others share that has no link in this account's tree, by owner and name.
    ///
    /// It can be listed and read already, as `id:` and its id.
    /// - Parameter unread: gets the links behind which cannot be looked, and why.
    public func offers(
        unread: ((path: String, reason: LockbookError)) -> Void = { _ in }
    ) throws -> [ShareOffer] {
        let shut = UnreadTrees()
        let offers = try offers(shut)
        try store.read { try shut.tell(in: $0, unread) }
        return offers
    }

    /// - Parameter unread: gets those that cannot be looked into.
    func offers(_ unread: UnreadTrees) throws -> [ShareOffer] {
        try received(unread).filter { $0.isOpen }.map(\.offer)
            .sorted { ($0.from, $0.name, $0.id) < ($1.from, $1.name, $1.id) }
    }

    /// Makes a link to what another account shares.
    /// - Parameters:
    ///   - word: an id, or the owner and the name, as `one(_:)` takes it.
    ///   - destination: a folder, or a path; without it the root, under the owner's name.
    public func acceptShare(id word: String, to destination: String? = nil) throws -> FileInfo {
        try acceptShare(try one(word), to: destination)
    }

    func acceptShare(_ found: Received, to destination: String?) throws -> FileInfo {
        if let path = found.takenOver { throw LockbookError.acceptedAlready(path: path) }
        try refuseShared(destination)
        return try store.changeShares { tree in
            // Looked at here, because another process may have made it a moment ago.
            if let link = try tree.links(to: found.target.owner)[found.target.file] {
                throw LockbookError.acceptedAlready(path: link.path)
            }
            let row = try tree.link(
                to: found.target,
                try LocalTree.name(found.offer.name),
                at: destination
            )
            try tree.setRejected(found.target, false)
            try tree.noteAnswer(to: found.target.owner)
            return try tree.info(row, path: try tree.path(of: row))
        }
    }

    /// Nothing of this account's own goes into what others share.
    /// - Throws: `.badShare` where the destination is the id of such a thing.
    func refuseShared(_ destination: String?) throws {
        guard let destination, case .id(let text) = FileReference(destination) else { return }
        let prefix = text.idAndPath.id
        guard !prefix.isEmpty, try store.read({ try $0.rows(idPrefix: prefix).isEmpty }),
            try !received(where: { _, id in id.hasPrefix(prefix) }).isEmpty
        else { return }
        throw LockbookError.badShare(
            path: destination,
            reason: "another account shares it, so it cannot be the destination: that is a folder "
                + "or a path of your own"
        )
    }

    /// Does not show an offer any more; it can be accepted by its id all the same.
    /// - Parameter word: an id, or the owner and the name, as `one(_:)` takes it.
    public func rejectShare(id word: String) throws {
        let found = try one(word)
        if let link = found.link {
            throw LockbookError.badShare(
                path: link,
                reason: "it was accepted; `share leave` gives it up"
            )
        }
        try store.changeShares { tree in
            try tree.setRejected(found.target, true)
            try tree.noteAnswer(to: found.target.owner)
        }
    }

    /// Takes the link to what another account shares away, and does not show it as offered.
    public func leaveShare(_ reference: FileReference) throws {
        try store.changeShares { tree in
            let row: FileRow
            do { row = try tree.find(reference) } catch is CrossesLink {
                throw LockbookError.badShare(
                    path: reference.text,
                    reason: "it is in a share that is given up as a whole, by its link"
                )
            }
            guard let crossing = try tree.crossing(row) else {
                throw LockbookError.badShare(
                    path: try tree.path(of: row),
                    reason: "it is no link to what somebody shares"
                )
            }
            try tree.delete(row)
            try tree.noteDeletion(of: row.id)
            try tree.setRejected(crossing.target, true)
        }
    }

    /// The names of the accounts that this device has met.
    public func contacts() throws -> [String] {
        try store.read { tree in
            try String.fetchAll(tree.db, sql: "SELECT username FROM contact ORDER BY username")
        }
    }

    struct Received {
        let offer: ShareOffer
        let target: LinkTarget
        let link: String?
        let isRejected: Bool
        /// Whether a link to a share around it leads there already.
        let isBehindLink: Bool
        /// That its owner gives it to this account.
        let transfer: TransferOffer?
        /// Where it is that this account took it over already.
        let takenOver: String?
        /// Whether it continues what is there still, until the earlier owner lets go of that.
        let isAhead: Bool

        var isOpen: Bool {
            guard !isRejected, takenOver == nil, !isAhead else { return false }
            return transfer != nil || (link == nil && !isBehindLink)
        }
    }

    /// What others share with this account.
    ///
    /// - Parameters:
    ///   - unread: gets the trees that cannot be looked into.
    ///   - isAsked: by the owner's name and the id: nothing else is opened.
    func received(
        _ unread: UnreadTrees = UnreadTrees(),
        where isAsked: (_ from: String, _ id: String) -> Bool = { _, _ in true }
    ) throws -> [Received] {
        let (owners, byOwner) = try store.read { tree in
            let owners = try tree.followed()
            return (owners, try owners.isEmpty ? [:] : tree.linksByOwner())
        }
        func received(by owner: AccountID) throws -> [Received] {
            guard let other = try shared(by: owner) else { return [] }
            let (isVerified, isBlocked, rejected) = try store.read {
                (try $0.isVerified(owner), try $0.isBlocked(owner), try $0.rejected(of: owner))
            }
            let links = byOwner[owner] ?? [:]
            return try other.store.read { tree in
                let from = try tree.username(of: owner)
                return try tree.held().compactMap { file, mode in
                    guard isAsked(from, file.description),
                        let row = try tree.row(file), try !tree.isDead(row),
                        !isBlocked || links[file] != nil
                    else { return nil }
                    let offered = try tree.offer(on: row)
                    let transfer = try tree.isOfferedWithMore(row) ? nil : offered
                    let source = try tree.mark(of: row)
                        .source(of: LinkTarget(owner: owner, file: file))
                    return Received(
                        offer: ShareOffer(
                            id: file.description,
                            from: from,
                            mode: ShareRight(mode),
                            name: try tree.shownTitle(of: row).text,
                            type: FileInfo.Kind(row.type),
                            verified: isVerified,
                            transfer: transfer != nil
                        ),
                        target: LinkTarget(owner: owner, file: file),
                        link: links[file]?.path,
                        isRejected: rejected.contains(file),
                        isBehindLink: try SharedPath.isReached(
                            tree.nearest(links, above: row).link
                        ),
                        transfer: transfer,
                        takenOver: try offered.flatMap { try takenOver($0, of: row, in: tree) },
                        isAhead: try source.map { try isAhead($0) } ?? false
                    )
                }
            }
        }
        return try owners.flatMap { owner in
            try unread.ask(owner) { try received(by: owner) } ?? []
        }
    }

    /// Where an own file is that continues what another account gave.
    private func takenOver(_ offer: TransferOffer, of row: FileRow, in other: LocalTree) throws
        -> String?
    {
        try store.read { tree in
            try tree.copy(of: offer.source, by: offer.number) { try other.stands(row, in: [$0]) }
                .map { try tree.path(of: $0) }
        }
    }

    private func isAhead(_ succession: Succession) throws -> Bool {
        try succession.isAhead(of: store) { try shared(by: $0)?.store }
    }
}

extension LocalTree {
    /// Where something goes that is for this account alone.
    /// - Throws: `.badShare` where a link leads there.
    func placeOfOwn(for destination: String, of what: String) throws
        -> (folder: FileRow, name: FileName?)
    {
        do { return try place(for: destination) } catch let crossed as CrossesLink {
            throw LockbookError.badShare(
                path: crossed.link,
                reason: "it is shared itself, and \(what) is for this account alone"
            )
        }
    }

    /// Makes the link to what another account shares.
    /// - Parameters:
    ///   - title: what its owner calls it.
    ///   - destination: a folder, or a path; without it the root, under the owner's name.
    func link(to target: LinkTarget, _ title: FileName, at destination: String?) throws -> FileRow {
        let folder: FileRow
        var name = title
        if let destination {
            let place = try placeOfOwn(for: destination, of: "a link")
            folder = place.folder
            if let wanted = place.name { name = wanted }
            if let taken = try child(name, of: folder) {
                throw LockbookError.exists(path: try path(of: taken))
            }
        } else {
            folder = try rootRow()
            name = try freeName(title, in: folder)
        }
        let isShared = try scope(of: folder) != root
        guard !isShared, try !isToBeShared(folder) else {
            throw LockbookError.badShare(
                path: try path(of: folder),
                reason: "it is shared \(isShared ? "itself" : "by the next sync"), and a link is "
                    + "for this account alone"
            )
        }
        var link = try newFile(name, type: .link, in: folder)
        link.target = target
        return try make(link)
    }
}
