import LockbookCrypto
import LockbookModel

/// What a sync does to a share that another account continues.
extension LocalTree {
    /// Whom this account wanted to let into what it gives away.
    func dropOpenWishes(on row: FileRow) throws -> [SyncReport.Note] {
        var notes: [SyncReport.Note] = []
        for wish in try wishes() where wish.file == row.id && wish.mode > .none {
            try forget(wish)
            notes.append(try leftToNewOwner(wish.grantee, row))
        }
        return notes
    }

    func leftToNewOwner(_ account: AccountID, _ row: FileRow) throws -> SyncReport.Note {
        SyncReport.Note(
            kind: .notDone,
            id: row.id.description,
            path: try path(of: row),
            detail: "\(try username(of: account)) is for its new owner to let in"
        )
    }

    /// Ends a transfer that became impossible, by what another device or an admin did while nobody had
    /// taken it over yet.
    ///
    /// - Returns: nil where it goes on; else what there is to say of it.
    func endVain(_ transfer: AddressBook.Transfer) throws -> [SyncReport.Note]? {
        let row = try row(transfer.file)
        let isDead = try row.map { try self.isDead($0) } ?? true
        let obstacle = try row.flatMap { try isDead ? nil : self.obstacle(to: transfer, $0) }
        guard isDead || obstacle != nil else { return nil }
        let isKnown = try isAgreed(transfer)
        try end(transfer)
        // Who deletes what he gave away knows what that does.
        guard !isDead || !isKnown else { return [] }
        return try keepUntold(more: [
            SyncReport.Note(
                kind: .notDone,
                id: transfer.file.description,
                path: row.map { try path(of: $0) } ?? "id:\(transfer.file)",
                detail: "\(username(of: transfer.heir)) is not given it, as "
                    + (obstacle ?? "it was deleted")
            )
        ])
    }

    private func obstacle(to transfer: AddressBook.Transfer, _ row: FileRow) throws -> String? {
        let isMember = try grants(of: row.id).contains {
            AccountID($0.grantee) == transfer.heir && $0.mode > .none
        }
        // On the way to its new owner it is shared with nobody, also while his log cannot be read.
        if try !isMember && !isAgreed(transfer) {
            return "it is not shared with that account any more"
        }
        if let outer = try shareAround(row.id) {
            let path = try path(of: outer)
            // As the log has it: what was moved here was not pushed yet.
            return try stands(row, in: [outer.id])
                ? "it stands in another share now, \(path)"
                : "it was moved out of \(path) meanwhile"
        }
        // What was copied goes on, whatever was not.
        if try isTakenBack(transfer) { return nil }
        return try shareLeftOut(of: transfer).map {
            "\(try path(of: $0)), in it, is shared by itself now"
        }
    }

    private func isAgreed(_ transfer: AddressBook.Transfer) throws -> Bool {
        try agreedBook()?.transfers.contains(transfer) ?? false
    }

    /// The nearest shared folder that a file of this account stands in.
    func shareAround(_ file: FileID) throws -> FileRow? {
        let view = PageView(tree: self)
        let outer = try view.scopes(around: file).dropFirst().first {
            try $0 != root && !view.grantees(of: $0).isEmpty
        }
        return try outer.flatMap { try row($0) }
    }

    /// Puts what was given away into the trash, and a link in its place.
    /// - Returns: where the link is, and where a content is that the new owner has another one of.
    func letGo(
        _ transfer: AddressBook.Transfer,
        to target: LinkTarget,
        _ known: ShareLink?,
        keeping document: File?
    ) throws -> (link: String, kept: String?) {
        guard let row = try row(transfer.file) else {
            throw LockbookError.store(reason: "what is given away is missing")
        }
        try end(transfer)
        guard let given = try self.row(transfer.file) else { throw LockbookError.root }
        try delete(given)
        try noteDeletion(of: given.id)
        let link =
            try known?.path
            ?? path(of: link(to: target, inPlaceOf: given, named: name(of: given)))
        guard let document,
            case .here(let reader) = try openContent(of: document, path: try path(of: row))
        else { return (link, nil) }
        return (link, try keepCopy(of: document, from: reader, named: document.name))
    }
}
