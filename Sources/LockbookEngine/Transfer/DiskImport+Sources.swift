import Glibc
import LockbookModel

extension DiskImport {
    /// Takes in one file or folder that the user named.
    mutating func add(_ source: String, to destination: String, isOnly: Bool) throws {
        var target = ImportPath(try LocalTree.names(of: destination))
        let isContents = options.takesContents || source.meansContents
        let status = try Disk.status(source, followLinks: true)
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        if !isContents {
            let bytes = Array(try Self.lastComponent(source).utf8)
            let present = try store.read { try $0.find(path: destination) }
            let isTheName =
                isOnly && present?.type != .folder && !destination.endsWithSlash
                && target.name != nil
            let goesOn =
                try isFolder && isOnly && target.name != nil
                && isKnown(source, at: target, isNew: isTheName)
            if !isTheName, !goesOn {
                do { target = target.appending(try FileName(bytes: bytes)) } catch {
                    // As of what a folder holds: what stands beside it is taken all the same.
                    return problem(source, error.sentence)
                }
            }
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
    private func isKnown(_ source: String, at target: ImportPath, isNew: Bool) throws -> Bool {
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
}
