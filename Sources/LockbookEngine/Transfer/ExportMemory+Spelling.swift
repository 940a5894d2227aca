import Glibc
import LockbookModel

extension ExportMemory {
    /// Follows names that are spelled otherwise now, where the file system takes both spellings for
    /// one name, as exFAT and SMB do with capital letters.
    ///
    /// What an export wrote under the old spelling is what stands under the new one: it would be
    /// somebody else's there, and be removed under the old one.
    /// - Returns: the paths of folders that are remembered elsewhere now, and where.
    mutating func follow(_ plan: ExportPlan, below top: DiskFile) -> [(old: String, new: String)] {
        guard plan.top.type == .folder else { return [] }
        bringBack(plan, below: top)
        let moved = followFolders(of: plan, below: top)
        for folder in plan.folders.values { followFiles(of: folder, below: top) }
        return moved
    }

    /// Gives what exports wrote its name back where that has other characters of the same letters now.
    ///
    /// Copies come back so from systems that write names in another form; a second copy beside it
    /// would be of the same note, and an import could take in neither. What is not in the lockbook
    /// any more is removed by its name.
    private func bringBack(_ plan: ExportPlan, below top: DiskFile) {
        // By the folders that they stand in: each is read once, however many names it has.
        var names: PathMap<[String]> = [:]
        for row in folders.values
        where row.source.isSame(as: plan.top.exported) && !plan.spared.contains(row.path) {
            let (above, name) = row.path.folderAndName
            names[above, default: []].append(name)
            let documents = plan.folders[row.path]?.documents ?? []
            // What no export wrote is the lockbook's only as long as that has it.
            let files = (row.gone.all + row.files.all)
                .filter { !$0.isFound || documents.contains($0.name) }
            names[row.path, default: []] += files.map(\.name)
        }
        // Those above come first, for the others are found by their names.
        for (path, names) in names.sorted(by: { $0.key.utf8.count < $1.key.utf8.count }) {
            top.bringBack(names, in: path) { known(in: path, plan) }
        }
    }

    /// Whether a name of the disk is one that something has in the lockbook, or that an export wrote.
    private func known(in path: String, _ plan: ExportPlan) -> (String) -> Bool {
        let files = PathSet(folders[path].map { $0.gone.all + $0.files.all }?.map(\.name) ?? [])
        return { name in
            let below = path.isEmpty ? name : "\(path)/\(name)"
            return files.contains(name) || folders[below] != nil || plan.folders[below] != nil
                || plan.folders[path]?.documents.contains(name) == true
        }
    }

    private mutating func followFolders(of plan: ExportPlan, below top: DiskFile)
        -> [(old: String, new: String)]
    {
        let unknown = plan.folders.keys.filter { folders[$0] == nil }
            .sorted { $0.utf8.count < $1.utf8.count }
        guard !unknown.isEmpty else { return [] }
        var gone: [DiskIdentity: String] = [:]
        var chain = FolderChain(below: top)
        let rows = folders.values.filter {
            $0.source.isSame(as: plan.top.exported) && plan.folders[$0.path] == nil
                && !plan.spared.contains($0.path)
        }
        for row in rows.sorted(by: { PathKey($0.path) < PathKey($1.path) }) {
            guard let status = try? chain.folder(row.path).status() else { continue }
            gone[DiskIdentity(status)] = row.path
        }
        guard !gone.isEmpty else { return [] }
        var moved: [(old: String, new: String)] = []
        // Those above come first, and take along what is in them.
        for path in unknown where folders[path] == nil {
            let (above, name) = path.folderAndName
            guard let folder = try? top.descend(above.steps), let status = folder.status(of: name),
                let old = gone[DiskIdentity(status)], plan.folders[old] == nil,
                old.folderAndName.folder.hasBytes(of: above),
                let found = try? Set(Disk.names(in: folder)),
                folder.respell(old.folderAndName.name, as: name, among: found)
            else { continue }
            for (place, known) in gone {
                if let now = known.respelled(old, as: path) { gone[place] = now }
            }
            moved += move(old, to: path)
        }
        return moved
    }

