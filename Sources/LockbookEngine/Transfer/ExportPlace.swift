import Glibc
import LockbookModel

/// One name in an open folder, where an export writes a file: whole or not at all, and never
/// through a link.
struct ExportPlace: Sendable {
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

    /// A file beside the place that is whole, but not durable yet.
    struct Written: Sendable {
        /// Held open, and so locked.
        let file: DiskFile
        let status: stat
        let number: Int
    }

    /// Writes beside the place; `keep` or `discard` comes next.
    /// - Parameter number: which of the files that are beside their places at once this is.
    func write(
        _ item: ExportItem,
        number: Int,
        contents: (_ file: DiskFile) throws -> Void
    ) throws -> Written {
        let file = try create(item, number)
        do {
            try contents(file)
            return try finish(item, file, number)
        } catch {
            discard(number)
            throw error
        }
    }

    /// Writes over the place, contents that may have to be fetched first.
    /// - Returns: what stands here now.
    func write(_ item: ExportItem, contents: (_ file: DiskFile) async throws -> Void) async throws
        -> stat
    {
        let file = try create(item, 0)
        do {
            try await contents(file)
            let written = try finish(item, file, 0)
            try file.sync()
            return try keep(written)
        } catch {
            discard(0)
            throw error
        }
    }

    /// A new file, locked until it is closed.
    private func create(_ item: ExportItem, _ number: Int) throws -> DiskFile {
        while true {
            let file = try DiskFile(
                in: folder,
                temporaryName(number),
                flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
                mode: item.diskMode
            )
            // Where the file system has no locks, nobody takes the file for a leftover either.
            while flock(file.descriptor, LOCK_EX) != 0, errno == EINTR {}
            // Another export may have removed it before it was locked.
            if try file.status().st_nlink > 0 { return file }
        }
    }

    private func finish(_ item: ExportItem, _ file: DiskFile, _ number: Int) throws -> Written {
        let times = [item.diskTime, item.diskTime]
        _ = try Disk.retry(file.path) { futimens(file.descriptor, times) }
        var status = try file.status()
        if status.st_mode & 0o777 != item.diskMode {
            _ = try Disk.retry(file.path) { fchmod(file.descriptor, item.diskMode) }
            status = try file.status()
        }
        return Written(file: file, status: status, number: number)
    }

    /// Puts a file over the place.
    ///
    /// Where another one stands it has to be durable before: a power cut could else leave a new name
    /// without the bytes, and the old ones would be gone.
    func keep(_ written: Written) throws -> stat {
        let descriptor = folder.descriptor
        do {
            _ = try Disk.retry(path) {
                renameat(descriptor, temporaryName(written.number), descriptor, name)
            }
            return written.status
        } catch {
            discard(written.number)
            throw error
        }
    }

    func discard(_ number: Int) {
        unlinkat(folder.descriptor, temporaryName(number), 0)
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

    private func temporaryName(_ number: Int) -> String {
        "\(Self.temporaryPrefix)\(tag)-\(number)"
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
