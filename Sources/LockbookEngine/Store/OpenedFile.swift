import Glibc

/// A file as it was when it was opened, for telling whether another one has its path since.
struct OpenedFile {
    private let path: String
    private let device: dev_t
    private let inode: ino_t

    /// - Returns: nil where nothing is there.
    init?(_ path: String) {
        guard let status = try? Disk.status(path, followLinks: true) else { return nil }
        self.path = path
        (device, inode) = (status.st_dev, status.st_ino)
    }

    /// Meaningful while the file is open: only so long nobody else is given its number.
    var isInPlace: Bool {
        guard let status = try? Disk.status(path, followLinks: true) else { return false }
        return status.st_dev == device && status.st_ino == inode
    }
}
