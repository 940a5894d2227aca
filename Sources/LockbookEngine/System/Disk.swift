import CLinux
import Glibc

/// System calls on paths.
enum Disk {
    /// Repeats an interrupted call and turns a failed one into an error.
    static func retry<Result: SignedInteger>(_ path: String, _ call: () -> Result) throws -> Result
    {
        while true {
            let result = call()
            if result >= 0 { return result }
            guard errno == EINTR else { throw DiskFailure(path) }
        }
    }

    static func status(_ path: String, followLinks: Bool = false) throws -> stat {
        var result = stat()
        _ = try retry(path) { followLinks ? stat(path, &result) : lstat(path, &result) }
        return result
    }

    /// How many bytes a file of this process may have; nil where nobody said so.
    static var sizeLimit: UInt64? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0,
            limit.rlim_cur < UInt64(Int64.max)
        else { return nil }
        return UInt64(limit.rlim_cur)
    }

    static func exists(_ path: String) -> Bool {
        var result = stat()
        return lstat(path, &result) == 0
    }

    static func isLink(_ path: String) -> Bool {
        (try? status(path)).map { $0.st_mode & S_IFMT == S_IFLNK } ?? false
    }

    /// Makes a folder and what is missing above it, all for this user alone; what was made above
    /// it is durable.
    static func makeFolder(_ path: String) throws {
        if mkdir(path, 0o700) == 0 { return }
        switch errno {
        case EEXIST:
            guard try status(path, followLinks: true).st_mode & S_IFMT == S_IFDIR else {
                throw DiskFailure(path, code: ENOTDIR)
            }
        case ENOENT:
            let parent = path.steps.dropLast().joined(separator: "/")
            guard !parent.isEmpty else { throw DiskFailure(path) }
            let above = path.beginsWithSlash ? "/" + parent : parent
            try makeFolder(above)
            try syncFolder(self.parent(of: above))
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw DiskFailure(path) }
        default:
            throw DiskFailure(path)
        }
    }

    /// Makes names in a folder durable.
    static func syncFolder(_ path: String) throws {
        try DiskFile(path, flags: O_RDONLY | O_DIRECTORY).sync()
    }

    /// Writes a file so that at every moment there is the old one or the new one, then makes it
    /// durable.
    static func replace(_ path: String, with bytes: [UInt8]) throws {
        let temporary = path + ".new"
        // What a program left that was killed; and nobody else has this file open, or leads it elsewhere.
        try remove(temporary)
        let file = try DiskFile(temporary, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
        do {
            _ = try retry(temporary) { fchmod(file.descriptor, 0o600) }
            try file.write(bytes)
            try file.sync()
            _ = try retry(path) { rename(temporary, path) }
        } catch {
            // It may hold a key, and on a full disk it would take the room that is needed to make some.
            unlink(temporary)
            throw error
        }
        try syncFolder(parent(of: path))
    }

    /// What is in a small file, and of a larger one the beginning: a mebibyte, or a little more.
    static func contents(of path: String) throws -> [UInt8] {
        let file = try DiskFile(path, flags: O_RDONLY)
        var bytes: [UInt8] = []
        while bytes.count < 1 << 20 {
            let piece = try file.read(65_536)
            if piece.isEmpty { break }
            bytes.append(contentsOf: piece)
        }
        return bytes
    }

    static func parent(of path: String) -> String {
        guard path.utf8.contains(UInt8(ascii: "/")) else { return "." }
        let folder = path.folderAndName.folder
        return folder.isEmpty ? "/" : folder
    }

    static func name(of path: String) -> String { path.folderAndName.name }

    /// A path without links, `.` and `..`; nil when nothing is there.
    static func realPath(of path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    static func remove(_ path: String) throws {
        guard unlink(path) == 0 || errno == ENOENT else { throw DiskFailure(path) }
    }

    /// Gives a file in a folder another name, unless something has it.
    /// - Returns: false where something has it, or where the file system cannot tell in one step.
    static func renameNew(in folder: DiskFile, _ name: String, to newName: String) throws -> Bool {
        try renameNew(in: folder, name, to: newName, in: folder)
    }

    static func renameNew(
        in folder: DiskFile,
        _ name: String,
        to newName: String,
        in newFolder: DiskFile
    ) throws -> Bool {
        // RENAME_NOREPLACE of the kernel's `linux/fs.h`.
        if renameat2(folder.descriptor, name, newFolder.descriptor, newName, 1) == 0 { return true }
        guard [EEXIST, EINVAL, ENOSYS, EOPNOTSUPP].contains(errno) else {
            throw DiskFailure(newFolder.path + "/" + newName)
        }
        return false
    }
}
