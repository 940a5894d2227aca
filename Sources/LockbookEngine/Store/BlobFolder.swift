import Glibc
import LockbookCrypto
import LockbookModel

/// The large blobs of one device: one file each, under its name.
///
/// A user may have moved the folder to another disk, with a link in its place, where other files are, too.
struct BlobFolder: Sendable {
    /// Smaller blobs are rows of the database.
    static let rowByteCount = 65_536
    /// How the names begin of blobs that have no name yet.
    static let unfinished = "new-"
    /// How the names begin of those that are fetched.
    private static let part = "part-"

    let path: String
    /// Where blobs are that are not in this folder; nothing is ever written there.
    let original: String?

    init(_ path: String, over original: String? = nil) {
        self.path = path
        self.original = original
    }

    func path(of name: BlobName) -> String { "\(path)/\(name)" }

    /// A place for a blob whose name is not known yet, which is locked while it is open.
    func temporary(random: RandomSource) throws -> DiskFile {
        try Disk.makeFolder(path)
        let file = try DiskFile(
            "\(path)/\(Self.unfinished)\(random.bytes(8).hex)",
            flags: O_RDWR | O_CREAT | O_EXCL
        )
        // Where there are no locks its age has to do.
        while flock(file.descriptor, LOCK_EX | LOCK_NB) != 0, errno == EINTR {}
        return file
    }

    /// Removes a blob that is not whole.
    ///
    /// Not one that a process is at work on: it may wait for hours until a pipe gives more, or the machine
    /// slept.
    func removeUnfinished(_ name: String) throws {
        let path = "\(path)/\(name)"
        // On NFS only who may write it gets the lock.
        if let file = try? DiskFile(path, flags: O_RDWR | O_NOFOLLOW | O_NONBLOCK),
            flock(file.descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK
        {
            return
        }
        try Disk.remove(path)
    }

    /// Where a download goes on: the part of a blob that is here already.
    func partial(of name: BlobName) throws -> DiskFile {
        try Disk.makeFolder(path)
        return try DiskFile("\(path)/\(Self.part)\(name)", flags: O_RDWR | O_CREAT)
    }

    /// Makes a finished file durable under its name, before a transaction refers to it.
    func keep(_ file: DiskFile, as name: BlobName) throws {
        try file.sync()
        let target = path(of: name)
        _ = try Disk.retry(target) { rename(file.path, target) }
        try Disk.syncFolder(path)
        // The folder itself may be new, or be left by a process that was killed before this.
        try Disk.syncFolder(Disk.parent(of: path))
    }

    func discard(_ file: DiskFile) {
        unlink(file.path)
    }

    func remove(_ name: BlobName) {
        unlink(path(of: name))
    }

    func has(_ name: BlobName) -> Bool {
        Disk.exists(path(of: name)) || original.map { Disk.exists("\($0)/\(name)") } ?? false
    }

    func open(_ name: BlobName) throws -> DiskFile {
        if let original, !Disk.exists(path(of: name)) {
            return try DiskFile("\(original)/\(name)", flags: O_RDONLY)
        }
        return try DiskFile(path(of: name), flags: O_RDONLY)
    }

    /// The names of all blobs in the folder, and of those that are not whole; no other file's.
    func names() throws -> [String] {
        try Disk.names(in: DiskFile(path, flags: O_RDONLY | O_DIRECTORY))
            .map { String(decoding: $0, as: UTF8.self) }
            .filter { Self.isOwn($0) }
    }

    private static func isOwn(_ name: String) -> Bool {
        if name.hasPrefix(unfinished) {
            return [UInt8](hex: name.dropFirst(unfinished.count))?.count == 8
        }
        return Self.name(name.hasPrefix(part) ? name.dropFirst(part.count) : name[...]) != nil
    }

    /// The blob that a file of this name has; nil for any other name.
    static func name(_ text: Substring) -> BlobName? {
        [UInt8](hex: text).flatMap { Hash256($0) }.map { BlobName(hash: $0) }
    }

    /// Removes every blob, for a device that lets go of its account.
    func removeAll() throws {
        guard Disk.exists(path) else { return }
        // Nobody has a rehearsal's on another disk: what a link would lead to is not its own.
        if original == nil || !Disk.isLink(path) {
            try Disk.each(names()) { try Disk.remove("\(path)/\($0)") }
        }
        Disk.removeFolder(path)
    }
}
