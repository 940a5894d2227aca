import CLinux
import Glibc
import LockbookModel

/// The place on disk that an export writes to; every step goes through open folders, so that no
/// symbolic link can lead elsewhere.
final class ExportTarget {
    let top: DiskFile
    private let tag: String
    /// What the exported file itself is called here; nil when the top folder is the file.
    private let single: String?
    private var folders: [[FileName]: DiskFile] = [:]
    private var folderOrder: [[FileName]] = []
    /// Those that this export made.
    private var made: Set<[FileName]> = []
    /// Whether this export made the top folder.
    let isMade: Bool
    /// The place's path, by which a later export knows it again.
    let identity: [UInt8]

    /// - Parameter exported: what is to be written here.
    /// - Parameter tag: tells the unfinished files of this export from those of others.
    init(_ destination: String, of exported: ExportTop, tag: String) throws {
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
        if exported.type == .document {
            let folder = isFolder ? destination : Disk.parent(of: destination)
            let name =
                isFolder
                ? exported.name?.text ?? "" : String(destination.split(separator: "/").last ?? "")
            guard !name.isEmpty, !destination.hasSuffix("/") || isFolder else {
                throw DiskFailure(destination, code: ENOENT)
            }
            top = try DiskFile(folder, flags: O_RDONLY | O_DIRECTORY)
            single = name
            isMade = false
        } else {
            var path = destination
            if isFolder, let name = exported.name { path += "/" + name.text }
            if let status, !isFolder, status.st_mode & S_IFMT != S_IFDIR {
                throw DiskFailure(destination, code: ENOTDIR)
            }
            isMade = mkdir(path, 0o700) == 0
            guard isMade || errno == EEXIST else { throw DiskFailure(path) }
            // The last step must be a folder, not a link that somebody put there.
            let isOwn = isFolder && exported.name != nil || !isFolder
            top = try DiskFile(
                path,
                flags: O_RDONLY | O_DIRECTORY | (isOwn ? O_NOFOLLOW : 0)
            )
            single = nil
        }
        identity = top.realPath + Array((single.map { "/" + $0 } ?? "").utf8)
    }

    /// Keeps exports that remove apart from all others to this place, until this one ends.
    ///
    /// Those that only write may run beside each other.
    func lock(alone: Bool) throws {
        while flock(top.descriptor, (alone ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: throw LockbookError.busy(what: "another export to \(top.path)")
            // Where the file system has no locks, nothing can be kept apart.
            default: return
            }
        }
    }

    /// Makes all names and contents durable at once.
    func finish() throws {
        _ = try Disk.retry(top.path) { syncfs(top.descriptor) }
    }

    /// Where a file is on disk, for reports.
    func path(of components: [FileName]) -> String {
        ([top.path] + (single.map { [$0] } ?? components.map(\.text))).joined(separator: "/")
    }

    /// Makes a folder, unless it is there.
    /// - Returns: what stands there now, and whether it was made.
    func makeFolder(_ path: [FileName]) throws -> (status: stat, isMade: Bool) {
        let above = try folder(Array(path.dropLast()))
        guard let name = path.last else { return (try above.status(), false) }
        let isMade = mkdirat(above.descriptor, name.text, 0o700) == 0
        guard isMade || errno == EEXIST else {
            throw DiskFailure(above.path + "/" + name.text)
        }
        let folder = try folder(path)
        if isMade {
            made.insert(path)
            // A mask may have taken rights away that the owner needs.
            _ = try Disk.retry(folder.path) { fchmod(folder.descriptor, 0o700) }
        }
        return (try folder.status(), isMade)
    }

    /// Where a file stands below the target.
    func place(_ path: [FileName]) throws -> ExportPlace {
        guard let name = single ?? path.last?.text else {
            throw DiskFailure(top.path, code: EINVAL)
        }
        let above = single == nil ? Array(path.dropLast()) : []
        return ExportPlace(
            folder: try folder(above),
            name: name,
            tag: tag,
            isInNewFolder: above.isEmpty ? isMade : made.contains(above)
        )
    }

    /// Opens a folder step by step below the top, and clears it of what a killed export left.
    private func folder(_ path: [FileName]) throws -> DiskFile {
        if let open = folders[path] { return open }
        // The folder above is most often open.
        var current = top
        var rest = path[...]
        for count in stride(from: path.count - 1, to: 0, by: -1) {
            guard let open = folders[Array(path.prefix(count))] else { continue }
            current = open
            rest = path[count...]
            break
        }
        current = try current.descend(rest.map(\.text))
        ExportPlace.removeLeftovers(in: current)
        // A few stay open: files come folder by folder.
        if folderOrder.count >= 64 { folders[folderOrder.removeFirst()] = nil }
        folders[path] = current
        folderOrder.append(path)
        return current
    }
}
