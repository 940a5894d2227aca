import LockbookCrypto
import LockbookModel

/// Saves from before a sync, of documents that go with their share and have no other words.
extension LocalTree {
    /// Of each of these documents the last save that can be read: the others go along with it.
    ///
    /// Each counts as deleted here, since it was replaced.
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
        // With the words of a document go the saves before them.
        let kept = Set(stranded.filter { $0.document != nil }.map(\.id))
        let forgotten = Set(stranded.filter(\.isForgotten).map(\.id))
        return try savedFiles().compactMap { id in
            guard !kept.contains(id), let row = try row(id),
                try forgotten.contains(id) || isInside(row, shares),
                let save = try openKept(of: row).first(where: { try isReadable($0.file) })
            else { return nil }
            let isNamedByOwner = try row.parent == root && opened(row) != nil
            return StrandedFile(
                id: id,
                path: try knownPath(path(of: row), by: places),
                name: try isNamedByOwner ? ownersName(of: row) : name(of: row),
                document: save.file,
                isDeletedHere: true,
                change: nil
            )
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

    private func isReadable(_ file: File) throws -> Bool {
        do {
            guard let content = file.content, try canRead(content.blob),
                case .here(var reader) = try openContent(of: file, path: "")
            else { return false }
            try reader.readAll { _ in }
            return true
        } catch let error as LockbookError where error.isUnreadable { return false }
    }
}
