import LockbookCrypto
import LockbookModel

extension LocalTree {
    /// The names of a path, checked; a leading slash does not matter.
    static func names(of path: String) throws -> [FileName] {
        // By bytes: a character may be a slash and the mark that combines with it.
        try path.utf8.split(separator: UInt8(ascii: "/")).map { part in
            try name(String(decoding: part, as: UTF8.self))
        }
    }

    /// One name, checked.
    static func name(_ text: String) throws -> FileName {
        do {
            return try FileName(text)
        } catch {
            throw LockbookError.badName(name: text, reason: error.sentence)
        }
    }

    func rootRow() throws -> FileRow {
        guard let row = try row(root) else {
            guard try head() == nil else {
                try checkOwner()
                throw LockbookError.store(reason: "the root is missing")
            }
            try checkOwner()
            throw LockbookError.notSyncedYet
        }
        return row
    }

    /// Finds out when somebody put another account's database here.
    func checkOwner() throws {
        guard try row(root) == nil, try holds(atLeast: 1) else { return }
        throw LockbookError.store(
            reason: "the database in \(account.directory) is of another account"
        )
    }

    func child(_ name: FileName, of folder: FileRow) throws -> FileRow? {
        guard folder.type == .folder else { return nil }
        let tag = try folderKeys(of: folder).tag.tag(name.normalized)
        return try row(tagged: tag, in: folder.id)
    }

    /// A name that nothing else in the folder has: this one, or this one with a number.
    /// - Parameter file: what may have it.
    func freeName(_ name: FileName, in folder: FileRow, for file: FileID? = nil) throws -> FileName
    {
        var free = name
        var number = 0
        while let taken = try child(free, of: folder), taken.id != file {
            number += 1
            free = name.numbered(number)
        }
        return free
    }

    /// The file at a path; nil when there is none.
    func find(path: String) throws -> FileRow? { try find(path, below: rootRow(), typed: path) }

    /// - Parameters:
    ///   - start: what the path begins at, a folder or not.
    ///   - typed: all that names the file.
    private func find(_ path: String, below start: FileRow, typed: String) throws -> FileRow? {
        var row = start
        let names = try Self.names(of: path)
        for (index, name) in names.enumerated() {
            if row.type == .link, let crossing = try crossing(row) {
                let rest = names[index...].map { "/" + $0.text }.joined()
                throw CrossesLink(
                    target: crossing.target,
                    link: crossing.link,
                    rest: rest + (path.hasSuffix("/") ? "/" : "")
                )
            }
            guard row.type == .folder else { return nil }
            guard let child = try child(name, of: row) ?? damagedChild(name, of: row) else {
                return nil
            }
            row = child
        }
        guard !path.hasSuffix("/") || row.type != .document else {
            throw LockbookError.notAFolder(path: typed)
        }
        return row
    }

    /// The live file that a user means.
    func find(_ reference: FileReference) throws -> FileRow {
        switch reference {
        case .path(let path):
            guard let row = try find(path: path) else { throw LockbookError.notFound(path: path) }
            return row
        case .id(let text):
            let (row, rest) = try begin(id: text)
            guard let file = try find(rest, below: row, typed: reference.text) else {
                throw LockbookError.notFound(path: reference.text)
            }
            return file
        }
    }

    /// What a user means that may not be there yet: where a path follows the id of a folder, the
    /// path from the root.
    /// - Throws: `.notFound` where nothing has the id, and `.ambiguous`.
    func resolved(_ reference: FileReference) throws -> FileReference {
        guard case .id(let text) = reference, !reference.isBareID else { return reference }
        let (row, rest) = try begin(id: text)
        let above = try path(of: row)
        return .path((above == "/" ? "" : above) + rest)
    }

    /// The live file whose id stands in front, and the path behind it.
    private func begin(id text: String) throws -> (row: FileRow, rest: String) {
        let end = text.firstIndex(of: "/") ?? text.endIndex
        let prefix = String(text[..<end])
        let matches = try rows(idPrefix: prefix).filter { try !isDead($0) }
        guard let row = matches.first else {
            throw LockbookError.notFound(path: "id:" + prefix)
        }
        guard matches.count == 1 else {
            throw LockbookError.ambiguous(
                prefix: "id:" + prefix,
                matches: try matches.map { "id:\($0.id)  \(try path(of: $0))" }
            )
        }
        return (row, String(text[end...]))
    }

