import Glibc
import LockbookCrypto
import LockbookModel

extension DiskImport {
    /// Takes in one file, whose name in the lockbook is claimed.
    mutating func take(
        _ name: [UInt8],
        in folder: DiskFile,
        at target: ImportPath,
        source: String,
        _ place: ImportPlace? = nil
    ) throws {
        do {
            let text = String(decoding: name, as: UTF8.self)
            var status = stat()
            let descriptor = folder.descriptor
            _ = try Disk.retry(source) {
                fstatat(descriptor, text, &status, AT_SYMLINK_NOFOLLOW)
            }
            guard let reason = status.obstacle else {
                let file = try DiskFile(
                    in: folder,
                    text,
                    flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK
                )
                status = try file.status()
                // A pipe that took its place since would pass for an empty file.
                if let reason = status.obstacle { return problem(source, reason) }
                let mark = mark(text, status, in: place)
                try take(file, status, at: target, source: source, mark)
                return
            }
            if status.st_mode & S_IFMT == S_IFLNK { report.links = (report.links ?? 0) + 1 }
            problem(source, reason)
        } catch let failure as DiskFailure {
            problem(source, failure.reason)
        }
    }

    /// Of a file that is longer than it was when it was opened: it may grow faster than it is read.
    static let growing =
        "it grew while it was read: what it had before is in, and the next import takes the rest"

    private mutating func take(
        _ file: DiskFile,
        _ status: stat,
        at target: ImportPath,
        source: String,
        _ mark: ImportedMark?
    ) throws {
        if status.st_size > off_t(ContentWriter.inMemoryByteCount) {
            // Large ones go straight through, after what was gathered before.
            try flush()
            try takeLarge(file, status, at: target, source: source, mark)
            return
        }
        var bytes: [UInt8] = []
        // One of the system's own says of itself that it is empty.
        let limit = status.st_size > 0 ? Int(status.st_size) : ContentWriter.inMemoryByteCount
        while bytes.count <= limit {
            let piece = try file.read(max(4_096, Int(status.st_size) + 1))
            if piece.isEmpty { break }
            if bytes.isEmpty { bytes = piece } else { bytes.append(contentsOf: piece) }
        }
        if bytes.count > limit {
            bytes.removeLast(bytes.count - limit)
            problem(source, Self.growing)
        }
        var mark = mark
        mark?.compareElsewhere { Hash256(sha256: bytes) }
        try append(
            ImportItem(
                path: target,
                source: source,
                bytes: bytes,
                modified: status.modified,
                isExecutable: status.isExecutable,
                mark: mark
            )
        )
    }
}

extension stat {
    var modified: Timestamp {
        Timestamp(seconds: Int64(st_mtim.tv_sec), nanoseconds: Int64(st_mtim.tv_nsec))
    }

    /// Whether who owns the file may run it.
    var isExecutable: Bool { st_mode & 0o100 != 0 }

    /// Why this cannot be a document; nil for a regular file.
    var obstacle: String? {
        switch st_mode & S_IFMT {
        case S_IFREG: nil
        case S_IFLNK: "a symbolic link is not followed"
        case S_IFDIR: "a folder where a file was"
        case S_IFIFO: "it is a pipe; `lockbook write` takes what comes out of one"
        default: "not a regular file"
        }
    }
}
