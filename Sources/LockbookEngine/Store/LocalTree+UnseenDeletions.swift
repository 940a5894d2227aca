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
