import LockbookCrypto
import LockbookModel

extension Lockbook {
    /// Gives a shared file to one of those that it is shared with, for good.
    ///
    /// The next sync tells the other one of it; until that account has accepted, and this one has
    /// synced after that, all stays as it is.
    /// - Throws: `.badTransfer`, `.notShared`, `.ownersToChange`.
    public func transfer(_ reference: FileReference, to username: String) throws -> FileInfo {
        try ofOwnShare(reference) { tree, row in
            let path = try tree.path(of: row)
            func refuse(_ reason: String) -> LockbookError {
                .badTransfer(path: path, reason: reason)
            }
            guard username != account.username else { throw refuse("that is this account itself") }
            let held = try tree.grants(of: row.id).first {
                try $0.mode > .none && tree.username(of: AccountID($0.grantee)) == username
            }
            let wishes = try tree.wishes().filter { $0.file == row.id }
            guard let held,
                !wishes.contains(where: {
                    $0.grantee == AccountID(held.grantee) && $0.mode == .none
                        && (!$0.isSettling || $0.isFinal)
                })
            else { throw LockbookError.notShared(path: path, username: username) }
            guard try !isKnownDeleted(AccountID(held.grantee)) else {
                throw LockbookError.userDeleted(username: username)
            }
            let files = try [row] + tree.sharesInside(row.id)
            for file in files where file.isDamaged {
                throw LockbookError.damaged(file: try tree.path(of: file), author: "")
            }
            if let outer = try tree.shareAround(row.id) {
                throw refuse("it stands in another share, \(try tree.path(of: outer))")
            }
            let known = try tree.transfers().reduce(into: [:]) { $0[$1.file] = $1 }
            for file in files {
                guard let open = known[file.id], open.isOpen else { continue }
                let what = try file.id == row.id ? "it" : "\(tree.path(of: file)), in it,"
                let other = try tree.username(of: open.heir)
                throw refuse(
                    "\(what) is offered to \(other) already; `share transfer --cancel` takes that back"
                )
            }
            let count = known.count + files.count { known[$0.id] == nil }
            guard count <= AddressBook.maximumTransferCount else {
                throw refuse("no more than \(AddressBook.maximumTransferCount) can be")
            }
            for file in files {
                let transfer = AddressBook.Transfer(
                    file: file.id,
                    heir: AccountID(held.grantee),
                    number: (known[file.id]?.number ?? 0) + 1
                )
                try tree.set(transfer)
                try tree.tell(transfer, on: file)
            }
        }
    }

    /// Takes back that a shared file is given away, as long as this account has not let go of it.
    public func cancelTransfer(_ reference: FileReference) throws -> FileInfo {
        try ofOwnShare(reference) { tree, row in
            guard let known = try tree.transfer(of: row.id), known.isOpen else {
                throw LockbookError.badShare(
                    path: try tree.path(of: row),
                    reason: "nobody is offered it"
                )
            }
            let whole = try tree.whole(of: known)
            guard whole == known else {
                let outer = try tree.row(whole.file).map { try tree.path(of: $0) } ?? ""
                throw LockbookError.badShare(
                    path: try tree.path(of: row),
                    reason: "it is given away with what it stands in, \(outer)"
                )
            }
            guard try !tree.mayBeTakenBack(known) else {
                throw LockbookError.badShare(
                    path: try tree.path(of: row),
                    reason: "\(try tree.username(of: known.heir)) has accepted it, and the sync "
                        + "that was cut off may have told everybody; the next one says what has "
                        + "become of it"
                )
            }
            try tree.end(known)
        }
    }

    /// Whether a sync found that an account that shared something with this one was deleted.
    private func isKnownDeleted(_ account: AccountID) throws -> Bool {
        try shared(by: account)?.store.read { try $0.isOwnerGone() } ?? false
    }

    private func ofOwnShare(
        _ reference: FileReference,
        _ body: (LocalTree, FileRow) throws -> Void
    ) throws -> FileInfo {
        try across(reference) {
            try store.changeShares { tree in
                let row = try tree.find(reference)
                if let crossing = try tree.crossing(row) { throw crossing }
                guard row.id != tree.root else { throw LockbookError.root }
                try body(tree, row)
                return try tree.info(row, path: try tree.path(of: row))
            }
        } there: { place in
            let path = try place.lockbook.store.read { try $0.path(of: $0.find(place.reference)) }
            throw LockbookError.ownersToChange(path: path)
        }
    }

