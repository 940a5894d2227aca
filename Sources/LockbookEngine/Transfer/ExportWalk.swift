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
struct ExportWalk {
    struct Folder {
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

        /// Where something in it stands, below the target.
        func place(of name: FileName) -> String {
            onDisk.isEmpty ? name.text : "\(onDisk)/\(name.text)"
        }
    }

    var plan: ExportPlan
    private let memory: ExportMemory
    private let sparing: PathSet
    let format: ArchiveFormat?
    /// By the folders that links stand in: what each leads to.
    private(set) var linked: PathMap<[LinkedFile]> = [:]
    /// Folders that links lead to.
    var behind: [Folder] = []
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
}
