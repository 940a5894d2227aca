import LockbookCrypto
import LockbookModel

extension LocalTree {
    /// Notes that a file is to be shared.
    func share(
        _ row: FileRow,
        with other: AccountCertificate,
        _ mode: ShareRight
    ) throws -> ShareInfo {
        try pin(other)
        let path = try path(of: row)
        let username = other.username.text
        let known = try grants(of: row.id).first { AccountID($0.grantee) == other.account }
        let wish = try wishes().first { $0.file == row.id && $0.grantee == other.account }
        guard known.map({ $0.mode == ShareMode.none }) ?? true else {
            throw LockbookError.badShare(
                path: path,
                reason: wish?.mode == ShareMode.none
                    ? "the next sync takes it back from \(username); `share mode` undoes that"
                    : "it is shared with \(username) already; `share mode` changes how"
            )
        }
        guard other.account != owner else {
            throw LockbookError.badShare(path: path, reason: "it is \(username)'s own")
        }
        if let wish, wish.mode > .none, wish.mode != mode.mode {
            throw LockbookError.badShare(
                path: path,
                reason: "the next sync shares it with \(username) already (\(wish.mode)); "
                    + "`share mode` changes how"
            )
        }
        try self.wish(ShareWish(file: row.id, grantee: other.account, mode: mode.mode))
        return ShareInfo(
            id: row.id.description,
            path: path,
            username: username,
            mode: mode,
            since: nil,
            verified: try isVerified(other.account),
            state: .waiting,
            owner: try isForeign ? self.username(of: owner) : nil,
            deleted: try countTrash(below: row)
        )
    }

    /// - Parameter isKeptOut: whether he was to be let in by an invitation and is not any more, so
    ///   that nothing of him need be here.
    func setShare(
        _ row: FileRow,
        of username: String,
        to mode: ShareRight?,
        isKeptOut: Bool = false
    ) throws {
        let path = try path(of: row)
        guard username != account.username else {
            throw LockbookError.badShare(
                path: path,
                reason: "that is this account itself; `share leave` gives a share up"
            )
        }
        // On another device than the one that shared it, the grant alone knows the account.
        let named = try grants(of: row.id).first {
            try $0.mode > .none && self.username(of: AccountID($0.grantee)) == username
        }
        let wishes = try wishes().filter { $0.file == row.id }
        guard
            let other = try named.map({ AccountID($0.grantee) })
                ?? contact(named: username)?.account
                ?? wishes.first(where: { try self.username(of: $0.grantee) == username })?.grantee
        else {
            if isKeptOut { return }
            throw LockbookError.notShared(path: path, username: username)
        }
        let held = named?.mode ?? .none
        let wish = wishes.first { $0.grantee == other }
        guard held > .none || wish != nil || isKeptOut else {
            throw LockbookError.notShared(path: path, username: username)
        }
        // Of an entry that was sent nobody knows whether the log has it.
        let isSent = try pending()?.groups.flatMap(\.grants).contains {
            $0.file == row.id && AccountID($0.grantee) == other
        }
        let new = ShareWish(
            file: row.id,
            grantee: other,
            mode: mode?.mode ?? .none,
            isChange: held > .none || wish?.isChange == true
        )
        if new.mode == held, isSent != true { try forget(new) } else { try self.wish(new) }
    }

    /// The shared file of another account that this one lets others into, where it may.
    func requireAdmin(of place: SharedPlace, granting mode: ShareRight?) throws
        -> FileRow
    {
        let row = try find(place.reference)
        let path = try path(of: row)
        guard try scope(of: row) == row.id else {
            throw LockbookError.badShare(
                path: path,
                reason: "it is another account's, whose owner alone shares a part of it"
            )
        }
        guard try right(in: row.id) >= .admin else { throw LockbookError.ownersToShare(path: path) }
        guard mode != .admin else {
            throw LockbookError.badShare(path: path, reason: "only its owner makes an admin")
        }
        return row
    }

    /// The file, where it is in this tree and no link out of it.
    func requireOwn(_ reference: FileReference) throws -> FileRow {
        let row = try find(reference)
        if let crossing = try crossing(row) { throw crossing }
        return row
    }

    /// The file, where it is one that can be shared.
    func shareable(_ reference: FileReference) throws -> FileRow {
        let row = try requireOwn(reference)
        let path = try path(of: row)
        func refuse(_ reason: String) -> LockbookError { .badShare(path: path, reason: reason) }
        guard row.id != root else { throw refuse("all of the notes cannot be shared at once") }
        guard !row.isDamaged else { throw LockbookError.damaged(file: path, author: "") }
        // Who is let into what is given along with that is let into what continues it.
        let isGiven = try transfer(of: row.id)?.isOpen == true
        let isShared = try grants(of: row.id).contains { $0.mode > .none }
        if let transfer = try transferAround(row), !(isGiven && isShared) {
            let (folder, heir) = (try self.row(transfer.file), try username(of: transfer.heir))
            let shown = try folder.map { try self.path(of: $0) } ?? "what it stands in"
            throw refuse("\(shown), which it stands in, is offered to \(heir) for good")
        }
        // What is to be purged is gone before the sync shares anything.
        if let link = try linkInside(row, besides: purgedIDs()) {
            guard try isDead(link) else { throw refuse("it cannot be shared with a link in it") }
            throw badShare(link, try linkInTheWay(link))
        }
        return row
    }
}
