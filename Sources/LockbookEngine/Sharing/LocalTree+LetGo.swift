import LockbookCrypto
import LockbookModel

/// What a sync does to a share that another account continues.
extension LocalTree {
    /// Whom this account wanted to let into what it gives away.
    func dropOpenWishes(on row: FileRow) throws -> [SyncReport.Note] {
        var notes: [SyncReport.Note] = []
        for wish in try wishes() where wish.file == row.id && wish.mode > .none {
            try forget(wish)
            notes.append(
                SyncReport.Note(
                    kind: .notPushed,
                    id: row.id.description,
                    path: try path(of: row),
                    detail: "\(try username(of: wish.grantee)) is for its new owner to let in"
                )
            )
        }
        return notes
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
            case .here(var reader) = try openContent(of: document, path: try path(of: row))
        else { return (link, nil) }
        return (link, try keepCopy(try reader.bytes(), named: document.name))
    }
}
