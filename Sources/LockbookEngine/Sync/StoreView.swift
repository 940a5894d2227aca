import LockbookCrypto
import LockbookModel

/// The tree on this device, as a merge asks for it.
struct StoreView: MergeView {
    let tree: LocalTree
    /// Files that are gone for good, and leave the store when the merge is done.
    var gone: Set<FileID> = []
    /// What members pushed again to a server that had lost it, and its owner has here, too: where
    /// that stands, and whether it lives, is for the owner to say.
    var again: [FileID: File] = [:]
    /// Folders that come to be with the merge, for those of the gone that live on.
    var remade: [FileID: File] = [:]

    func file(_ id: FileID) throws -> File? {
        if let folder = remade[id] { return folder }
        guard !gone.contains(id), let row = try tree.row(id), !row.isDamaged else { return nil }
        return try tree.file(row)
    }

    func base(_ id: FileID) throws -> File? {
        if let pushed = again[id] { return pushed }
        return try gone.contains(id) ? nil : tree.row(id).flatMap { try tree.base($0) }
    }

    func mayPlace(_ file: File) -> Bool { tree.mayPlace(file) }

    func child(named name: FileName, of folder: FileID) throws -> FileID? {
        guard !gone.contains(folder), let row = try tree.row(folder), row.type == .folder,
            !row.isDamaged
        else {
            return nil
        }
        return try tree.child(name, of: row).flatMap { gone.contains($0.id) ? nil : $0.id }
    }
}

/// The clear facts of the tree that was agreed with the server.
struct BaseFacts: PurgeView {
    private struct Name: Hashable {
        let parent: FileID
        let tag: Hash256
    }

    let tree: LocalTree
    /// Where files that were changed here stand for the server.
    private var moved: [Name: FileID] = [:]
    /// What changed files stand in for the server.
    private var inside: [FileID: [FileID]] = [:]

    init(tree: LocalTree) throws {
        self.tree = tree
        for row in try tree.changedRows() {
            guard let base = row.base else { continue }
            let facts = try FileRecord(base).facts
            inside[facts.parent, default: []].append(facts.id)
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
        // A new device would look for every name among none.
        guard !tree.isKnownAbsent(parent), let row = try tree.row(tagged: tag, in: parent),
            row.local == nil
        else { return nil }
        return row.id
    }

    func children(of folder: FileID) throws -> [FileID] { try rows(in: folder).map(\.id) }

    /// What was changed here of that.
    func changedRows(in folder: FileID) throws -> [FileRow] {
        try (inside[folder] ?? []).compactMap { try tree.row($0) }
    }

    /// What stands in a folder for the server.
    func rows(in folder: FileID) throws -> [FileRow] {
        var rows: [FileRow] = []
        try visitRows(in: folder) { rows.append($0) }
        return rows
    }

    /// Goes through what stands in a folder for the server, while SQLite finds it.
    /// - Parameter visit: asks nothing of the store.
    func visitRows(in folder: FileID, _ visit: (FileRow) throws -> Void) throws {
        try tree.visitChildren(of: folder) { row in
            if row.local == nil && row.base != nil { try visit(row) }
        }
        for id in inside[folder] ?? [] where id != folder {
            if let row = try tree.row(id) { try visit(row) }
        }
    }
}

extension LocalTree {
    /// Of the files that are new here and there: those that are another's record there.
    ///
    /// Their words are joined as those of two who know of no common ones. What is new for another
    /// reason, as in a copy of a data folder, is merged as everything else that is new on both sides.
    func pushedAgain(_ news: [FileID: File], _ local: [FileID: File]) throws -> [FileID: File] {
        guard !isForeign else { return [:] }
        let lost = try lost()
        guard !lost.isEmpty else { return [:] }
        var again: [FileID: File] = [:]
        for (id, file) in news
        where local[id] != nil && file.author != owner && lost.contains(id) {
            guard try row(id)?.base == nil else { continue }
            var file = file
            file.content = nil
            again[id] = file
        }
        return again
    }
}
