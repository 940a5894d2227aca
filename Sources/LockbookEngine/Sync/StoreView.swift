import LockbookCrypto
import LockbookModel

/// The tree on this device, as a merge asks for it.
struct StoreView: MergeView {
    let tree: LocalTree

    func file(_ id: FileID) throws -> File? {
        guard let row = try tree.row(id), !row.isDamaged else { return nil }
        return try tree.file(row)
    }

    func base(_ id: FileID) throws -> File? {
        try tree.row(id).flatMap { try tree.base($0) }
    }

    func child(named name: FileName, of folder: FileID) throws -> FileID? {
        guard let row = try tree.row(folder), row.type == .folder, !row.isDamaged else {
            return nil
        }
        return try tree.child(name, of: row)?.id
    }
}

/// The clear facts of the tree that was agreed with the server.
struct BaseFacts: FactsView {
    private struct Name: Hashable {
        let parent: FileID
        let tag: Hash256
    }

    let tree: LocalTree
    /// Where files that were changed here stand for the server.
    private var moved: [Name: FileID] = [:]

    init(tree: LocalTree) throws {
        self.tree = tree
        for row in try tree.changedRows() {
            guard let base = row.base else { continue }
            let facts = try FileRecord(base).facts
            if !facts.isDeleted {
                moved[Name(parent: facts.parent, tag: facts.nameTag)] = facts.id
            }
        }
    }

    func facts(_ id: FileID) throws -> FileFacts? {
        try tree.row(id)?.base.map { try FileRecord($0).facts }
    }

    func undeletedChild(of parent: FileID, tagged tag: Hash256) throws -> FileID? {
        if let id = moved[Name(parent: parent, tag: tag)] { return id }
        guard let row = try tree.row(tagged: tag, in: parent), row.local == nil else { return nil }
        return row.id
    }
}
