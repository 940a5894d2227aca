import LockbookCrypto
import LockbookModel

extension ExportPlan {
    /// Everything below a file, folders before what stands in them, from the directory index alone.
    ///
    /// What links lead to stands where they do, whoever owns it.
    /// - Parameters:
    ///   - links: those below the file.
    ///   - sparing: folders on disk that need no look, unless the lockbook changed them since this
    ///     was found out.
    ///   - format: of the archive that it is for; nil for the disk.
    init(
        of top: ExportTop,
        with links: [LinkBelow] = [],
        memory: ExportMemory = ExportMemory(),
        sparing: PathSet = [],
        as format: ArchiveFormat? = nil
    ) throws {
        var walk = try ExportWalk(of: top, with: links, memory: memory, sparing: sparing, format)
        try walk.run()
        self = walk.plan
    }
}

/// Goes through the trees that an export is of.
private struct ExportWalk {
    private typealias Child = ExportedFolder.Child

    private struct Folder {
        /// In whose tree it is.
        var lockbook: Lockbook
        let id: FileID
        /// In the lockbook, as the user knows it.
        let path: String
        /// Below the target.
        let onDisk: String
        /// The link that it is behind; empty for none.
        var link = ""

        var exported: ExportedID { ExportedID(id, of: lockbook.store.context.owner) }
    }

    private(set) var plan: ExportPlan
    private let memory: ExportMemory
    private let sparing: PathSet
    private let format: ArchiveFormat?
    /// By the folders that links stand in: what each leads to.
    private var linked: PathMap<[LinkedFile]> = [:]
    /// Folders that links lead to.
    private var behind: [Folder] = []
    /// How the directories in each tree began when it was first gone into: many links may lead there.
    ///
    /// What changes after that is looked at by the next export.
    private var directories: [AccountID: [ExportedID: [UInt8]]] = [:]

    init(
        of top: ExportTop,
        with links: [LinkBelow],
        memory: ExportMemory,
        sparing: PathSet,
        _ format: ArchiveFormat?
    ) throws {
        (self.memory, self.sparing, self.format) = (memory, sparing, format)
        var below: PathMap<LinkBelow> = [:]
        for link in links {
            below[link.steps.joined(separator: "/")] = link
            let folder = link.steps.dropLast().joined(separator: "/")
            linked[folder, default: []].append(try LinkedFile(link))
        }
        plan = ExportPlan(top: top, links: below)
        if format == .zip { plan.longestFolder = ZipWriter.longestFolder }
    }

    mutating func run() throws {
        let top = plan.top
        try walk(
            Folder(
                lockbook: top.lockbook,
                id: top.id,
                path: top.path == "/" ? "" : top.path,
                onDisk: ""
            )
        )
        for folder in behind { try walk(folder) }
    }

    private mutating func walk(_ start: Folder) throws {
        try start.lockbook.store.read { tree in
            guard let row = try tree.row(start.id), try !tree.isDead(row) else {
                // What a link leads to may be deleted meanwhile.
                guard start.onDisk.isEmpty else { return }
                throw LockbookError.notFound(path: start.path)
            }
            guard row.type != .document else {
                plan.items = [
                    ExportItem(
                        lockbook: start.lockbook,
                        entry: try tree.entry(row),
                        path: start.path,
                        name: "",
                        folder: ""
                    )
                ]
                return
            }
            let directories = try self.directories[tree.owner] ?? tree.directoryStamps()
            self.directories[tree.owner] = directories
            var folders = [start]
            while let folder = folders.popLast() {
                let stamp = self.stamp(folder, directories)
                if let below = try spared(folder, stamp, of: tree) {
                    folders += below
                } else {
                    folders += try take(folder, stamp, of: tree)
                }
            }
        }
    }

    /// Documents behind links change without the folder that these stand in.
    private func stamp(_ folder: Folder, _ directories: [ExportedID: [UInt8]]) -> [UInt8] {
        let behind = linked[folder.onDisk] ?? []
        return ExportMemory.stamp(folder.exported, directories) + behind.flatMap(\.stamp)
    }

    /// - Returns: the folders in one in which nothing has to be done; nil for one to be looked at.
    private mutating func spared(
        _ folder: Folder,
        _ stamp: [UInt8],
        of tree: LocalTree
    ) throws -> [Folder]? {
        guard sparing.contains(folder.onDisk), let known = memory.folders[folder.onDisk],
            known.id == folder.exported, known.directory == stamp
        else { return nil }
        plan.spared.insert(folder.onDisk)
        _ = takeLinked(in: folder)
        var below: [Folder] = []
        for child in known.folders {
            let name = try LocalTree.name(child.name)
            try noteObstacle(to: name, in: folder) { try tree.mayBeOthers(child.id.file) }
            if let next = self.below(folder, child.id.file, name) { below.append(next) }
        }
        return below
    }

    /// - Returns: the folders in it.
    private mutating func take(
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
    private mutating func takeLinked(in folder: Folder) -> [(FileName, LinkedFile.Found)] {
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
        plan.misnamed[Self.onDisk(name, in: folder)] == nil
            && plan.takes(document, at: folder.onDisk, behind: folder.link)
    }

    /// - Returns: nil for one that is not copied.
    private mutating func below(_ folder: Folder, _ id: FileID, _ name: FileName) -> Folder? {
        let onDisk = Self.onDisk(name, in: folder)
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
    private mutating func noteObstacle(
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
        if let reason { plan.leaveOut(Self.onDisk(name, in: folder), because: reason) }
    }

    private static func onDisk(_ name: FileName, in folder: Folder) -> String {
        folder.onDisk.isEmpty ? name.text : "\(folder.onDisk)/\(name.text)"
    }
}

extension LocalTree {
    /// Whether a file is another account's, or is, or was, in what this one shares.
    fileprivate func mayBeOthers(_ id: FileID) throws -> Bool {
        guard !isForeign, let row = try self.row(id) else { return true }
        return try scope(of: row) != root
    }
}
