import GRDB
import LockbookModel

/// Taking files out of the trash, with what was deleted with them.
extension LocalTree {
    /// Puts a deleted file back where it stood, or into the nearest folder above that is there.
    /// - Throws: `.shareBorder` for a link that would come into a share.
    func restore(_ row: FileRow) throws {
        let before = try self.row(row.parent) ?? rootRow()
        let folder = try livingFolder(from: before)
        if try !isForeign && isShared(), try scope(of: folder) != scope(of: before),
            try holdsLink(row)
        {
            throw LockbookError.shareBorder(path: try path(of: row))
        }
        try revive(row, in: folder)
        try reviveDead(below: row)
        folderPaths.removeAll()
    }

    /// Whether this account may take a file out of the trash.
    ///
    /// What is shared by itself in another's tree is for its owner to bring back, with all that
    /// went with it.
    func mayRestore(_ row: FileRow) throws -> Bool {
        guard isForeign else { return true }
        guard try isOwnToRevive(row), let folder = try self.row(row.parent) else { return false }
        return try livingFolder(from: folder).id != root
    }

    /// A folder, or the nearest one above it in which something may be put.
    private func livingFolder(from start: FileRow) throws -> FileRow {
        var folder = start
        while try isDead(folder) || folder.isDamaged {
            folder = try self.row(folder.parent) ?? rootRow()
        }
        return folder
    }

    /// Brings back what is in the trash only because this folder was.
    func reviveDead(below top: FileRow) throws {
        // The visit goes on in what it brought back.
        try walkDead(below: top) { row in
            guard row.isDeleted, let folder = try self.row(row.parent) else { return }
            try revive(row, in: folder)
        }
    }

    private func revive(_ row: FileRow, in folder: FileRow) throws {
        var file = try file(row)
        file.isDeleted = false
        file.parent = folder.id
        file.name = try freeName(file.name, in: folder)
        try put(try file.placed(in: self))
    }

    /// Visits what comes back with a deleted folder: what lives in it, and what died with it.
    ///
    /// Each folder is visited before what stands in it. What is to be gone for good stays where it is.
    func walkDead(below top: FileRow, _ visit: (FileRow) throws -> Void) throws {
        var folders = top.type == .folder ? [top.id] : []
        let purged = try hasPurged() ? purgedIDs() : []
        while let folder = folders.popLast() {
            for child in try children(of: folder)
            where try !purged.contains(child.id) && comesBack(child) {
                try visit(child)
                if child.type == .folder { folders.append(child.id) }
            }
        }
    }

    /// How many files `walkDead` visits.
    ///
    /// Those that live in the folder are counted by the database, which reads no records for that.
    func countDead(below top: FileRow) throws -> Int {
        let living = """
            FROM file WHERE parent = ?1 AND deleted = 0 AND id <> ?1
                AND id NOT IN (SELECT file FROM purge)
            """
        let count = try db.cachedStatement(sql: "SELECT count(*) \(living)")
        let inner = try db.cachedStatement(
            sql: "SELECT id \(living) AND type = \(FileType.folder.rawValue)"
        )
        let deleted = try db.cachedStatement(
            sql: """
                SELECT \(FileRow.columns) FROM file WHERE parent = ?1 AND deleted = 1
                    AND id NOT IN (SELECT file FROM purge)
                """
        )
        var folders = top.type == .folder ? [top.id] : []
        var files = 0
        while let folder = folders.popLast() {
            let place: StatementArguments = [folder.bytes.data]
            files += try Int.fetchOne(count, arguments: place) ?? 0
            folders += try inner.all(place) { FileID($0.bytes(0)) }.compactMap { $0 }
            for child in try deleted.all(place, { try FileRow($0) }) where try comesBack(child) {
                files += 1
                if child.type == .folder { folders.append(child.id) }
            }
        }
        return files
    }

    /// Whether what stands in a deleted folder comes back with it.
    private func comesBack(_ child: FileRow) throws -> Bool {
        try !child.isDeleted || diedWithFolder(child) && isOwnToRevive(child)
    }

    /// What is shared by itself in another's tree is for its owner to bring back.
    private func isOwnToRevive(_ row: FileRow) throws -> Bool {
        try !isForeign || scope(of: row) != row.id
    }

    /// Whether a file is in the trash with the folder that it stands in, not by itself.
    func isDeadWithFolder(_ row: FileRow) throws -> Bool {
        guard try diedWithFolder(row), let folder = try self.row(row.parent) else { return false }
        return try isDead(folder)
    }

    /// What does not open stays behind: nobody could put it anywhere.
    private func diedWithFolder(_ row: FileRow) throws -> Bool {
        guard row.isDeleted, !row.isDamaged else { return false }
        return try opened(row)?.diedWithFolder ?? false
    }

    func outermostFirst(_ rows: [FileRow]) throws -> [FileRow] {
        try rows.enumerated().map { (row: $1, order: (try depth(of: $1.id), $0)) }
            .sorted { $0.order < $1.order }.map(\.row)
    }
}
