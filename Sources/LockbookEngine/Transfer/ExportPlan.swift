import Glibc
import LockbookCrypto
import LockbookModel

/// The file that an export is of.
struct ExportTop: Sendable {
    let id: FileID
    let type: FileType
    /// In the lockbook.
    let path: String
    /// The name under which the whole is put into an existing folder; nil for the root's contents.
    let name: FileName?

    /// What it holds, as of the root.
    var unnamed: ExportTop { ExportTop(id: id, type: type, path: path, name: nil) }
}

/// One file that an export writes, as it was when the export began.
struct ExportItem: Sendable {
    let entry: DirectoryEntry
    /// In the lockbook, for reports.
    let path: String
    /// Below the target, from the top; empty for the top itself.
    let components: [FileName]
    /// The path of the folder it stands in, below the target; empty for the target itself.
    let folder: String

    var id: FileID { entry.id }
    var type: FileType { entry.type }
    var size: UInt64 { entry.size }
    var modified: Timestamp { entry.modified }
    var isDamaged: Bool { entry.isDamaged }
    var isExecutable: Bool { entry.isExecutable }
    var blob: BlobPrefix? { entry.content?.blobPrefix }

    /// Too large for a batch: its content streams.
    var isLarge: Bool { size > UInt64(ContentWriter.inMemoryByteCount) }

    /// Empty for a document that is exported alone.
    var name: String { components.last?.text ?? "" }
    var relativePath: String { folder.isEmpty ? name : "\(folder)/\(name)" }
}

/// One folder of an export, as it was when the export began.
struct ExportFolder: Sendable {
    let id: FileID
    /// Below the target; empty for the target itself.
    let path: String
    /// By what it is known whether the lockbook changed it later.
    let directory: [UInt8]
    let folders: [ExportedFolder.Child]
    let documents: PathSet
}

struct ExportPlan {
    let top: ExportTop
    /// What has to be looked at one by one, folders before what stands in them.
    var items: [ExportItem] = []
    /// The folders of these items, by their paths below the target.
    var folders: PathMap<ExportFolder> = [:]
    /// The folders in which nothing has to be done.
    var spared: PathSet = []
    /// What stands too deep to be copied, without what is in it.
    var tooDeep: [FileID] = []
    private var roomForDeep: Int

    init(top: ExportTop, roomForDeep: Int = 0) {
        self.top = top
        self.roomForDeep = roomForDeep
    }

    /// Whether more may be in the tree than is seen: something cannot be read, or stands too deep.
    var isIncomplete: Bool { !tooDeep.isEmpty || items.contains { $0.isDamaged } }

    /// What is said of what is left out.
    var problem: TransferReport.Problem? {
        guard let first = tooDeep.first else { return nil }
        let more = tooDeep.count > 1 ? " (so do \(tooDeep.count - 1) more)" : ""
        return TransferReport.Problem(
            path: "id:\(first)",
            reason: "it stands in too many folders to be copied with them\(more); "
                + "export it by its id"
        )
    }

    /// Counts a file in.
    ///
    /// What no program opens by its path, folders thousands deep, would fill the memory: each path has
    /// all above it in it.
    /// - Returns: false when it has to be left out.
    fileprivate mutating func takes(_ file: FileID, at path: String, depth: Int) -> Bool {
        let size = path.utf8.count
        guard size > Int(PATH_MAX) else { return true }
        roomForDeep -= 2 * size + depth * MemoryLayout<FileName>.stride
        guard roomForDeep < 0 else { return true }
        tooDeep.append(file)
        return false
    }

    /// Whether nothing has to be done in the folder that a path below the target stands in.
    func spares(folderOf path: String) -> Bool {
        let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
        return spared.contains(String(path[..<end]))
    }
}

