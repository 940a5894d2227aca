import CLinux
import Glibc

/// A system call that failed on a path.
struct DiskFailure: Error, Equatable {
    let path: String
    let code: Int32

    init(_ path: String, code: Int32 = errno) {
        self.path = path
        self.code = code
    }

    var reason: String { String(cString: strerror(code)) }
}

/// An open file descriptor that closes itself.
final class DiskFile: Sendable {
    let descriptor: Int32
    let path: String

    init(_ path: String, flags: Int32) throws {
        self.path = path
        descriptor = try Disk.retry(path) { open(path, flags | O_CLOEXEC, 0o600) }
    }

    /// Opens a name inside an open folder.
    /// - Parameter shownName: what it is called in failures, where that is another name.
    init(
        in folder: DiskFile,
        _ name: String,
        flags: Int32,
        mode: mode_t = 0o600,
        shownAs shownName: String? = nil
    ) throws {
        path = folder.path + "/" + (shownName ?? name)
        let folderDescriptor = folder.descriptor
        descriptor = try Disk.retry(path) {
            openat(folderDescriptor, name, flags | O_CLOEXEC, mode)
        }
    }

    deinit {
        close(descriptor)
    }

    /// At most this many bytes; an empty array is the end.
    func read(_ count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = try Disk.retry(path) { Glibc.read(descriptor, buffer.baseAddress, count) }
        }
    }

    /// Exactly these bytes of the file, or fewer at its end.
    func read(_ count: Int, at offset: UInt64) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = try Disk.retry(path) {
                    pread(
                        descriptor,
                        buffer.baseAddress.map { $0 + filled },
                        count - filled,
                        off_t(offset) + off_t(filled)
                    )
                }
                guard got > 0 else { break }
                filled += got
            }
        }
    }

    func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                done += try Disk.retry(path) {
                    Glibc.write(
                        descriptor,
                        buffer.baseAddress.map { $0 + done },
                        buffer.count - done
                    )
                }
            }
        }
    }

    func sync() throws {
        _ = try Disk.retry(path) { fsync(descriptor) }
    }

    /// Where the file is at this moment, without links; the path it was opened by when the system
    /// does not tell.
    var realPath: [UInt8] {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count - 1)
        return count > 0 ? buffer.prefix(count).map { UInt8(bitPattern: $0) } : Array(path.utf8)
    }

    func status() throws -> stat {
        var result = stat()
        _ = try Disk.retry(path) { fstat(descriptor, &result) }
        return result
    }
}

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
            let above = path.hasPrefix("/") ? "/" + parent : parent
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
        let file = try DiskFile(temporary, flags: O_WRONLY | O_CREAT | O_TRUNC)
        _ = try retry(temporary) { fchmod(file.descriptor, 0o600) }
        try file.write(bytes)
        try file.sync()
        _ = try retry(path) { rename(temporary, path) }
        try syncFolder(parent(of: path))
    }

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
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func name(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return path }
        return String(path[path.index(after: slash)...])
    }

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

    /// Removes a folder and what is in it, as far as it can be removed; follows no link.
    ///
    /// Two are open at once, however deep it goes: folders that stand in one of its folders are moved
    /// up into it first, under names that begin with its own.
    static func removeTree(_ name: String, in above: DiskFile) {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
        guard let top = try? DiskFile(in: above, name, flags: flags) else { return }
        var pending = removeFiles(in: top)
        var moved = 0
        while let next = pending.popLast() {
            if let folder = try? DiskFile(in: top, next, flags: flags) {
                for child in removeFiles(in: folder) {
                    moved += 1
                    let aside = "\(name)-\(moved)"
                    if renameat(folder.descriptor, child, top.descriptor, aside) == 0 {
                        pending.append(aside)
                    }
                }
            }
            unlinkat(top.descriptor, next, AT_REMOVEDIR)
        }
        unlinkat(above.descriptor, name, AT_REMOVEDIR)
    }

    /// Removes files and empty folders from a folder.
    /// - Returns: the names of what is left.
    private static func removeFiles(in folder: DiskFile) -> [String] {
        ((try? names(in: folder)) ?? []).map { String(decoding: $0, as: UTF8.self) }.filter {
            unlinkat(folder.descriptor, $0, 0) != 0
                && unlinkat(folder.descriptor, $0, AT_REMOVEDIR) != 0
        }
    }

    /// Names in a folder, as bytes; `.` and `..` left out.
    static func names(in folder: DiskFile) throws -> [[UInt8]] {
        let copy = try retry(folder.path) { fcntl(folder.descriptor, F_DUPFD_CLOEXEC, 0) }
        guard let stream = fdopendir(copy) else {
            close(copy)
            throw DiskFailure(folder.path)
        }
        defer { closedir(stream) }
        rewinddir(stream)
        var names: [[UInt8]] = []
        errno = 0
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { raw in
                Array(raw.prefix { $0 != 0 })
            }
            if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw DiskFailure(folder.path) }
        return names
    }
}
