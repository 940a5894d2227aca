import LockbookModel

/// Words in the trash that nobody deleted: who did it, itself or with a folder, had not seen them.
extension LocalTree {
    /// Notes what is in the trash with words that nobody deleted, as this merge found or another did.
    func noteUnseen(_ plan: MergePlan, _ news: [FileID: File]) throws {
        for (id, file) in plan.files where file.diedUnseen {
            let row = try row(id)
            // Who deleted the folder around it here wanted what was known of it gone.
            if let row, plan.unseen.contains(id), try wasDeletedHere(row) {
                try noteDeletion(of: id)
            }
            guard try !isUndecidedInTrash(id) else { continue }
            // Where it lived, as a second copy did, it was deleted elsewhere.
            let isMine = try row.map { try isDead($0) } ?? (news[id] != nil)
            try noteConflict(.trashed, id, isMine: isMine)
        }
    }

    /// Documents that a member wrote below a folder which was deleted before: who deleted that has not
    /// seen these words.
    ///
    /// A member sees nothing of the folders around a share, so the server takes what he writes there.
    /// Only their owner says that they died with them.
    func wordsBelowDead(_ plan: MergePlan, _ page: VerifiedPage, _ news: [FileID: File]) throws
        -> [FileID]
    {
        guard !isForeign else { return [] }
        let deadFolders = deadFolders(in: plan.files)
        return try news.keys.sorted().filter { id in
            guard let file = plan.files[id], file.type == .document, !file.isDeleted,
                file.author != owner, let folder = try deadFolders.nearest(from: file.parent),
                try isLater(id, than: folder, in: page)
            else { return false }
            guard let row = try row(id) else { return true }
            // New keys alone, or another name, are no words.
            return try baseContent(of: row).map { $0 != file.content?.identity } ?? true
        }
    }

    /// Finds the nearest deleted folder above files, as a merge or a server has them.
    func deadFolders(in changed: [FileID: File]) -> FilesAbove {
        func isDeleted(_ id: FileID) throws -> Bool {
            try changed[id]?.isDeleted ?? row(id)?.isDeleted ?? false
        }
        return FilesAbove(where: isDeleted, below: root) { id in
            try changed[id]?.parent ?? self.row(id)?.parent
        }
    }

    /// Whether what a page has of a file was pushed when that folder was deleted already.
    private func isLater(_ file: FileID, than folder: FileID, in page: VerifiedPage) throws -> Bool
    {
        if try row(folder)?.isDeleted ?? false { return true }
        guard let written = page.origins[file] else { return false }
        // What is in no entry of the page was so before them.
        return page.origins[folder].map { written.position > $0.position } ?? true
    }

    /// Notes what comes into the trash with words that nobody deleted: written in a folder, or a
    /// document, that was in the trash here already.
    func noteTrashed(_ news: [FileID: File]) throws {
        try forgetRevived()
        for (id, file) in news where file.type == .document {
            let row = try row(id)
            if let row, try isDecidedElsewhere(row, file) { try forgetConflict(of: id) }
            guard let folder = try self.row(file.parent), row?.isDamaged != true else { continue }
            let isUnseen =
                if let row {
                    try row.base != nil && isDead(row) && (file.isDeleted || isDead(folder))
                        && baseContent(of: row).map { $0 != file.content?.identity } ?? false
                } else {
                    try file.diedWithFolder && isDead(folder)
                }
            guard isUnseen, try !isUndecidedInTrash(id) else { continue }
            // Back at what a server has that was put back, this device may have these words itself.
            if let row, try opened(row)?.content?.identity == file.content?.identity { continue }
            // Here it is deleted; the words are another device's.
            try noteConflict(.trashed, id, isMine: true)
        }
    }

    /// Whether somebody decided on another device that what nobody had deleted is to stay deleted.
    private func isDecidedElsewhere(_ row: FileRow, _ file: File) throws -> Bool {
        guard file.isDeleted, !file.diedUnseen, try isUndecidedInTrash(row.id) else { return false }
        do { return try base(row)?.diedUnseen ?? false } catch is DamagedRecord { return false }
    }
}
