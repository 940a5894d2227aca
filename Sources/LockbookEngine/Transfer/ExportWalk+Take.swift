import LockbookCrypto
import LockbookModel

/// What of the things in a folder is copied, and where to.
extension ExportWalk {
    private typealias Child = ExportedFolder.Child

    /// - Returns: the folders in it.
    mutating func take(
        _ folder: Folder,
        _ stamp: [UInt8],
        of tree: LocalTree
    ) throws -> [Folder] {
        let entries = try tree.shownEntries(of: folder.id).filter { $0.type != .link }
            .sorted { $0.name.text < $1.name.text }
        for entry in entries {
            try noteObstacle(to: entry.name, in: folder) { try tree.mayBeOthers(entry.id) }
        }
        var documents: PathSet = []
        for entry in entries where entry.type == .document {
            guard takes(entry.id, entry.name, in: folder) else { continue }
            documents.insert(entry.name.text)
            append(entry, entry.name, in: folder, of: folder.lockbook)
        }
        let folders = entries.filter { $0.type == .folder }
        var below: [Folder] = []
        for entry in folders {
            guard let next = self.below(folder, entry.id, entry.name) else { continue }
            below.append(next)
            append(entry, entry.name, in: folder, of: folder.lockbook)
        }
        for (name, found) in takeLinked(in: folder) {
            if found.entry.type == .document { documents.insert(name.text) }
            append(found.entry, name, in: folder, of: found.lockbook)
        }
        let owner = tree.owner
        plan.folders[folder.onDisk] = ExportFolder(
            id: folder.exported,
            path: folder.onDisk,
            directory: stamp,
            folders: folders.map { Child(name: $0.name.text, id: ExportedID($0.id, of: owner)) },
            linked: (linked[folder.onDisk] ?? []).map { Child(name: $0.name.text, id: $0.id) },
            documents: documents
        )
        return below
    }

    /// Notes what links in a folder lead to, to go on there later.
    /// - Returns: what of it is copied, by the names of the links.
    mutating func takeLinked(in folder: Folder) -> [(FileName, LinkedFile.Found)] {
        var taken: [(FileName, LinkedFile.Found)] = []
        for file in linked[folder.onDisk] ?? [] {
            guard let found = file.found else { continue }
            noteObstacle(to: file.name, in: folder) { true }
            if found.entry.type == .document {
                guard takes(found.entry.id, file.name, in: folder) else { continue }
            } else {
                guard var next = below(folder, found.entry.id, file.name) else { continue }
                (next.lockbook, next.link) = (found.lockbook, next.onDisk)
                behind.append(next)
            }
            taken.append((file.name, found))
        }
        return taken
    }

    private mutating func append(
        _ entry: DirectoryEntry,
        _ name: FileName,
        in folder: Folder,
        of lockbook: Lockbook
    ) {
        plan.items.append(
            ExportItem(
                lockbook: lockbook,
                entry: entry,
                path: "\(folder.path)/\(name.text)",
                name: name.text,
                folder: folder.onDisk
            )
        )
    }

    private mutating func takes(_ document: FileID, _ name: FileName, in folder: Folder) -> Bool {
        plan.misnamed[folder.place(of: name)] == nil
            && plan.takes(document, at: folder.onDisk, behind: folder.link)
    }

    /// - Returns: nil for one that is not copied.
    mutating func below(_ folder: Folder, _ id: FileID, _ name: FileName) -> Folder? {
        let onDisk = folder.place(of: name)
        guard plan.misnamed[onDisk] == nil, plan.takes(id, at: onDisk, behind: folder.link)
        else { return nil }
        return Folder(
            lockbook: folder.lockbook,
            id: id,
            path: "\(folder.path)/\(name.text)",
            onDisk: onDisk,
            link: folder.link
        )
    }

    /// Notes why a name keeps out what bears it, with all that is in it, where it does.
    mutating func noteObstacle(
        to name: FileName,
        in folder: Folder,
        mayBeOthers: () throws -> Bool
    ) rethrows {
        var reason: String?
        if KeptHistory.isName(name), try mayBeOthers() {
            reason =
                "programs such as git run what is in it, and others may have written that; "
                + "export it by itself"
        } else if format == .zip {
            let isFirst = folder.onDisk.isEmpty && plan.top.name == nil
            reason = ZipWriter.obstacle(to: name, isFirst: isFirst)
        }
        if let reason { plan.leaveOut(folder.place(of: name), because: reason) }
    }
}

extension LocalTree {
    /// Whether a file is another account's, or is, or was, in what this one shares.
    func mayBeOthers(_ id: FileID) throws -> Bool {
        guard !isForeign, let row = try self.row(id) else { return true }
        return try scope(of: row) != root
    }
}
