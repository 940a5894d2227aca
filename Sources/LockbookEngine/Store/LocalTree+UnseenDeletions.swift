import LockbookModel

/// Words in the trash that nobody deleted: who did it, itself or with a folder, had not seen them.
extension LocalTree {
    /// Notes what is in the trash with words that nobody deleted, as this merge found or another did.
    ///
    /// The records alone say so, the same to every device: what one that was away knew of the file before
    /// says nothing of who has seen what since.
    func noteUnseen(_ plan: MergePlan, _ news: [FileID: File]) throws {
        try forgetDecided(by: plan)
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
    /// Only their owner says that they died with them. What is deleted in the share itself he knows.
    func wordsBelowDead(_ plan: MergePlan, _ page: VerifiedPage, _ news: [FileID: File]) throws
        -> [FileID]
    {
        guard !isForeign else { return [] }
        let deadFolders = deadFolders(in: plan.files)
        return try news.keys.sorted().filter { id in
            guard let file = plan.files[id], file.type == .document, !file.isDeleted,
                file.author != owner,
                let around = try plan.files[file.scope]?.parent ?? row(file.scope)?.parent,
                let folder = try deadFolders.nearest(from: around),
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

    /// Lets go of what was undecided in the trash and somebody decided on another device: it is to
    /// stay there, or came back and was deleted anew.
    ///
    /// It is looked into as what arrives is: markers in it are to be decided when it comes back.
    private func forgetDecided(by plan: MergePlan) throws {
        let deadFolders = deadFolders(in: plan.files)
        for id in try undecidedInTrash() {
            guard let file = plan.files[id], !file.diedUnseen, try hadDiedUnseen(id),
                try file.isDeleted || deadFolders.nearest(from: file.parent) != nil
            else { continue }
            try mark(id, Self.arrived)
        }
    }

    /// Whether the record that was agreed before says that nobody deleted these words.
    private func hadDiedUnseen(_ id: FileID) throws -> Bool {
        guard let row = try row(id) else { return false }
        do { return try base(row)?.diedUnseen ?? false } catch is DamagedRecord { return false }
    }
}
