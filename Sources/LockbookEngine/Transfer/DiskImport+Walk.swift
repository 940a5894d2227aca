import Glibc
import LockbookModel

extension DiskImport {
    mutating func add(_ source: String, to destination: String, isOnly: Bool) throws {
        var target = try LocalTree.names(of: destination)
        let isContents = source == "." || source.hasSuffix("/.")
        let status = try Disk.status(source, followLinks: true)
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        if !isContents {
            let bytes = Array(try Self.lastComponent(source).utf8)
            let present = try store.read { try $0.find(path: destination) }
            let isTheName =
                isOnly && present?.type != .folder && !destination.hasSuffix("/")
                && !target.isEmpty
            if !isTheName { target.append(try FileName(bytes: bytes)) }
        }
        if isFolder {
            try walk(source, at: target)
        } else {
            let parent = try DiskFile(Disk.parent(of: source), flags: O_RDONLY | O_DIRECTORY)
            let name = Array(try Self.lastComponent(source).utf8)
            try take(name, in: parent, at: target, source: source)
        }
    }

    private static func lastComponent(_ path: String) throws -> String {
        var parts = path.split(separator: "/").map(String.init)
        parts.removeAll { $0 == "." }
        guard let last = parts.last, last != ".." else {
            throw LockbookError.badPath(
                path: path,
                reason: "it has no name of its own; write `\(path)/.` for its contents"
            )
        }
        return last
    }

    /// Goes down without following links and without recursion.
    private mutating func walk(_ source: String, at target: [FileName]) throws {
        var folders: [(path: String, target: [FileName])] = [(source, target)]
        while let folder = folders.popLast() {
            let open: DiskFile
            let names: [[UInt8]]
            do {
                let isFirst = folder.path == source
                open = try DiskFile(
                    folder.path,
                    flags: O_RDONLY | O_DIRECTORY | (isFirst ? 0 : O_NOFOLLOW)
                )
                names = try Disk.names(in: open)
            } catch let failure as DiskFailure {
                problem(folder.path, failure.reason)
                continue
            }
            if !folder.target.isEmpty {
                let status = try open.status()
                try append(
                    ImportItem(
                        path: folder.target,
                        source: folder.path,
                        bytes: nil,
                        modified: status.modified,
                        isExecutable: false
                    )
                )
            }
            for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                let shown = folder.path + "/" + String(decoding: name, as: UTF8.self)
                let fileName: FileName
                do {
                    fileName = try FileName(bytes: name)
                } catch {
                    problem(shown, error.sentence)
                    continue
                }
                var status = stat()
                guard
                    fstatat(
                        open.descriptor,
                        fileName.text,
                        &status,
                        AT_SYMLINK_NOFOLLOW
                    ) == 0
                else {
                    problem(shown, String(cString: strerror(errno)))
                    continue
                }
                if status.st_mode & S_IFMT == S_IFDIR {
                    folders.append((shown, folder.target + [fileName]))
                } else {
                    try take(name, in: open, at: folder.target + [fileName], source: shown)
                }
            }
        }
    }

    private mutating func take(
        _ name: [UInt8],
        in folder: DiskFile,
        at target: [FileName],
        source: String
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
                try take(file, try file.status(), at: target, source: source)
                return
            }
            problem(source, reason)
        } catch let failure as DiskFailure {
            problem(source, failure.reason)
        }
    }

    private mutating func take(
        _ file: DiskFile,
        _ status: stat,
        at target: [FileName],
        source: String
    ) throws {
        let isExecutable = status.st_mode & 0o100 != 0
        if status.st_size > off_t(ContentWriter.inMemoryByteCount) {
            // Large ones go straight through, after what was gathered before.
            try flush()
            try takeLarge(file, status, at: target, source: source)
            return
        }
        var bytes: [UInt8] = []
        while true {
            let piece = try file.read(max(4_096, Int(status.st_size) + 1))
            if piece.isEmpty { break }
            if bytes.isEmpty { bytes = piece } else { bytes.append(contentsOf: piece) }
        }
        try append(
            ImportItem(
                path: target,
                source: source,
                bytes: bytes,
                modified: status.modified,
                isExecutable: isExecutable
            )
        )
    }
}

extension stat {
    var modified: Timestamp {
        Timestamp(
            milliseconds: Int64(st_mtim.tv_sec) * 1_000 + Int64(st_mtim.tv_nsec) / 1_000_000
        )
    }

    /// Why this cannot be a document; nil for a regular file.
    fileprivate var obstacle: String? {
        switch st_mode & S_IFMT {
        case S_IFREG: nil
        case S_IFLNK: "a symbolic link is not followed"
        case S_IFDIR: "a folder where a file was"
        default: "not a regular file"
        }
    }
}
