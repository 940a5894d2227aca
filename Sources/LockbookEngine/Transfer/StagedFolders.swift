import CLinux
import Glibc

/// Folders that an export makes, which bear other names until all in them is durable: files are
/// written into them under their own names.
struct StagedFolders {
    private struct Folder {
        let number: Int
        let name: String
        let above: DiskFile
        let temporaryName: String
        /// Held open, and so locked.
        let file: DiskFile
        /// This one and those in it, each before what stands in it.
        var paths: [String]
    }

    /// Those that did not get their names.
    struct Unplaced {
        /// The paths of those whose names somebody took, and of what is in them.
        var taken: [String] = []
        /// Of each whose name the file system does not give its path, those of what is in it, and why.
        var refused: [(paths: [String], failure: DiskFailure)] = []
    }

    private var folders: [Folder] = []
    /// The number of the staged folder that each path belongs to, and whether it is that one.
    private var tops: PathMap<(number: Int, isTop: Bool)> = [:]
    /// Those that did not get their names; what can go elsewhere of what is in them is put there.
    private var displaced: [Folder] = []
    private var made = 0

    var count: Int { folders.count }

    func holds(_ path: String) -> Bool { tops[path] != nil }

    /// A staged folder itself; those in it are opened through it.
    func open(_ path: String) -> DiskFile? {
        guard let (number, isTop) = tops[path], isTop else { return nil }
        return folders.first { $0.number == number }?.file
    }

    /// Makes a folder beside its place.
    mutating func make(_ name: String, at path: String, in above: DiskFile, tag: String) throws {
        while true {
            made += 1
            let temporary = ExportPlace.temporaryFolder(tag, made)
            try UnfinishedExports.shared.make(in: above, named: temporary) {
                guard mkdirat(above.descriptor, temporary, 0o700) == 0 else {
                    throw DiskFailure(above.path + "/" + name)
                }
            }
            do {
                let file = try DiskFile(
                    in: above,
                    temporary,
                    flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW,
                    shownAs: name
                )
                while flock(file.descriptor, LOCK_EX) != 0, errno == EINTR {}
                // Another export may have removed it before it was locked.
                guard try file.status().st_nlink > 0 else { continue }
                tops[path] = (number: made, isTop: true)
                folders.append(
                    Folder(
                        number: made,
                        name: name,
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
    mutating func add(_ path: String, in above: String) {
        guard let number = tops[above]?.number,
            let index = folders.firstIndex(where: { $0.number == number })
        else { return }
        tops[path] = (number: number, isTop: false)
        folders[index].paths.append(path)
    }

    /// Gives all their names.
    mutating func place() throws -> Unplaced {
        var unplaced = Unplaced()
        for folder in folders {
            do {
                if try !Self.place(folder) {
                    displaced.append(folder)
                    unplaced.taken += folder.paths
                }
            } catch let failure as DiskFailure where !failure.endsExport && failure.code != EIO {
                // As a colon on FAT, which tells that only now: the others have their names to get.
                displaced.append(folder)
                unplaced.refused.append((folder.paths, failure))
            }
            folders.removeFirst()
            for path in folder.paths { tops[path] = nil }
        }
        return unplaced
    }

    private static func place(_ folder: Folder) throws -> Bool {
        let (above, name) = (folder.above, folder.name)
        if try Disk.renameNew(in: above, folder.temporaryName, to: name) { return true }
        var status = stat()
        if fstatat(above.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return false }
        _ = try Disk.retry(above.path + "/" + name) {
            renameat(above.descriptor, folder.temporaryName, above.descriptor, name)
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
