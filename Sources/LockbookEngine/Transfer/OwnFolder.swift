import Glibc

/// The folder of the lockbook itself: its keys must not become notes, and no note may lie there in
/// clear.
struct OwnFolder {
    private let path: String
    private let device: dev_t
    private let inode: ino_t

    /// Why an export leaves it alone.
    static let obstacle = "it is the folder of this lockbook itself, with its keys"

    /// - Parameter directory: the data directory; it is there as long as the lockbook is open.
    init(_ directory: String) throws {
        path = Disk.realPath(of: directory) ?? directory
        let status = try Disk.status(directory, followLinks: true)
        (device, inode) = (status.st_dev, status.st_ino)
    }

    /// Whether a folder of the disk is that of any lockbook, of another profile say.
    /// - Parameter names: what stands in the folder.
    static func isOne(_ folder: DiskFile, _ names: [[UInt8]]) -> Bool {
        [AccountFile.fileName, AccountFile.leavingName].contains { name in
            guard names.contains(Array(name.utf8)),
                let file = try? DiskFile(
                    in: folder,
                    name,
                    flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK
                ),
                let status = try? file.status(), status.st_mode & S_IFMT == S_IFREG,
                let bytes = try? file.read(65_536, at: 0)
            else { return false }
            return AccountFile.isKey(bytes)
        }
    }

    func isSame(as status: stat) -> Bool { status.st_dev == device && status.st_ino == inode }

    /// Whether a path is the folder, or in it, links followed; of one that is not there yet, its
    /// nearest folder that is.
    func holds(_ place: String) -> Bool {
        var place = place
        while true {
            if let real = Disk.realPath(of: place) {
                return real == path || real.isBelow(path)
            }
            let above = Disk.parent(of: place)
            guard above != place else { return false }
            place = above
        }
    }
}

extension Lockbook {
    /// Refuses the lockbook's own folder as what is imported, or where to is exported.
    func refuseOwnFolder(_ places: [String]) throws {
        do {
            let own = try OwnFolder(account.directory)
            for place in places where own.holds(place) {
                throw LockbookError.badPath(
                    path: place,
                    reason: "it is in the folder of this lockbook itself, with its keys"
                )
            }
        } catch let failure as DiskFailure {
            throw LockbookError.io(path: failure.path, reason: failure.reason)
        }
    }
}
