import Glibc
import LockbookModel

/// One name in an open folder, where an export writes a file: whole or not at all, and never
/// through a link.
struct ExportPlace: Sendable {
    /// Files that are written at once have temporary names of their own.
    static let writerCount = 8

    private let folder: DiskFile
    private let name: String
    private let tag: String

    init(folder: DiskFile, name: String, tag: String) {
        self.folder = folder
        self.name = name
        self.tag = tag
    }

    var path: String { folder.path + "/" + name }

    /// What stands here, links not followed; nil when nothing does.
    func status() throws -> stat? {
        var result = stat()
        if fstatat(folder.descriptor, name, &result, AT_SYMLINK_NOFOLLOW) == 0 { return result }
        guard errno == ENOENT else { throw DiskFailure(path) }
        return nil
    }

    /// Writes beside the place first, and then over it.
    /// - Parameter writer: which of the files that are written at once this is.
    /// - Returns: what stands here now.
    func write(
        _ item: ExportItem,
        writer: Int = 0,
        contents: (_ file: DiskFile) throws -> Void
    ) throws -> stat {
        try keep(item, try create(item, writer: writer), writer: writer, contents: contents)
    }

    /// As above, for contents that may have to be fetched first.
    func write(_ item: ExportItem, contents: (_ file: DiskFile) async throws -> Void) async throws
        -> stat
    {
        let file = try create(item, writer: 0)
        do {
            try await contents(file)
        } catch {
            discard(writer: 0)
            throw error
        }
        return try keep(item, file, writer: 0) { _ in }
    }

    /// A new file, locked until it is closed.
    private func create(_ item: ExportItem, writer: Int) throws -> DiskFile {
        while true {
            let file = try DiskFile(
                in: folder,
                temporaryName(writer),
                flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
                mode: item.diskMode
            )
            // Where the file system has no locks, nobody takes the file for a leftover either.
            while flock(file.descriptor, LOCK_EX) != 0, errno == EINTR {}
            // Another export may have removed it before it was locked.
            if try file.status().st_nlink > 0 { return file }
        }
    }

    private func keep(
        _ item: ExportItem,
        _ file: DiskFile,
        writer: Int,
        contents: (_ file: DiskFile) throws -> Void
    ) throws -> stat {
        do {
            try contents(file)
            let times = [item.diskTime, item.diskTime]
            _ = try Disk.retry(file.path) { futimens(file.descriptor, times) }
            var status = try file.status()
            if status.st_mode & 0o777 != item.diskMode {
                _ = try Disk.retry(file.path) { fchmod(file.descriptor, item.diskMode) }
                status = try file.status()
            }
            let descriptor = folder.descriptor
            _ = try Disk.retry(path) {
                renameat(descriptor, temporaryName(writer), descriptor, name)
            }
            return status
        } catch {
            discard(writer: writer)
            throw error
        }
    }

    private func discard(writer: Int) {
        unlinkat(folder.descriptor, temporaryName(writer), 0)
    }

    /// Whether the file that stands here has the bytes that a reader gives.
    func isEqual(size: UInt64, to read: ((_ bytes: [UInt8]) throws -> Void) throws -> Void) throws
        -> Bool
    {
        let file = try DiskFile(in: folder, name, flags: O_RDONLY | O_NOFOLLOW)
        guard UInt64(try file.status().st_size) == size else { return false }
        var offset: UInt64 = 0
        var isEqual = true
        try read { bytes in
            guard isEqual else { return }
            isEqual = try file.read(bytes.count, at: offset) == bytes
            offset += UInt64(bytes.count)
        }
        return isEqual && offset == size
    }

    /// Removes what an export that was killed left in a folder: it is plaintext.
    static func removeLeftovers(in folder: DiskFile) {
        for bytes in (try? Disk.names(in: folder)) ?? []
        where bytes.starts(with: temporaryPrefix.utf8) {
            let name = String(decoding: bytes, as: UTF8.self)
            // Whoever is still at work holds the lock of the file.
            guard
                let file = try? DiskFile(
                    in: folder,
                    name,
                    flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK
                ), flock(file.descriptor, LOCK_EX | LOCK_NB) == 0
            else { continue }
            unlinkat(folder.descriptor, name, 0)
        }
    }

    static let temporaryPrefix = ".lockbook-export."

    private func temporaryName(_ writer: Int) -> String {
        "\(Self.temporaryPrefix)\(tag)-\(writer)"
    }

    /// Whether the name is one that exports use for what is not whole yet.
    var isReserved: Bool { name.hasPrefix(Self.temporaryPrefix) }
}

extension ExportItem {
    /// For this user alone.
    fileprivate var diskMode: mode_t { isExecutable ? 0o700 : 0o600 }

    fileprivate var diskTime: timespec {
        let seconds = Int(modified.milliseconds.quotientFloor(1_000))
        return timespec(
            tv_sec: seconds,
            tv_nsec: Int(modified.milliseconds - Int64(seconds) * 1_000) * 1_000_000
        )
    }
}

extension Int64 {
    /// Division that rounds down, also for times before 1970.
    fileprivate func quotientFloor(_ divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
