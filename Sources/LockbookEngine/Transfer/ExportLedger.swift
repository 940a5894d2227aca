import Glibc
import LockbookModel

/// Gathers what an export will remember, beside what it knew before.
struct ExportLedger {
    let source: ExportedID
    let memory: ExportMemory
    private var written: PathMap<PathMap<ExportedFile>> = [:]
    private var unfinished: PathSet = []
    private var made: PathSet = []
    private var inodes: PathMap<UInt64> = [:]
    private var removed: PathMap<PathSet> = [:]
    private var removedFolders: PathSet = []
    private var known: PathMap<PathMap<ExportedFile>> = [:]
    /// Folders with files that an export wrote, and that were copied or touched since.
    private var copied: PathSet = []
    private var ids: PathMap<ExportedID> = [:]
    /// Folders that were made, and are not foreseen yet.
    private var fresh: PathSet = []
    /// Folders that the store has under paths that are spelled otherwise.
    private let moved: [String]

    /// - Parameter moved: the paths that folders had, and those that they are remembered by now.
    init(source: ExportedID, memory: ExportMemory, moved: [(old: String, new: String)] = []) {
        self.source = source
        self.memory = memory
        self.moved = moved.map(\.new)
        for folder in moved { removedFolders.insert(folder.old) }
    }

    mutating func begin(_ plan: ExportPlan) {
        ids = plan.folders.mapValues(\.id)
        // What a name keeps out is told each time.
        for path in plan.misnamed.keys { unfinished.insert(path.folderAndName.folder) }
    }

    /// What has to be known of files that are about to take their places, and of the folders that
    /// were made for them since the last time.
    mutating func placing(_ files: [(item: ExportItem, written: ExportPlace.Written)])
        -> [ExportedFolder]
    {
        var placed: PathMap<[ExportedFile]> = [:]
        for path in fresh { placed[path] = [] }
        fresh = []
        for (item, written) in files {
            placed[item.folder, default: []].append(
                ExportedFile(item, status: written.status, digest: written.digest)
            )
        }
        return placed.map { path, files in
            var row = ExportedFolder(path: path, source: source, id: ids[path] ?? source)
            row.isMade = made.contains(path)
            row.inode = inodes[path] ?? 0
            row.files = ExportedFiles(files)
            return row
        }
    }

    /// What an earlier export wrote here, whether or not it was of the same folder.
    mutating func known(_ item: ExportItem) -> ExportedFile? {
        if let files = known[item.folder] { return files[item.name] }
        var files: PathMap<ExportedFile> = [:]
        if let folder = memory.folders[item.folder] {
            for file in folder.gone.all + folder.files.all { files[file.name] = file }
        }
        known[item.folder] = files
        return files[item.name]
    }

    mutating func note(_ item: ExportItem, _ file: ExportedFile) {
        written[item.folder, default: [:]][file.name] = file
    }

    /// Notes a file that is on disk already.
    ///
    /// One that an export wrote, and that was copied or touched since, stands in folders that may be
    /// copies as well.
    mutating func keep(_ item: ExportItem, _ file: ExportedFile) {
        note(item, file)
        guard !file.isFound, known(item)?.stamp != file.stamp else { return }
        noteCopy(in: item.folder)
    }

    /// Notes that a file in a folder is what an export wrote, copied or touched since.
    mutating func noteCopy(in folder: String) {
        // From the folder that it stands in up to one that is known to be a copy, as all above it are.
        var folder = folder
        while copied.insert(folder), !folder.isEmpty {
            folder = folder.folderAndName.folder
        }
    }

    /// Whether a folder may be a copy of the one that an export made.
    func isCopy(folder path: String) -> Bool { copied.contains(path) }

    mutating func note(folder path: String, _ status: stat, made isMade: Bool) {
        inodes[path] = UInt64(status.st_ino)
        if isMade, made.insert(path) { fresh.insert(path) }
    }

    /// Something in the folder is not on disk as it is in the lockbook: look again next time.
    mutating func leave(_ item: ExportItem) {
        unfinished.insert(item.folder)
    }

    mutating func forget(_ name: String, in folder: String) {
        removed[folder, default: []].insert(name)
    }

    mutating func forget(folder path: String) {
        removedFolders.insert(path)
    }

