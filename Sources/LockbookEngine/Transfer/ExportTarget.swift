import CLinux
import Glibc
import LockbookModel

/// The place on disk that an export writes to; every step goes through open folders, so that no
/// symbolic link can lead elsewhere.
final class ExportTarget {
    private let top: DiskFile
    /// What the exported file itself is called here; nil when the top folder is the file.
    private let single: String?
    private var folders: [[FileName]: DiskFile] = [:]
    private var folderOrder: [[FileName]] = []
    /// The place's path, by which a later export knows it again.
    let identity: [UInt8]

    init(_ destination: String, plan: ExportPlan) throws {
        let status = try? Disk.status(destination, followLinks: true)
        let isFolder = status.map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
        if plan.root == .document {
            let folder = isFolder ? destination : Disk.parent(of: destination)
            let name =
                isFolder
                ? plan.name?.text ?? "" : String(destination.split(separator: "/").last ?? "")
            guard !name.isEmpty, !destination.hasSuffix("/") || isFolder else {
                throw DiskFailure(destination, code: ENOENT)
            }
            top = try DiskFile(folder, flags: O_RDONLY | O_DIRECTORY)
            single = name
        } else {
            var path = destination
            if isFolder, let name = plan.name { path += "/" + name.text }
            if let status, !isFolder, status.st_mode & S_IFMT != S_IFDIR {
                throw DiskFailure(destination, code: ENOTDIR)
            }
            if mkdir(path, 0o700) != 0, errno != EEXIST { throw DiskFailure(path) }
            // The last step must be a folder, not a link that somebody put there.
            let isOwn = isFolder && plan.name != nil || !isFolder
            top = try DiskFile(
                path,
                flags: O_RDONLY | O_DIRECTORY | (isOwn ? O_NOFOLLOW : 0)
            )
            single = nil
        }
        let linked = "/proc/self/fd/\(top.descriptor)"
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(linked, &buffer, buffer.count - 1)
        identity =
            (count > 0 ? buffer.prefix(count).map { UInt8(bitPattern: $0) } : Array(top.path.utf8))
            + Array((single.map { "/" + $0 } ?? "").utf8)
    }

    /// Makes all names and contents durable at once.
    func finish() throws {
        _ = try Disk.retry(top.path) { syncfs(top.descriptor) }
    }

    /// Where a file is on disk, for reports.
    func path(of components: [FileName]) -> String {
        ([top.path] + (single.map { [$0] } ?? components.map(\.text))).joined(separator: "/")
    }

    func makeFolder(_ path: [FileName]) throws {
        _ = try folder(path, making: true)
    }

    /// What stands at a place, links not followed; nil when nothing does.
    func status(_ path: [FileName]) throws -> stat? {
        let (folder, name) = try place(path)
        var result = stat()
        if fstatat(folder.descriptor, name, &result, AT_SYMLINK_NOFOLLOW) == 0 { return result }
        guard errno == ENOENT else { throw DiskFailure(folder.path + "/" + name) }
        return nil
    }

    /// A new file beside the place, which `keep` puts there.
    func create(_ path: [FileName], isExecutable: Bool) throws -> DiskFile {
        let (folder, _) = try place(path)
        let file = try DiskFile(
            in: folder,
            Self.temporaryName,
            flags: O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW,
            mode: 0o600
        )
        _ = try Disk.retry(file.path) { fchmod(file.descriptor, isExecutable ? 0o700 : 0o600) }
        return file
    }

    func keep(_ file: DiskFile, _ path: [FileName], modified: Timestamp) throws -> stat {
        let (folder, name) = try place(path)
        let seconds = Int(modified.milliseconds.quotientFloor(1_000))
        let time = timespec(
            tv_sec: seconds,
            tv_nsec: Int(modified.milliseconds - Int64(seconds) * 1_000) * 1_000_000
        )
        let times = [time, time]
        _ = try Disk.retry(file.path) { futimens(file.descriptor, times) }
        let descriptor = folder.descriptor
        _ = try Disk.retry(folder.path + "/" + name) {
            renameat(descriptor, Self.temporaryName, descriptor, name)
        }
        return try file.status()
    }

    func discard(_ file: DiskFile) {
        unlink(file.path)
    }

    /// Whether a file on disk has the bytes that a reader gives.
    func isEqual(
        _ path: [FileName],
        size: UInt64,
        to read: ((_ bytes: [UInt8]) throws -> Void) throws -> Void
    ) throws -> Bool {
        let (folder, name) = try place(path)
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

    private static let temporaryName = ".lockbook-export.new"

    private func place(_ path: [FileName]) throws -> (folder: DiskFile, name: String) {
        if let single { return (top, single) }
        guard let name = path.last else { throw DiskFailure(top.path, code: EINVAL) }
        return (try folder(Array(path.dropLast()), making: false), name.text)
    }

    /// Opens a folder step by step below the top.
    private func folder(_ path: [FileName], making: Bool) throws -> DiskFile {
        if path.isEmpty { return top }
        if let open = folders[path] { return open }
        var current = top
        for (index, name) in path.enumerated() {
            if making, index == path.count - 1, mkdirat(current.descriptor, name.text, 0o700) != 0,
                errno != EEXIST
            {
                throw DiskFailure(current.path + "/" + name.text)
            }
            current = try DiskFile(
                in: current,
                name.text,
                flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW
            )
        }
        // A few stay open: files come folder by folder.
        if folderOrder.count >= 64 { folders[folderOrder.removeFirst()] = nil }
        folders[path] = current
        folderOrder.append(path)
        return current
    }
}

extension Int64 {
    /// Division that rounds down, also for times before 1970.
    fileprivate func quotientFloor(_ divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
