import CLinux
import Glibc
import LockbookModel

/// The place on disk that an export writes to; every step goes through open folders, so that no
/// symbolic link can lead elsewhere.
final class ExportTarget {
    private let top: DiskFile
    private let tag: String
    /// What the exported file itself is called here; nil when the top folder is the file.
    private let single: String?
    private var folders: [[FileName]: DiskFile] = [:]
    private var folderOrder: [[FileName]] = []
    /// The place's path, by which a later export knows it again.
    let identity: [UInt8]

    /// - Parameter tag: tells the unfinished files of this export from those of others.
    init(_ destination: String, plan: ExportPlan, tag: String) throws {
        self.tag = tag
        if !destination.hasSuffix("/"), let own = try? Disk.status(destination),
            own.st_mode & S_IFMT == S_IFLNK
        {
            throw LockbookError.io(
                path: destination,
                reason: "it is a symbolic link; with a / behind it, it is followed"
            )
        }
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
        ExportPlace.removeLeftovers(in: top)
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

    /// Where a file stands below the target.
    func place(_ path: [FileName]) throws -> ExportPlace {
        if let single { return ExportPlace(folder: top, name: single, tag: tag) }
        guard let name = path.last else { throw DiskFailure(top.path, code: EINVAL) }
        return ExportPlace(
            folder: try folder(Array(path.dropLast()), making: false),
            name: name.text,
            tag: tag
        )
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
        ExportPlace.removeLeftovers(in: current)
        // A few stay open: files come folder by folder.
        if folderOrder.count >= 64 { folders[folderOrder.removeFirst()] = nil }
        folders[path] = current
        folderOrder.append(path)
        return current
    }
}