extension LocalTree {
    /// - Parameter name: what a shared file is called here, whose own name is its id.
    func exportTop(_ reference: FileReference, named name: String? = nil) throws -> ExportTop {
        let row = try find(reference)
        if let crossing = try crossing(row) { throw crossing }
        return ExportTop(
            id: row.id,
            type: row.type,
            path: try path(of: row),
            name: row.id == root ? nil : try name.map { try Self.name($0) } ?? self.name(of: row)
        )
    }

    /// Everything below a file, folders before what stands in them, from the directory index alone.
    /// - Parameter sparing: folders on disk that need no look, unless the lockbook changed them
    ///   since this was found out.
    func exportPlan(
        _ top: ExportTop,
        memory: ExportMemory = ExportMemory(),
        sparing: PathSet = []
    ) throws -> ExportPlan {
        guard let row = try row(top.id), try !isDead(row) else {
            throw LockbookError.notFound(path: top.path)
        }
        var plan = ExportPlan(top: top, roomForDeep: environment.deepPathByteCount)
        guard row.type != .document else {
            let entry = try entry(row)
            plan.items = [ExportItem(entry: entry, path: top.path, components: [], folder: "")]
            return plan
        }
        let directories = try directoryStamps()
        var folders: [(id: FileID, path: String, components: [FileName], onDisk: String)] = [
            (top.id, top.path == "/" ? "" : top.path, [], "")
        ]
        while let folder = folders.popLast() {
            /// - Returns: whether it is copied.
            func child(_ id: FileID, _ name: FileName) -> Bool {
                let onDisk = folder.onDisk.isEmpty ? name.text : "\(folder.onDisk)/\(name.text)"
                guard plan.takes(id, at: onDisk, depth: folder.components.count) else {
                    return false
                }
                folders.append(
                    (id, "\(folder.path)/\(name.text)", folder.components + [name], onDisk)
                )
                return true
            }
            let stamp = ExportMemory.stamp(folder.id, directories)
            if sparing.contains(folder.onDisk), let known = memory.folders[folder.onDisk],
                known.id == folder.id, known.directory == stamp
            {
                plan.spared.insert(folder.onDisk)
                for next in known.folders { _ = child(next.id, try Self.name(next.name)) }
                continue
            }
            func append(_ entry: DirectoryEntry) {
                plan.items.append(
                    ExportItem(
                        entry: entry,
                        path: "\(folder.path)/\(entry.name.text)",
                        components: folder.components + [entry.name],
                        folder: folder.onDisk
                    )
                )
            }
            let entries = try shownEntries(of: folder.id).filter { $0.type != .link }
                .sorted { $0.name.text < $1.name.text }
            var documents: PathSet = []
            for entry in entries where entry.type == .document {
                let depth = folder.components.count
                guard plan.takes(entry.id, at: folder.onDisk, depth: depth) else { continue }
                documents.insert(entry.name.text)
                append(entry)
            }
            let below = entries.filter { $0.type == .folder }
            for entry in below where child(entry.id, entry.name) { append(entry) }
            plan.folders[folder.onDisk] = ExportFolder(
                id: folder.id,
                path: folder.onDisk,
                directory: stamp,
                folders: below.map { ExportedFolder.Child(name: $0.name.text, id: $0.id) },
                documents: documents
            )
        }
        return plan
    }

    /// The content of an item as it was when the export began.
    /// - Throws: `damaged` when its blob should be here and is not.
    func openContent(of item: ExportItem) throws -> OpenedContent {
        do {
            return try open(
                item.entry.content,
                of: item.id,
                chunkKey: item.entry.chunkKey,
                path: item.path
            )
        } catch let failure as DiskFailure where failure.code == ENOENT {
            throw LockbookError.damaged(file: item.path, author: "")
        }
    }

    /// As above, for many: one that does not open is no reason to leave out the others.
    func openContents(of items: some Sequence<ExportItem>) throws
        -> [Result<OpenedContent, LockbookError>]
    {
        try items.map { item in
            do {
                return .success(try openContent(of: item))
            } catch let error as LockbookError where error.concernsOneFile {
                return .failure(error)
            }
        }
    }
}
