import Glibc
import LockbookCrypto
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
            let goesOn =
                try isFolder && isOnly && !target.isEmpty
                && isKnown(source, at: target, isNew: isTheName)
            if !isTheName, !goesOn { target.append(try FileName(bytes: bytes)) }
        }
        if isFolder {
            let folder = ImportFolder(
                path: source,
                target: target,
                steps: [],
                rules: IgnoreRules(excluding: options.excluded)
            )
            if !goesBehindLink(.folder(folder), at: target, source) { try walk(from: folder) }
        } else if let reason = status.obstacle {
            // What a shell names as `/dev/fd/63` has no path that the link there could lead to.
            problem(source, reason)
        } else {
            let file = try Self.behindLink(source)
            let parent = try DiskFile(Disk.parent(of: file), flags: O_RDONLY | O_DIRECTORY)
            let text = try Self.lastComponent(file)
            let name = Array(text.utf8)
            if claim(target, for: source),
                !goesBehindLink(.file(name: name, parent: parent), at: target, source)
            {
                let place = try place(of: parent, at: target, file: text)
                try take(name, in: parent, at: target, source: source, place)
            }
        }
    }

    /// Whether an earlier import filled the folder at the target from this one of the disk, so that
    /// it goes on there, and puts no second copy into it.
    ///
    /// A new one is noted before anything is taken: this import may be cut off.
    private func isKnown(_ source: String, at target: [FileName], isNew: Bool) throws -> Bool {
        let source = try DiskFile(source, flags: O_RDONLY | O_DIRECTORY).realPath
        let key = try key(source, at: seat(of: target))
        let isKnown = try memory.read { try $0.hasImported(key) }
        if isNew, !isKnown { try memory.write { try $0.remember([key: ImportedFolder()]) } }
        return isKnown
    }

    /// The file that a link leads to, where one was named; one that a walk comes by is not followed.
    private static func behindLink(_ source: String) throws -> String {
        let status = try Disk.status(source, followLinks: false)
        guard status.st_mode & S_IFMT == S_IFLNK else { return source }
        guard let real = Disk.realPath(of: source) else { throw DiskFailure(source) }
        return real
    }

    private static func lastComponent(_ path: String) throws -> String {
        var parts = path.steps
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
    mutating func walk(from top: ImportFolder) throws {
        // One is open for each level whose folders wait.
        OpenFiles.raiseLimit(to: 16_384)
        var folders = [top]
        while var folder = folders.popLast() {
            let open: DiskFile
            let names: [[UInt8]]
            do {
                open = try folder.open()
                names = try Disk.names(in: open)
                if OwnFolder.isOne(open, names) {
                    passBy(folder)
                    continue
                }
                // Without its rules, what is not to go anywhere would be taken in.
                folder.rules = try rules(folder.rules, in: open, depth: folder.steps.count)
            } catch let failure as DiskFailure {
                problem(failure.path, failure.reason)
                continue
            }
            let place = try place(of: open, at: folder.target)
            if place.documents != nil {
                if !folder.target.isEmpty { report.folders += 1 }
            } else if options.force || place.elsewhere.isEmpty {
                try append(
                    ImportItem(
                        path: folder.target,
                        source: folder.path,
                        bytes: nil,
                        modified: try open.status().modified,
                        isExecutable: false
                    )
                )
            }
            for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                if let below = try take(name, in: open, of: folder, place) { folders.append(below) }
            }
        }
    }

    /// Puts off what goes to a place where a link stands.
    private mutating func goesBehindLink(
        _ item: LinkedImport.Source,
        at target: [FileName],
        _ path: String
    ) -> Bool {
        guard let link = links.link(at: target) else { return false }
        linked.append(LinkedImport(source: item, path: path, link: link))
        return true
    }

    /// Leaves out the folder of another lockbook: its keys must not become notes.
    private mutating func passBy(_ folder: ImportFolder) {
        if folder.steps.isEmpty {
            problem(folder.path, "it is the folder of a lockbook, with its keys")
        } else {
            report.ignored += 1
        }
    }

    /// - Returns: a folder that is to be walked next.
    private mutating func take(
        _ name: [UInt8],
        in open: DiskFile,
        of folder: ImportFolder,
        _ place: ImportPlace
    ) throws -> ImportFolder? {
        let shown = folder.path + "/" + String(decoding: name, as: UTF8.self)
        let steps = folder.steps + [String(decoding: name, as: UTF8.self)]
        var status = stat()
        let isThere = name.withNUL {
            fstatat(open.descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) == 0
        }
        let failure = isThere ? nil : DiskFailure(shown)
        let isFolder = isThere && status.st_mode & S_IFMT == S_IFDIR
        // Asked before anything is said about it: what is ignored may be what cannot be taken in.
        guard !folder.rules.ignore(steps, isFolder: isFolder) else {
            report.ignored += 1
            return nil
        }
        if isFolder, ownFolder?.isSame(as: status) == true {
            report.ignored += 1
            return nil
        }
        let fileName: FileName
        do {
            fileName = try FileName(bytes: name)
        } catch {
            problem(shown, error.sentence)
            return nil
        }
        if let failure {
            problem(shown, failure.reason)
            return nil
        }
        let target = folder.target + [fileName]
        if isFolder {
            let below = ImportFolder(
                path: shown,
                target: target,
                steps: steps,
                rules: folder.rules,
                parent: open
            )
            return goesBehindLink(.folder(below), at: target, shown) ? nil : below
        }
        guard claim(target, for: shown),
            status.obstacle != nil
                || !goesBehindLink(.file(name: name, parent: open), at: target, shown)
        else { return nil }
        if !isKnown(fileName, status, in: place, source: shown) {
            try take(name, in: open, at: target, source: shown, place)
        }
        return nil
    }

    mutating func take(
        _ name: [UInt8],
        in folder: DiskFile,
        at target: [FileName],
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

    private mutating func take(
        _ file: DiskFile,
        _ status: stat,
        at target: [FileName],
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
        while true {
            let piece = try file.read(max(4_096, Int(status.st_size) + 1))
            if piece.isEmpty { break }
            if bytes.isEmpty { bytes = piece } else { bytes.append(contentsOf: piece) }
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

extension [UInt8] {
    /// A name as system calls take it, also one that is not UTF-8.
    fileprivate func withNUL<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("an array of one") }
            return body(base)
        }
    }
}

extension stat {
    var modified: Timestamp {
        Timestamp(seconds: Int64(st_mtim.tv_sec), nanoseconds: Int64(st_mtim.tv_nsec))
    }

    /// Whether who owns the file may run it.
    var isExecutable: Bool { st_mode & 0o100 != 0 }

    /// Why this cannot be a document; nil for a regular file.
    fileprivate var obstacle: String? {
        switch st_mode & S_IFMT {
        case S_IFREG: nil
        case S_IFLNK: "a symbolic link is not followed"
        case S_IFDIR: "a folder where a file was"
        case S_IFIFO: "it is a pipe; `lockbook write` takes what comes out of one"
        default: "not a regular file"
        }
    }
}