    /// Remembers a folder, and all in it, under another path.
    private mutating func move(_ old: String, to new: String) -> [(old: String, new: String)] {
        var moved: [(old: String, new: String)] = []
        for var row in Array(folders.values) {
            guard let path = row.path.respelled(old, as: new) else { continue }
            moved.append((old: row.path, new: path))
            folders[row.path] = nil
            encoded[row.path] = nil
            row.path = path
            folders[path] = row
        }
        return moved
    }

    private mutating func followFiles(of folder: ExportFolder, below top: DiskFile) {
        guard var row = folders[folder.path] else { return }
        let known = row.gone.all + row.files.all
        let gone = known.filter { !folder.documents.contains($0.name) }
        guard !gone.isEmpty else { return }
        let names = PathSet(known.map(\.name))
        let unknown = folder.documents.filter { !names.contains($0) }
        guard !unknown.isEmpty, let open = try? top.descend(row.names) else { return }
        var places: [DiskIdentity: String] = [:]
        for file in gone {
            if let status = open.status(of: file.name) {
                places[DiskIdentity(status)] = file.name
            }
        }
        let pairs = unknown.compactMap { name in
            open.status(of: name).flatMap { places[DiskIdentity($0)] }.map { (old: $0, new: name) }
        }
        guard !pairs.isEmpty, let found = try? Set(Disk.names(in: open)) else { return }
        var respelled: PathMap<String> = [:]
        for (old, new) in pairs where open.respell(old, as: new, among: found) {
            respelled[old] = new
        }
        guard !respelled.isEmpty else { return }
        row.files = row.files.renamed(respelled)
        row.gone = row.gone.renamed(respelled)
        folders[folder.path] = row
    }
}

/// By what it is known that two names lead to one file.
private struct DiskIdentity: Hashable {
    private let device: dev_t
    private let inode: ino_t

    init(_ status: stat) {
        (device, inode) = (status.st_dev, status.st_ino)
    }
}

extension DiskFile {
    /// What a name in this folder leads to, links not followed; nil for nothing.
    fileprivate func status(of name: String) -> stat? {
        var status = stat()
        return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
    }

    /// Renames what is called by another form of one of the names, where nothing has that one.
    /// - Parameter known: tells whether that other form is the name of something else.
    fileprivate func bringBack(
        _ names: [String],
        in path: String,
        unless known: () -> (String) -> Bool
    ) {
        let names = names.filter { $0.utf8.contains { $0 >= 0x80 } }
        guard !names.isEmpty, let folder = try? descend(path.steps) else { return }
        let missing = names.filter { folder.status(of: $0) == nil }
        guard !missing.isEmpty, let found = try? Disk.names(in: folder) else { return }
        var others: [[UInt8]: String] = [:]
        for case let other? in found.map({ try? FileName(bytes: $0) }) {
            others[other.normalized] = other.text
        }
        let isKnown = known()
        for name in missing {
            guard let wanted = try? FileName(name), let other = others[wanted.normalized],
                !isKnown(other)
            else { continue }
            // Where that fails, it is written anew as before.
            _ = try? Disk.renameNew(in: folder, other, to: name)
        }
    }

    /// Gives what two names lead to the second one, where they are spellings of one.
    /// - Parameter found: the names in this folder.
    /// - Returns: false where they are two names, as of a file with a second link.
    fileprivate func respell(_ old: String, as new: String, among found: Set<[UInt8]>) -> Bool {
        guard !(found.contains(Array(old.utf8)) && found.contains(Array(new.utf8))) else {
            return false
        }
        // Where that fails, or does nothing, both lead there as before.
        _ = renameat(descriptor, old, descriptor, new)
        return true
    }
}

extension ExportedFiles {
    fileprivate func renamed(_ names: PathMap<String>) -> ExportedFiles {
        ExportedFiles(
            all.map { file in
                var file = file
                file.name = names[file.name] ?? file.name
                return file
            }
        )
    }
}

extension String {
    fileprivate func hasBytes(of other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    /// The path of what stands at one path, or below it, after that was spelled otherwise; nil for
    /// anything else.
    fileprivate func respelled(_ old: String, as new: String) -> String? {
        if hasBytes(of: old) { return new }
        return isBelow(old) ? new + behind(old) : nil
    }
}
