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

    /// Whether a file system refuses to give a file a mode or a time: it keeps none, or belongs to
    /// somebody else.
    ///
    /// On one that cannot be written at all any more, the next write says so.
    var refusesFacts: Bool { [EPERM, EACCES, EROFS, ENOTSUP, ENOSYS].contains(code) }
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

    /// Reads on to the end of the file, in pieces of at most 256 KiB.
    /// - Parameter limit: how many bytes at most: somebody else's file may grow faster than it is read.
    func readAll(atMost limit: Int = .max, _ body: (_ piece: [UInt8]) throws -> Void) throws {
        var left = limit
        while left > 0, case let piece = try read(min(left, 262_144)), !piece.isEmpty {
            left -= piece.count
            try body(piece)
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
        do {
            _ = try Disk.retry(path) { fsync(descriptor) }
        } catch let failure as DiskFailure where failure.code == EINVAL {
            // Where there is no such call, as for folders on vboxsf and 9p, nobody can do more.
        }
    }

    /// Asks for what NFS, sshfs or a quota tells only when a file is closed: that what was written
    /// did not arrive.
    func flush() throws {
        let copy = try Disk.retry(path) { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
        // It is closed also where that is interrupted.
        guard close(copy) == 0 || errno == EINTR else { throw DiskFailure(path) }
    }

    /// Gives it a mode; a file system without modes refuses that, or passes it over.
    /// - Returns: how it is now.
    func setMode(_ mode: mode_t) throws -> stat {
        let present = try status()
        guard present.st_mode & 0o777 != mode else { return present }
        do {
            _ = try Disk.retry(path) { fchmod(descriptor, mode) }
        } catch let failure as DiskFailure where failure.refusesFacts {
            return present
        }
        return try status()
    }

    /// Gives it a time; a network disk may refuse that to whoever does not own the file there.
    /// - Returns: whether it has that time now.
    func setTime(_ time: timespec) throws -> Bool {
        do {
            _ = try Disk.retry(path) { futimens(descriptor, [time, time]) }
            return true
        } catch let failure as DiskFailure where failure.refusesFacts {
            return false
        }
    }

    /// Whether a program serves the file system that it is on, which no `syncfs` reaches.
    var isOnFUSE: Bool { fileSystem == Self.fuse }

    /// Whether other machines may write to the file system that it is on: NFS, SMB, 9P, and FUSE, as
    /// `sshfs` is one.
    var isShared: Bool {
        fileSystem.map { [Self.fuse, 0x6969, 0xff53_4d42, 0xfe53_4d42, 0x0102_1997].contains($0) }
            ?? false
    }

    // As all of these in the kernel's `linux/magic.h`.
    private static let fuse: UInt32 = 0x6573_5546
    private static let memory: UInt32 = 0x0102_1994

    private var fileSystem: UInt32? { facts.map { UInt32(truncatingIfNeeded: $0.f_type) } }

    /// Tells the file system that it is on from others, also when it is mounted the next time.
    ///
    /// Empty where nothing does: in memory, where each is a new one, or as the system does not say.
    var fileSystemID: [UInt8] {
        guard let facts, fileSystem != Self.memory else { return [] }
        return withUnsafeBytes(of: facts.f_fsid) { Array($0) }
    }

    private var facts: statfs? {
        var facts = statfs()
        return fstatfs(descriptor, &facts) == 0 ? facts : nil
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
