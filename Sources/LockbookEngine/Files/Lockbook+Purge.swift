import LockbookModel

extension Lockbook {
    /// Deletes files and what is below them for good.
    ///
    /// They are in no trash, and the next sync takes them from the server and from every device.
    /// All or nothing.
    /// - Parameter limit: how many somebody meant; nothing is done where more are there by now.
    /// - Throws: `.ownersToPurge` for what others share.
    /// - Returns: how many files that were; nil where it would have been more than that.
    public func purge(_ references: [FileReference], atMost limit: Int = .max) throws -> Int? {
        do {
            let count = try store.change { tree -> Int? in
                let rows = try tree.named(references)
                var count = rows.count
                for row in rows { try tree.walk(below: row) { _ in count += 1 } }
                guard count <= limit else { return nil }
                for row in rows { try tree.purge(row) }
                return count
            }
            store.shrink()
            return count
        } catch {
            guard error is CrossesLink || error.isUnknownID else { throw error }
            _ = try countPurged(in: references)
            throw error
        }
    }

    /// How many files `purge` would take besides these, which stand in them.
    /// - Throws: `.ownersToPurge` for what others share.
    public func countPurged(in references: [FileReference]) throws -> Int {
        try references.reduce(0) { count, reference in
            try count
                + across(reference) {
                    try store.read { try $0.childCount(reference) }
                } there: { place -> Int in
                    let path = try place.lockbook.info(place.reference).path
                    throw LockbookError.ownersToPurge(path: path)
                }
        }
    }

    /// How many files `emptyTrash` would purge.
    /// - Throws: as `emptyTrash`; `.ownersToPurge` of what is in the trash of somebody who shares it,
    ///   and of a folder that somebody shares.
    public func countTrash(_ references: [FileReference]? = nil) throws -> Int {
        do { return try countTrashHere(references) } catch let failure as LockbookError {
            guard case .notInTrash = failure else { throw failure }
            for reference in references ?? [] where try !isInTrashHere(reference) {
                let found = try elsewhere(reference, after: failure) { _, tree, there in
                    var trash = try TrashIndex(tree)
                    return try trash.findPlace(there)
                }
                throw LockbookError.ownersToPurge(path: found.other.own(found.path))
            }
            throw failure
        }
    }

    private func isInTrashHere(_ reference: FileReference) throws -> Bool {
        do {
            _ = try countTrashHere([reference])
            return true
        } catch LockbookError.notInTrash {
            return false
        }
    }

    private func countTrashHere(_ references: [FileReference]?) throws -> Int {
        try store.read { tree in try tree.countTrash(trashed(references, in: tree)) }
    }

    /// Deletes what is in the trash for good, all of it or only these files.
    ///
    /// Of a folder that is there, where none of its path is in the trash, what was deleted in it, at
    /// any depth.
    /// - Parameter limit: how many somebody meant; nothing is done where more are there by now.
    /// - Throws: `.notInTrash`, `.ambiguous` where several were deleted at one path, or one there
    ///   and others in the folder that is there.
    /// - Returns: how many files that were; nil where it would have been more than that.
    public func emptyTrash(_ references: [FileReference]? = nil, atMost limit: Int = .max) throws
        -> Int?
    {
        let count = try store.change { tree -> Int? in
            let rows = try trashed(references, in: tree)
            guard try limit == .max || tree.countTrash(rows) <= limit else { return nil }
            var count = 0
            for row in rows {
                // It may have gone with the folder that it stood in.
                guard let row = try tree.row(row.id), try !tree.isPurged(row.id) else { continue }
                count += try tree.subtree(of: row).count { try !tree.isPurged($0.id) }
                try tree.purge(row)
            }
            return count
        }
        store.shrink()
        return count
    }

    /// Those files of the trash, and what was deleted in those folders; or all of it.
    private func trashed(_ references: [FileReference]?, in tree: LocalTree) throws -> [FileRow] {
        guard let references else { return try tree.trashedRows() }
        var trash = try trashIndex(tree)
        return try references.flatMap { reference -> [FileRow] in
            let row = try trash.findPlace(reference)
            return try tree.isDead(row) ? [row] : tree.trashedRows(below: row)
        }
    }
}
