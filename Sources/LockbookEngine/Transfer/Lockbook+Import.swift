import Glibc
import LockbookCrypto
import LockbookModel

extension Lockbook {
    /// Takes files and folders of the disk in, as `cp -r` does; a second time only what changed.
    ///
    /// Everything that can be taken in is, in batches that are durable one by one; the rest is in
    /// the report.
    /// - Parameter sources: paths on disk; `DIR/.` stands for the contents of DIR.
    public func importFromDisk(
        _ sources: [String],
        to destination: String,
        progress: (TransferProgress) -> Void
    ) throws -> TransferReport {
        try withoutActuallyEscaping(progress) { progress in
            try importFiles(sources, to: destination, progress: progress)
        }
    }

    private func importFiles(
        _ sources: [String],
        to destination: String,
        progress: @escaping (TransferProgress) -> Void
    ) throws -> TransferReport {
        var importing = Import(store: store, progress: progress)
        for source in sources {
            do {
                try importing.add(source, to: destination, isOnly: sources.count == 1)
            } catch let failure as DiskFailure {
                importing.report.problems.append(
                    TransferReport.Problem(path: failure.path, reason: failure.reason)
                )
            }
        }
        try importing.flush()
        return importing.report
    }
}

/// Walks the disk and writes what it finds in batches of one transaction each.
private struct Import {
    /// A batch ends with the first of these.
    static let batchFiles = 4_000
    static let batchBytes = 8 << 20

    let store: LocalStore
    let progress: (TransferProgress) -> Void
    var report = TransferReport()
    private var batch: [Item] = []
    private var batchSize = 0
    private var done = TransferProgress(files: 0, bytes: 0, current: "")

    init(store: LocalStore, progress: @escaping (TransferProgress) -> Void) {
        self.store = store
        self.progress = progress
    }

    private struct Item {
        let path: [FileName]
        let source: String
        /// Nil for a folder.
        let bytes: [UInt8]?
        let modified: Timestamp
        let isExecutable: Bool
    }

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
                    Item(
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
            Item(
                path: target,
                source: source,
                bytes: bytes,
                modified: status.modified,
                isExecutable: isExecutable
            )
        )
    }

    private mutating func takeLarge(
        _ file: DiskFile,
        _ status: stat,
        at target: [FileName],
        source: String
    ) throws {
        let path = "/" + target.map(\.text).joined(separator: "/")
        do {
            let known = try store.read { tree -> Content? in
                guard let row = try tree.find(path: path), row.type == .document,
                    !row.isDamaged
                else { return nil }
                return try tree.file(row).content
            }
            if let known, known.size == UInt64(status.st_size) {
                var digester = known.key.digester()
                while true {
                    let piece = try file.read(262_144)
                    if piece.isEmpty { break }
                    digester.update(piece)
                }
                lseek(file.descriptor, 0, SEEK_SET)
                if digester.finish() == known.digest {
                    count(\.unchanged, bytes: status.st_size, source: source)
                    return
                }
            }
            let writer = try store.read { try $0.writer(for: .path(path), append: false) }
            let sealed = try writer.seal(
                from: {
                    let piece = try file.read(262_144)
                    return piece.isEmpty ? nil : piece
                },
                environment: store.environment,
                blobs: store.blobs
            )
            try store.write { tree in
                try tree.keep(
                    sealed,
                    of: writer,
                    modified: status.modified,
                    isExecutable: status.st_mode & 0o100 != 0
                )
            }
            count(
                writer.exists ? \.updated : \.created,
                bytes: status.st_size,
                source: source
            )
        } catch let error as LockbookError {
            try refuse(error, source)
        }
    }

    private mutating func append(_ item: Item) throws {
        batch.append(item)
        batchSize += item.bytes?.count ?? 0
        if batch.count >= Self.batchFiles || batchSize >= Self.batchBytes { try flush() }
    }

    mutating func flush() throws {
        guard !batch.isEmpty else { return }
        let items = batch
        batch = []
        batchSize = 0
        // What cannot be taken in is left out; the rest of the batch is one transaction.
        let results = try store.write { tree -> [Result<ImportOutcome, LockbookError>] in
            var folders = ImportFolders(tree: tree)
            return try items.map { item in
                do {
                    return .success(
                        try folders.take(
                            item.path,
                            bytes: item.bytes,
                            modified: item.modified,
                            isExecutable: item.isExecutable
                        )
                    )
                } catch let error as LockbookError {
                    guard error.concernsOneFile else { throw error }
                    return .failure(error)
                }
            }
        }
        for (item, result) in zip(items, results) {
            switch result {
            case .failure(let error): try refuse(error, item.source)
            case .success(.folder): report.folders += 1
            case .success(.created):
                count(\.created, bytes: item.bytes?.count ?? 0, source: item.source)
            case .success(.updated):
                count(\.updated, bytes: item.bytes?.count ?? 0, source: item.source)
            case .success(.unchanged):
                count(\.unchanged, bytes: item.bytes?.count ?? 0, source: item.source)
            }
        }
    }

    private mutating func count(
        _ field: WritableKeyPath<TransferReport, Int>,
        bytes: some BinaryInteger,
        source: String
    ) {
        report[keyPath: field] += 1
        report.bytes += UInt64(clamping: bytes)
        done = TransferProgress(
            files: done.files + 1,
            bytes: report.bytes,
            current: source
        )
        progress(done)
    }

    private mutating func refuse(_ error: LockbookError, _ source: String) throws {
        guard error.concernsOneFile else { throw error }
        problem(source, error.importSentence)
    }

    private mutating func problem(_ path: String, _ reason: String) {
        report.problems.append(TransferReport.Problem(path: path, reason: reason))
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

extension LockbookError {
    /// Whether the rest of an import or export can go on.
    var concernsOneFile: Bool {
        switch self {
        case .exists, .notAFolder, .notADocument, .badName, .badPath, .damaged, .contentNotHere,
            .notFound, .root:
            true
        default: false
        }
    }

    fileprivate var importSentence: String {
        switch self {
        case .exists: "a folder of that name is there already"
        case .notAFolder(let path): "\(path) is a document, not a folder"
        case .notADocument: "a folder of that name is there already"
        case .damaged: "the document that is there does not open"
        case .badName(_, let reason), .badPath(_, let reason): reason
        default: "\(self)"
        }
    }
}
