import LockbookCrypto
import LockbookModel

/// Saves from before a sync, of documents that go with their share.
extension LocalTree {
    /// The saves of each document, the newest first.
    ///
    /// They count where it has no later words that can be read, as deleted here: each was replaced.
    /// - Parameters:
    ///   - shares: what was taken back.
    ///   - stranded: what was changed here and goes.
    ///   - places: by which the documents were known.
    func strandedSaves(
        in shares: [FileID],
        besides stranded: [StrandedFile],
        _ places: LinkedPlaces
    ) throws -> [StrandedFile] {
        let shares = Set(shares)
        let forgotten = Set(stranded.filter(\.isForgotten).map(\.id))
        return try savedFiles().flatMap { id -> [StrandedFile] in
            guard let row = try row(id), try forgotten.contains(id) || isInside(row, shares) else {
                return []
            }
            let isNamedByOwner = try row.parent == root && opened(row) != nil
            let path = try knownPath(path(of: row), by: places)
            let name = try isNamedByOwner ? ownersName(of: row) : name(of: row)
            return try openKept(of: row).filter { save in
                try save.file.content.map { try canRead($0.blob) } ?? false
            }.map { save in
                StrandedFile(
                    id: id,
                    path: path,
                    name: name,
                    document: save.file,
                    isDeletedHere: true,
                    isSave: true,
                    change: nil
                )
            }
        }
    }

    /// Whether one of these shares is around a file, where it stands here or where it is agreed.
    private func isInside(_ file: FileRow, _ shares: Set<FileID>) throws -> Bool {
        var rows = [file]
        var seen: Set<FileID> = [root]
        while let row = rows.popLast() {
            guard seen.insert(row.id).inserted else { continue }
            guard row.parent != root else {
                if shares.contains(row.id) { return true }
                continue
            }
            let agreed = try row.base.map { try FileRecord($0).facts.parent }
            rows += try [row.parent, agreed ?? row.parent].compactMap { try self.row($0) }
        }
        return false
    }
}
