import LockbookModel

/// Shared files whose folder was deleted: members see nothing of that folder, so the shared file is
/// deleted with it, and they are told.
extension LocalTree {
    /// The shared files that live in a deleted folder, or that died with one that is back.
    func unsettledShares() throws -> [FileRow] {
        try sharedIDs().sorted().compactMap { id in
            guard let row = try row(id), !row.isDamaged, let folder = try self.row(row.parent),
                !folder.isDamaged
            else { return nil }
            let isDue =
                try isDead(folder) ? !row.isDeleted : row.isDeleted && file(row).diedWithFolder
            return isDue ? row : nil
        }
    }

    /// Deletes them with their folders, and brings them back with them.
    ///
    /// Only their owner may: who deletes or restores a folder with another's share in it, as a member
    /// of what is around, leaves this to the owner's next sync.
    func settleShares() throws {
        for row in try unsettledShares() {
            guard !row.isDeleted else {
                try restore(row)
                continue
            }
            var file = try file(row)
            file.dieWithFolder()
            try put(file)
            // Whoever deleted the folder wanted this.
            try noteDeletion(of: row.id)
        }
    }
}
