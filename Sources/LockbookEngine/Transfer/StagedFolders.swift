import CLinux
import Glibc
import LockbookModel

/// Folders that an export makes, which bear other names until all in them is durable: files are
/// written into them under their own names.
struct StagedFolders {
    private struct Folder {
        let path: [FileName]
        let above: DiskFile
        let temporaryName: String
        /// Held open, and so locked.
        let file: DiskFile
        /// This one and those in it, each before what stands in it.
        var paths: [[FileName]]
    }

    private var folders: [Folder] = []
    /// The staged folder that each path belongs to.
    private var tops: [[FileName]: [FileName]] = [:]
    /// Those whose names somebody else took; what is in them is put elsewhere.
    private var displaced: [Folder] = []
    private var made = 0

    var count: Int { folders.count }

    func holds(_ path: [FileName]) -> Bool { tops[path] != nil }

    /// A staged folder itself; those in it are opened through it.
    func open(_ path: [FileName]) -> DiskFile? {
        guard tops[path] == path else { return nil }
        return folders.first { $0.path == path }?.file
    }

    /// Makes a folder beside its place.
    mutating func make(_ name: FileName, at path: [FileName], in above: DiskFile, tag: String)
        throws
    {
        while true {
            made += 1
            let temporary = ExportPlace.temporaryFolder(tag, made)
            try UnfinishedExports.shared.make(in: above, named: temporary) {
                guard mkdirat(above.descriptor, temporary, 0o700) == 0 else {
                    throw DiskFailure(above.path + "/" + name.text)
                }
            }
            do {
                let file = try DiskFile(
                    in: above,
                    temporary,
                    flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW,
                    shownAs: name.text
                )
                while flock(file.descriptor, LOCK_EX) != 0, errno == EINTR {}
                // Another export may have removed it before it was locked.
                guard try file.status().st_nlink > 0 else { continue }
                tops[path] = path
                folders.append(
                    Folder(
                        path: path,
                        above: above,
                        temporaryName: temporary,
                        file: file,
                        paths: [path]
                    )
                )
                return
            } catch let failure as DiskFailure where failure.code == ENOENT {
                continue
            }
        }
    }

    /// Notes a folder that was made in a staged one.
    mutating func add(_ path: [FileName]) {
        guard let top = tops[Array(path.dropLast())],
            let index = folders.firstIndex(where: { $0.path == top })
        else { return }
        tops[path] = top
        folders[index].paths.append(path)
    }

    /// Gives all their names.
    /// - Returns: the paths of those whose names somebody took, and of what is in them.
    mutating func place() throws -> [[FileName]] {
        var taken: [[FileName]] = []
        for folder in folders {
            if try Self.place(folder) {
                // Others may lock it as the top of an export of their own.
                flock(folder.file.descriptor, LOCK_UN)
            } else {
                displaced.append(folder)
                taken.append(contentsOf: folder.paths)
            }
            folders.removeFirst()
            for path in folder.paths { tops[path] = nil }
        }
        return taken
    }

    private static func place(_ folder: Folder) throws -> Bool {
        guard let name = folder.path.last else { return true }
        let above = folder.above
        if try Disk.renameNew(in: above, folder.temporaryName, to: name.text) { return true }
        var status = stat()
        if fstatat(above.descriptor, name.text, &status, AT_SYMLINK_NOFOLLOW) == 0 { return false }
        _ = try Disk.retry(above.path + "/" + name.text) {
            renameat(above.descriptor, folder.temporaryName, above.descriptor, name.text)
        }
        return true
    }

    /// Removes those that have no name of their own, with all that is in them.
    mutating func discard() {
        for folder in folders + displaced {
            Disk.removeTree(folder.temporaryName, in: folder.above)
        }
        folders = []
        displaced = []
        tops = [:]
    }
}
