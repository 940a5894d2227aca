import LockbookModel

/// What comes before the eyes of others without a command that shares it.
extension LocalTree {
    /// How many deleted files a folder that moves brings before somebody who did not see them.
    ///
    /// Of another account's tree none: what a member takes to where others see it is made anew.
    func countExposed(_ row: FileRow, in folder: FileRow) throws -> Int {
        guard !isForeign, row.type == .folder, row.parent != folder.id else { return 0 }
        let shared = try sharedOrPromised()
        guard !shared.isEmpty else { return 0 }
        let above = filesAbove(where: shared.contains)
        let before = try above.all(from: row.parent)
        guard try above.all(from: folder.id).contains(where: { !before.contains($0) }) else {
            return 0
        }
        return try countTrash(below: row)
    }

    /// What others see, or will by the next sync, or who uses an invitation.
    private func sharedOrPromised() throws -> Set<FileID> {
        let wished = try wishes().filter { $0.mode > .none }.map(\.file)
        let invited = try (openInvitations() + owedInvitations()).map(\.entry).filter {
            $0.owner == nil
        }
        return try sharedIDs().union(wished).union(invited.map(\.file))
    }
}