    /// Whether a file that was remembered is known not to be there any more.
    func hasForgotten(_ name: String, in folder: String) -> Bool {
        removed[folder]?.contains(name) == true
    }

    func hasForgotten(folder path: String) -> Bool { removedFolders.contains(path) }

    /// What has to be put down: folders that are remembered otherwise now, and those to forget.
    func changes(after plan: ExportPlan) -> (folders: [ExportedFolder], forgotten: [String]) {
        var changed: [ExportedFolder] = []
        for folder in plan.folders.values { changed.append(row(of: folder, plan)) }
        if plan.folders.isEmpty, plan.spared.isEmpty, let file = written[""]?[""] {
            // A document alone.
            var row = ExportedFolder(path: "", source: source, id: source)
            row.files = ExportedFiles([file])
            changed.append(row)
        }
        for (path, names) in removed where plan.folders[path] == nil {
            guard !removedFolders.contains(path), var row = memory.folders[path] else { continue }
            row.directory = []
            row.files = ExportedFiles(row.files.all.filter { !names.contains($0.name) })
            row.gone = ExportedFiles(row.gone.all.filter { !names.contains($0.name) })
            changed.append(row)
        }
        for path in moved
        where plan.folders[path] == nil && removed[path] == nil && !removedFolders.contains(path) {
            if let row = memory.folders[path] { changed.append(row) }
        }
        return (changed.filter { $0.encoded() != memory.encoded[$0.path] }, removedFolders.sorted())
    }

    /// Whether something that a link led to is still remembered where that stood.
    func hasLeft(
        _ child: ExportedFolder.Child,
        in folder: ExportedFolder,
        _ plan: ExportPlan
    ) -> Bool {
        if namesLeft(in: folder, plan).contains(child.name) { return true }
        let place = PathTops([folder.subpath(of: child.name)])
        return memory.folders.values.contains { row in
            row.source.isSame(as: source) && place.above(row.path) != nil
                && !namesLeft(in: row, plan).isEmpty
        }
    }

    /// The files in a folder that are remembered, and are not in the lockbook any more.
    private func namesLeft(in folder: ExportedFolder, _ plan: ExportPlan) -> PathSet {
        let isSpared = plan.spared.contains(folder.path)
        let present = plan.folders[folder.path]?.documents ?? []
        let removed = removed[folder.path] ?? []
        let files = isSpared ? folder.gone.all : folder.gone.all + folder.files.all
        return PathSet(
            files.map(\.name).filter { !present.contains($0) && !removed.contains($0) }
        )
    }

    private func row(of folder: ExportFolder, _ plan: ExportPlan) -> ExportedFolder {
        var row = ExportedFolder(path: folder.path, source: source, id: folder.id)
        let inode = inodes[folder.path] ?? 0
        var files = written[folder.path] ?? [:]
        var gone: PathMap<ExportedFile> = [:]
        // What the export of another folder wrote is nobody's now: it will not be removed.
        if let before = memory.folders[folder.path], before.source.isSame(as: source) {
            let left = removed[folder.path] ?? []
            for file in before.gone.all + before.files.all where !left.contains(file.name) {
                if !folder.documents.contains(file.name) {
                    gone[file.name] = file
                } else if files[file.name] == nil {
                    files[file.name] = file
                }
            }
            row.linked = before.linked.filter {
                !folder.linked.contains($0) && hasLeft($0, in: before, plan)
            }
            // Where something stood in its way, it is what it was.
            row.inode = before.inode
            row.isMade =
                before.isMade
                && (inode == 0 || before.inode == inode || copied.contains(folder.path))
        }
        row.isMade = row.isMade || made.contains(folder.path)
        if inode != 0 { row.inode = inode }
        row.folders = folder.folders
        row.linked += folder.linked
        row.files = ExportedFiles(files.values.sorted { $0.name < $1.name })
        row.gone = ExportedFiles(gone.values.sorted { $0.name < $1.name })
        // An export that failed has not come to all of them.
        let isWhole =
            !unfinished.contains(folder.path)
            && written[folder.path, default: [:]].count == folder.documents.count
        if isWhole, inode != 0 { row.directory = folder.directory }
        return row
    }
}