    /// Takes what another account offers into this one's tree: a link to what is shared, or, where
    /// its owner gives it away, all of it as files of this account.
    /// - Parameter word: an id, or the owner and the name, as `one(_:)` takes it.
    /// - Throws: what `acceptShare` throws; `.keyChanged`, and `.offline` where somebody is a member
    ///   whom no device of this account has met.
    public func accept(id word: String, to destination: String? = nil) async throws -> FileInfo {
        let found = try one(word)
        guard found.transfer != nil, found.takenOver == nil else {
            return try acceptShare(found, to: destination)
        }
        try refuseShared(destination)
        guard let other = try shared(by: found.target.owner) else {
            throw LockbookError.noOffer(id: found.offer.id)
        }
        let links = try store.read { try $0.links(to: found.target.owner) }
        let places = try other.store.read { try LinkedPlaces(links, in: $0) }
        do {
            return try await takeOver(found, from: other, to: destination)
        } catch let error as LockbookError {
            throw error.renamed(places.own)
        }
    }

    private func takeOver(
        _ found: Received,
        from other: Lockbook,
        to destination: String?
    ) async throws -> FileInfo {
        let top = found.target.file
        try await other.fetch(.id(prefix: top.description))
        let held = try other.store.read { tree in
            try ([top] + tree.sharesInside(top).map(\.id)).flatMap { try tree.grants(of: $0) }
                .filter { $0.mode > .none && AccountID($0.grantee) != tree.author }
        }
        let members = Dictionary(grouping: try await meet(held), by: \.file)
        return try other.store.read { source in
            guard let row = try source.row(top), let offer = try source.offer(on: row) else {
                throw LockbookError.noOffer(id: found.offer.id)
            }
            return try store.changeShares { tree in
                try tree.takeOver(row, of: source, by: offer, to: destination, sharing: members)
            }
        }
    }

    /// Pins the keys of those members whom no device of this account has met.
    /// - Returns: the members without those who were not met and have deleted their accounts.
    private func meet(_ members: [Grant]) async throws -> [Grant] {
        var met: [Grant] = []
        for member in members {
            let account = AccountID(member.grantee)
            if try store.read({ try $0.contact(account) }) == nil {
                let name = member.granteeName.text
                do {
                    let certificate = try await recipient(name, as: account)
                    guard certificate.account == account else {
                        throw LockbookError.keyChanged(username: name)
                    }
                    try store.write { try $0.pin(certificate) }
                } catch LockbookError.userDeleted {
                    // Nobody is there whose keys anything could be sealed for.
                    continue
                }
            }
            met.append(member)
        }
        return met
    }
}

extension LocalTree {
    /// Makes a share this account's own, and shares it with those who were members.
    fileprivate func takeOver(
        _ top: FileRow,
        of source: LocalTree,
        by offer: TransferOffer,
        to destination: String?,
        sharing members: [FileID: [Grant]]
    ) throws -> FileInfo {
        // Another process may have taken it over while this one fetched.
        let taken = try successors().first { $0.number(of: offer.source) == offer.number }
        if let taken { throw LockbookError.acceptedAlready(path: try path(of: taken.row)) }
        let giver = offer.source.owner
        let title = try source.ownersName(of: top)
        let link = try links(to: giver)[top.id].flatMap { try row($0.id) }
        let (folder, name) = try seat(title, at: destination, instead: link)
        if let link {
            try delete(link)
            try noteDeletion(of: link.id)
        }
        let copies = try takeOver(top, of: source, by: offer, as: name, in: folder)
        guard let made = copies[top.id] else {
            throw LockbookError.store(reason: "nothing was taken over")
        }
        for member in members.values.joined() {
            guard let copy = copies[member.file] else { continue }
            try wish(
                ShareWish(file: copy.id, grantee: AccountID(member.grantee), mode: member.mode)
            )
        }
        // Who gave it finishes what is left to do, and stays as the one who knows it best.
        try wish(ShareWish(file: made.id, grantee: giver, mode: .admin))
        try noteAnswer(to: giver)
        return try info(made, path: try path(of: made))
    }

    /// Where something goes that took the place of a link, or goes where a link would.
    fileprivate func seat(_ title: FileName, at destination: String?, instead link: FileRow?) throws
        -> (folder: FileRow, name: FileName)
    {
        var folder = try rootRow()
        var name = title
        // Where its link is it goes in any case.
        let isOwnLink =
            link != nil && destination.map { (try? find(path: $0))??.id == link?.id } ?? false
        if let destination, !isOwnLink {
            let place = try placeOfOwn(for: destination, of: "what is taken over")
            folder = place.folder
            if let wanted = place.name { name = wanted }
            if let taken = try child(name, of: folder), taken.id != link?.id {
                throw LockbookError.exists(path: try path(of: taken))
            }
        } else if let link, let parent = try row(link.parent) {
            folder = parent
            name = try file(link).name
        } else {
            name = try freeName(title, in: folder)
        }
        guard try scope(of: folder) == root else {
            throw LockbookError.badShare(
                path: try path(of: folder),
                reason: "it is shared itself, and a share is not taken over into another one"
            )
        }
        return (folder, name)
    }
}
