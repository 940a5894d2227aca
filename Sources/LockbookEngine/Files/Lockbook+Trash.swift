import GRDB
import LockbookCrypto
import LockbookModel

/// A file that was deleted, with what went with it.
public struct TrashedFile: Sendable, Equatable, Codable {
    /// 32 hexadecimal digits.
    public var id: String
    /// Where it stood, from the root.
    public var path: String
    public var type: FileInfo.Kind
    /// Bytes of plaintext; 0 for folders.
    public var size: UInt64
    /// When the author last changed it: milliseconds since 1970.
    public var modified: Int64
    /// How many files are in it, when it is a folder.
    public var files: Int
}

extension Lockbook {
    /// What was deleted and can be restored, by path: here, and in what others share.
    ///
    /// Of what is only offered, what this account deleted is in it, and not what others did.
    /// - Parameters:
    ///   - isRecursive: whether with what went with its folder.
    ///   - unread: gets the links behind which cannot be looked, and why.
    public func trash(
        isRecursive: Bool = false,
        unread: ((path: String, reason: LockbookError)) -> Void = { _ in }
    ) throws -> [TrashedFile] {
        let shut = UnreadTrees()
        let behind = try askOthers(shut) { other in
            try other.lockbook.trashHere(isRecursive).compactMap { file in
                var file = file
                file.path = other.own(file.path)
                let isShown = try SharedPath.isReached(file.path) || other.deleted(file)
                return isShown ? file : nil
            }
        }
        try store.read { try shut.tell(in: $0, unread) }
        let files = try trashHere(isRecursive) + behind.flatMap(\.self)
        return files.sorted { ($0.path, $0.id) < ($1.path, $1.id) }
    }

    private func trashHere(_ isRecursive: Bool) throws -> [TrashedFile] {
        let shares = OpenShares(of: self)
        return try store.read { tree in
            var files: [TrashedFile] = []
            // A link to what was taken back cannot be restored.
            for row in try tree.trashedRows()
            where try !tree.isDeadWithFolder(row) && tree.ended(row, in: shares) == nil {
                guard isRecursive else {
                    files.append(try tree.trashedFile(row, holding: tree.countDead(below: row)))
                    continue
                }
                var gone = [row]
                try tree.walkDead(below: row) { gone.append($0) }
                var counts: [FileID: Int] = [:]
                // Each folder stands before what is in it.
                for inner in gone.dropFirst().reversed() {
                    counts[inner.parent, default: 0] += 1 + counts[inner.id, default: 0]
                }
                for inner in gone where !inner.isDamaged {
                    files.append(try tree.trashedFile(inner, holding: counts[inner.id] ?? 0))
                }
            }
            return files
        }
    }

    /// Those of these that lie in the trash, or in a folder there: here, or in what others share.
    public func inTrash(_ references: [FileReference]) throws -> [FileReference] {
        guard !references.isEmpty else { return [] }
        let here = Set(try inTrashHere(references))
        let others = try askOthers(UnreadTrees()) { $0 }
        return try references.filter { reference in
            if here.contains(reference) { return true }
            for other in others {
                guard let there = try other.reference(reference) else { continue }
                guard try other.lockbook.inTrashHere([there]).isEmpty else { return true }
            }
            return false
        }
    }

    private func inTrashHere(_ references: [FileReference]) throws -> [FileReference] {
        try store.read { tree in
            var trash = try trashIndex(tree)
            return try references.filter { reference in
                do {
                    _ = try trash.findInner(reference)
                    return true
                } catch LockbookError.notInTrash {
                    return false
                } catch LockbookError.ambiguous {
                    return true
                }
            }
        }
    }

    /// Whether `restore` finds something of this name; false without looking in a trash of more than 20,000 files.
    public func isInTrash(_ reference: FileReference) throws -> Bool {
        do {
            _ = try trashed(reference) { lockbook, tree, there in
                var trash = try lockbook.trashIndex(tree)
                guard trash.count <= 20_000 else {
                    throw LockbookError.notInTrash(path: there.text)
                }
                let row = try trash.take(there)
                // A link to what was taken back cannot be restored.
                if try tree.ended(row, in: OpenShares(of: lockbook)) != nil {
                    throw LockbookError.notInTrash(path: there.text)
                }
                return row
            }
            return true
        } catch LockbookError.notInTrash {
            return false
        } catch LockbookError.ambiguous {
            return true
        }
    }

    /// The trash of this tree, where links to what was taken back stand in nothing's way.
    func trashIndex(_ tree: LocalTree) throws -> TrashIndex {
        let shares = OpenShares(of: self)
        return try TrashIndex(tree) { try tree.ended($0, in: shares) != nil }
    }
}

extension OtherTree {
    /// Whether this account deleted a file, or the folder that it went with.
    fileprivate func deleted(_ file: TrashedFile) throws -> Bool {
        guard let id = FileID(hex: file.id) else { return false }
        return try lockbook.store.read { tree in
            var next = try tree.row(id)
            while let row = next, !row.isDeleted, row.id != tree.root {
                next = try tree.row(row.parent)
            }
            guard let row = next, row.isDeleted, let file = try tree.opened(row) else {
                return false
            }
            return file.author == tree.author
        }
    }
}

extension LocalTree {
    /// Where a link leads whose target is over, see `OpenShares.hasEnded`.
    ///
    /// Of what this device cannot look into nobody can tell: its link stands in nothing's way.
    func ended(_ row: FileRow, in shares: OpenShares) throws -> LinkTarget? {
        guard row.type == .link, let target = try opened(row)?.target else { return nil }
        let unread = UnreadTrees()
        return try unread.ask(target.owner) { try shares.hasEnded(target) ? target : nil }
    }

    /// Files that were deleted themselves; what stands in them is not among them.
    func trashedRows() throws -> [FileRow] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT \(FileRow.columns) FROM file WHERE deleted = 1 AND damaged = 0
                    AND id NOT IN (SELECT file FROM purge)
                """
        )
        var found: [FileRow] = []
        while let row = try rows.next() { found.append(try FileRow(row)) }
        return found
    }

    fileprivate func trashedFile(_ row: FileRow, holding count: Int) throws -> TrashedFile {
        // One that does not open is listed by its id, so that all others are listed, too.
        let file = try opened(row)
        return TrashedFile(
            id: row.id.description,
            path: try path(of: row),
            type: FileInfo.Kind(row.type),
            size: file?.size ?? 0,
            modified: file?.modified.milliseconds ?? 0,
            files: count
        )
    }

    func findTrashed(_ reference: FileReference) throws -> FileRow {
        var trash = try TrashIndex(self)
        return try trash.take(reference)
    }
}
