import Glibc

/// One name in an open folder, where an export writes a file: whole or not at all, and never
/// through a link.
struct ExportPlace: Sendable {
    let folder: DiskFile
    let name: String
    let tag: String
    /// Whether the folder is one that nobody knows yet: nothing stands here.
    let isStaged: Bool
    /// Whether each file has to be made durable by itself.
    var syncsEach = false

    var path: String { folder.path + "/" + name }

    /// The real path of the folder.
    var folderPath: [UInt8] { folder.realPath }

    /// What stands here, links not followed; nil when nothing does.
    func status() throws -> stat? {
        var result = stat()
        if fstatat(folder.descriptor, name, &result, AT_SYMLINK_NOFOLLOW) == 0 { return result }
        guard errno == ENOENT else { throw DiskFailure(path) }
        return nil
    }

    /// Sets the executable bit of the file that stands here for its owner, or takes it from
    /// everybody; its other bits stay.
    /// - Parameter present: how it was found.
    /// - Returns: how it is now; as it was found where the file system has no such bit, and where
    ///   something else stands here by now.
    func setExecutable(_ isExecutable: Bool, _ present: stat) throws -> stat {
        guard present.isExecutable != isExecutable else { return present }
        do {
            return try markExecutable(isExecutable, present)
        } catch let failure as DiskFailure where failure.refusesFacts {
            // Where nobody may, or a disk knows no such bit, the bytes are what there is.
            return present
        }
    }

    private func markExecutable(_ isExecutable: Bool, _ present: stat) throws -> stat {
        let file = try DiskFile(in: folder, name, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        let status = try file.status()
        guard DiskStamp(present).matches(status) else { return present }
        let bits = status.st_mode & 0o7777
        let mode = isExecutable ? bits | 0o100 : bits & ~0o111
        _ = try Disk.retry(path) { fchmod(file.descriptor, mode) }
        return try file.status()
    }
}
