import CLinux
import Glibc
import LockbookCrypto
import LockbookModel

/// The place on disk that an export writes to; every step goes through open folders, so that no
/// symbolic link can lead elsewhere.
final class ExportTarget {
    let top: DiskFile
    private let tag: String
    private let early = EarlySync()
    private var held: LockFile?
    /// What the exported file itself is called here; nil when the top folder is the file.
    let single: String?
    /// By their paths below the target, as everything here: one may have thousands of steps.
    private var folders: PathMap<DiskFile> = [:]
    private var folderOrder: [String] = []
    private var staged = StagedFolders()
    /// Whether no `syncfs` reaches what is written.
    private let isOnFUSE: Bool
    /// Of the top folder: what is mounted below it no `syncfs` there reaches either.
    private let device: dev_t
    /// Folders with new names in them, which have to be made durable so.
    private var renamed: PathSet = []
    /// Whether this export made the top folder.
    let isMade: Bool
    /// The place's path, by which a later export knows it again.
    let identity: [UInt8]

    /// - Parameters:
    ///   - type: of what is to be written here.
    ///   - exported: its name, under which it goes into a folder that is there; nil for the contents
    ///     of a folder.
    ///   - tag: tells the unfinished files of this export from those of others.
    init(_ destination: String, of type: FileType, named exported: FileName?, tag: String) throws {
        self.tag = tag
        (top, single, isMade) = try ExportTarget.open(destination, of: type, named: exported)
        isOnFUSE = top.isOnFUSE
        device = try top.status().st_dev
        identity = top.realPath + Array((single.map { "/" + $0 } ?? "").utf8)
    }

    /// Keeps this export apart from all others of this device to this place, until it ends.
    ///
    /// What each of them wrote is noted at its end, and another one that began before would take it
    /// for somebody else's. The lock is in the data directory: whoever may read the place could hold
    /// one there for ever.
    /// - Parameter waits: whether another one has a quarter of a minute to end.
    /// - Throws: `.busy` during another one.
    func lock(for lockbook: Lockbook, waits: Bool) async throws {
        do {
            held = try await lockbook.lock(
                LockFile.file(Self.lockPath(lockbook.account.directory)),
                at: Int64(Hash256(sha256: top.realPath).firstHalf.0 >> 2),
                from: other,
                seconds: waits ? 15 : 0
            )
        } catch is DiskFailure {
            // Where nothing can be written, or the file system has no locks, nothing can be kept apart.
        }
    }

    /// A file that has a lock for each place, at a byte that follows from its path.
    static func lockPath(_ directory: String) -> String { directory + "/export.lock" }

    private var other: String { "another export to \(top.path)" }

    /// Makes all contents and names durable at once, but for those that have to be by themselves.
    func finish() throws {
        try early.finish()
        _ = try Disk.retry(top.path) { syncfs(top.descriptor) }
    }

    /// Makes all names and contents durable.
    func finishNames() throws {
        try finish()
        for path in renamed {
            do {
                try folder(path).sync()
            } catch let failure as DiskFailure where [ENOENT, ENOTDIR].contains(failure.code) {
                // What somebody removed meanwhile has no names.
            }
        }
        renamed = []
    }

    /// Notes that something in a folder has a new name, or has none any more.
    /// - Parameter path: that of the folder.
    func noteName(in folder: DiskFile, at path: String) throws {
        if try syncsEach(in: folder) { renamed.insert(path) }
    }

    /// Whether each file, and the folder, has to be made durable by itself.
    private func syncsEach(in folder: DiskFile) throws -> Bool {
        try isOnFUSE || folder.status().st_dev != device
    }

    /// Lets the disk begin with what is written so far, while more is written.
    func begin() { early.begin(top) }

    /// Where a file is on disk, for reports.
    func path(of path: String) -> String { "\(top.path)/\(single ?? path)" }

    /// Makes a folder, unless it is there.
    /// - Parameter staging: whether it is staged where it stands in one that is there.
    /// - Returns: what stands there now, and whether it was made.
    func makeFolder(_ path: String, staging: Bool = true) throws -> (status: stat, isMade: Bool) {
        guard !path.isEmpty else { return (try top.status(), false) }
        let (abovePath, name) = path.folderAndName
        let above = try folder(abovePath)
        var isMade = false
        if !staging || staged.holds(abovePath) {
            isMade = mkdirat(above.descriptor, name, 0o700) == 0
            guard isMade || errno == EEXIST else { throw DiskFailure(above.path + "/" + name) }
            staged.add(path, in: abovePath)
        } else {
            var status = stat()
            if fstatat(above.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) != 0 {
                guard errno == ENOENT else { throw DiskFailure(above.path + "/" + name) }
                try staged.make(name, at: path, in: above, tag: tag)
                isMade = true
            }
        }
        if isMade { try noteName(in: above, at: abovePath) }
        let folder = try folder(path)
        // A mask may have taken rights away that the owner needs. What cannot be set is no reason
        // to leave out what goes into the folder.
        if isMade { _ = try? folder.setMode(0o700) }
        return (try folder.status(), isMade)
    }

    /// Where a file stands below the target.
    func place(_ path: String) throws -> ExportPlace {
        let (above, name) = single.map { (folder: "", name: $0) } ?? path.folderAndName
        guard !name.isEmpty else { throw DiskFailure(top.path, code: EINVAL) }
        let folder = try folder(above)
        return ExportPlace(
            folder: folder,
            name: name,
            tag: tag,
            isStaged: staged.holds(above),
            syncsEach: try syncsEach(in: folder)
        )
    }

    /// How many folders wait for their names.
    var stagedCount: Int { staged.count }

    /// Gives the staged folders their names; all in them is durable.
    ///
    /// Where somebody took one meanwhile, what was written into it has to be put where `place` says now.
    func placeStaged() throws -> StagedFolders.Unplaced {
        let unplaced = try staged.place()
        for path in unplaced.refused.flatMap({ $0.paths }) { forget(path) }
        for path in unplaced.taken {
            forget(path)
            // Where it cannot be, each file that belongs there says so.
            _ = try? makeFolder(path, staging: false)
        }
        return unplaced
    }

    /// Removes staged folders that have no names of their own, with what is left in them.
    func discardStaged() { staged.discard() }

    private func forget(_ path: String) {
        folders[path] = nil
        folderOrder.removeAll { $0.utf8.elementsEqual(path.utf8) }
    }

    /// Opens a folder step by step below the top, and clears it of what a killed export left.
    private func folder(_ path: String) throws -> DiskFile {
        var known = opened(path)
        if let known { return known }
        // The folder above is most often open.
        var above = path
        var steps: [String] = []
        while known == nil, !above.isEmpty {
            let step = above.folderAndName
            steps.append(step.name)
            above = step.folder
            if !above.isEmpty { known = opened(above) }
        }
        let current = try (known ?? top).descend(steps.reversed())
        if !staged.holds(path) { removeLeftovers(in: current) }
        // A few stay open: files come folder by folder.
        if folderOrder.count >= DiskExport.keptFolders {
            folders[folderOrder.removeFirst()] = nil
        }
        folders[path] = current
        folderOrder.append(path)
        return current
    }

    /// Removes what a killed export left in a folder.
    func removeLeftovers(in folder: DiskFile) {
        ExportPlace.removeLeftovers(in: folder, for: tag, isShared: folder.isShared)
    }

    private func opened(_ path: String) -> DiskFile? {
        folders[path] ?? staged.open(path)
    }
}