    func rows(idPrefix prefix: String) throws -> [FileRow] {
        guard (1...32).contains(prefix.count), prefix.allSatisfy({ $0.isHexDigit }) else {
            return []
        }
        let low = prefix + String(repeating: "0", count: 32 - prefix.count)
        let high = prefix + String(repeating: "f", count: 32 - prefix.count)
        guard let from = FileID(hex: low), let to = FileID(hex: high) else { return [] }
        return try rows(idsFrom: from, to: to)
    }

    /// From the root, with a leading slash; the root itself is `/`.
    func path(of row: FileRow) throws -> String {
        guard let path = try path(of: row, below: 1_000_000) else {
            throw LockbookError.store(reason: "a folder is missing above a file")
        }
        return path
    }

    /// In how many folders something stands at most that is reported by its path.
    private static let mostShownDepth = 512

    /// A path as it is reported: of what stands deeper than anybody reads, the id instead.
    func shownPath(of id: FileID) throws -> String {
        guard let row = try row(id), let path = try path(of: row, below: Self.mostShownDepth),
            path.utf8.count < 128 << 10
        else { return "id:\(id)" }
        return path
    }

    /// The same of a file whose name and folder are known to be those of its row.
    func shownPath(of file: File) throws -> String {
        let above: String
        if file.parent == root {
            above = ""
        } else if let known = folderPaths[file.parent], known.depth <= Self.mostShownDepth {
            above = known.path
        } else {
            above = try shownPath(of: file.parent)
        }
        guard above.isEmpty || above.utf8.first == UInt8(ascii: "/"), above.utf8.count < 128 << 10
        else { return "id:\(file.id)" }
        return above + "/" + file.name.text
    }

    /// - Parameter depth: in how many folders it stands at most; nil where it stands in more.
    private func path(of row: FileRow, below depth: Int) throws -> String? {
        guard row.id != root else { return "/" }
        // Up to a folder whose path is known, then down again.
        var chain = [row]
        var above: FolderPaths.Known?
        while let last = chain.last {
            above = last.parent == root ? FolderPaths.top : folderPaths[last.parent]
            let least = chain.count + (above?.depth ?? folderPaths.leastDepth(of: last.parent))
            guard least <= depth else {
                folderPaths.keep(leastDepth: least, of: chain)
                return nil
            }
            if above != nil { break }
            guard let parent = try self.row(last.parent) else {
                throw LockbookError.store(reason: "a folder is missing above a file")
            }
            chain.append(parent)
        }
        var path = above?.path ?? ""
        var steps = above?.depth ?? 0
        for row in chain.reversed() {
            path += "/" + (try name(of: row).text)
            steps += 1
            if row.type == .folder { folderPaths.keep(path, of: row.id, at: steps) }
        }
        return path
    }

    func path(of id: FileID) throws -> String {
        guard let row = try row(id) else { return "id:\(id)" }
        return try path(of: row)
    }

    func name(of row: FileRow) throws -> FileName {
        if row.isDamaged, let name = try nameOfDamaged(row) { return name }
        do {
            // A block names 256 children for the price of opening one record.
            return try indexedName(of: row) ?? file(row).name
        } catch let damage as DamagedRecord {
            guard let name = try nameOfDamaged(row) else { throw damage }
            return name
        }
    }

    /// Whether the file or a folder above it is deleted.
    func isDead(_ row: FileRow) throws -> Bool {
        var row = row
        var steps = 0
        while true {
            if row.isDeleted { return true }
            if row.id == root { return false }
            steps += 1
            guard steps < 1_000_000, let parent = try self.row(row.parent) else { return true }
            row = parent
        }
    }

    /// Whether what stands in a folder is dead with it, for many files as long as nothing changes: each
    /// folder on the way is looked at once.
    func isDead(below folder: FileID, _ known: inout [FileID: Bool]) throws -> Bool {
        var path: Set<FileID> = []
        var id = folder
        var isDead = false
        while true {
            if let answer = known[id] {
                isDead = answer
                break
            }
            guard let row = try row(id) else {
                isDead = !path.isEmpty
                break
            }
            // A folder that leads to itself never ends at the root.
            let isNew = path.insert(id).inserted
            if row.isDeleted || !isNew {
                isDead = true
                break
            }
            if id == root { break }
            id = row.parent
        }
        for id in path { known[id] = isDead }
        return isDead
    }
}

extension FileNameFailure {
    /// Why the name cannot be, for a user.
    var sentence: String {
        switch self {
        case .empty: "a name cannot be empty"
        case .tooLong(let bytes): "a name has at most 255 bytes, this one \(bytes)"
        case .slash: "a name cannot have a slash in it"
        case .controlCharacter: "a name cannot have control characters in it"
        case .relative: "`.` and `..` are not names"
        case .notUnicode: "the name is not UTF-8"
        }
    }
}
