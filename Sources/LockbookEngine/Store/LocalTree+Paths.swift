import LockbookCrypto
import LockbookModel

/// Where a file stands, and whether it is alive there.
extension LocalTree {
    /// In how many folders something stands at most.
    ///
    /// A longer way up goes in a circle, which only a database has that something else wrote.
    static let mostDepth = 1_000_000

    /// From the root, with a leading slash; the root itself is `/`.
    func path(of row: FileRow) throws -> String {
        guard let path = try path(of: row, below: Self.mostDepth) else {
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
        if isTop(row), let name = try? FileName(row.id.description) { return name }
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
            guard steps < Self.mostDepth, let parent = try self.row(row.parent) else { return true }
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
