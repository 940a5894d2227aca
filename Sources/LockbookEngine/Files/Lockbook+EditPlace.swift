import LockbookModel

extension Lockbook {
    /// Where an edited text belongs now; nil where that is not reached any more.
    ///
    /// The document is known by its id and by whose it is: another one may have its path by now.
    func place(of session: EditSession) throws -> SharedPlace? {
        guard let owner = session.owner else {
            let path = try session.file.flatMap { file in
                try store.read { try $0.livePath(of: file) }
            }
            return SharedPlace(lockbook: self, reference: .path(path ?? session.path))
        }
        guard let other = try shared(by: owner) else { return nil }
        guard let file = session.file else {
            return try place(at: session.path, in: other)?.place
        }
        guard let row = try other.store.read({ try $0.row(file) }) else { return nil }
        if try other.store.read({ try !$0.isDead(row) }) { return try place(of: row, in: other) }
        // Deleted meanwhile: it comes anew where it was.
        guard let (place, top) = try place(at: session.path, in: other),
            try other.store.read({ try $0.stands(row, in: top) })
        else { return nil }
        return place
    }

    /// Where a path leads to in another account's tree, and in which shared file; nil where it does
    /// not lead into that.
    private func place(at path: String, in other: Lockbook) throws
        -> (place: SharedPlace, top: FileID)?
    {
        let reference = FileReference(path)
        let found: SharedPlace?
        do {
            found = try across(reference) {
                _ = try store.read { try $0.requireOwn(reference) }
                return nil
            } there: {
                $0
            }
        } catch LockbookError.notFound, LockbookError.leadsNowhere { return nil }
        guard let found, found.lockbook.store.directory == other.store.directory,
            let top = try other.store.read({ try $0.find(path: found.top) })
        else { return nil }
        return (found, top.id)
    }
}

extension LocalTree {
    /// The path of a file; nil where it is gone.
    fileprivate func livePath(of file: FileID) throws -> String? {
        guard let row = try row(file), try !isDead(row) else { return nil }
        return try path(of: row)
    }

    /// Whether a file is another one or stands in it, deleted or not.
    func stands(_ start: FileRow, in top: FileID) throws -> Bool {
        var seen: Set<FileID> = []
        var next: FileRow? = start
        while let row = next, row.id != root, seen.insert(row.id).inserted {
            if row.id == top { return true }
            next = try self.row(row.parent)
        }
        return false
    }
}
