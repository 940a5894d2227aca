import GRDB
import LockbookCrypto
import LockbookModel

/// Files that are to be gone for good, and how this device forgets them.
extension LocalTree {
    func isPurged(_ file: FileID) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT 1 FROM purge WHERE file = ?")
        return try Int.fetchOne(statement, arguments: [file.bytes.data]) != nil
    }

    func hasPurged() throws -> Bool {
        try Bool.fetchOne(db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM purge)")) ?? false
    }

    func purgedIDs() throws -> Set<FileID> {
        Set(
            try Row.fetchAll(db.cachedStatement(sql: "SELECT file FROM purge")).compactMap {
                FileID($0.bytes(0))
            }
        )
    }

    /// Takes a file back from the purge, and with it the folders above it: it stays in the trash.
    func unpurge(_ file: FileID) throws {
        var id = file
        while try isPurged(id) {
            try db.cachedStatement(sql: "DELETE FROM purge WHERE file = ?").run(id.bytes.data)
            guard let row = try row(id) else { return }
            id = row.parent
        }
    }

    /// What lives after a merge was moved out, elsewhere, of what is purged here: whoever sees it may
    /// write to it, and it is not purged under him.
    func keepLiving() throws {
        guard try hasPurged() else { return }
        let unmark = try db.cachedStatement(sql: "DELETE FROM purge WHERE file = ?")
        for id in try purgedIDs() {
            if let row = try row(id), try !isDead(row) { try unmark.run(id.bytes.data) }
        }
    }

    /// A file and everything below it, deleted files too; folders before what stands in them.
    func subtree(of top: FileRow) throws -> [FileRow] {
        var rows = [top]
        var next = 0
        while next < rows.count {
            let row = rows[next]
            next += 1
            if row.type == .folder { rows += try children(of: row.id) }
        }
        return rows
    }

    /// The same without what was walked through before, for folders that may stand in each other.
    func subtree(of top: FileRow, besides walked: inout Set<FileID>) throws -> [FileRow] {
        var rows: [FileRow] = []
        var pending = [top]
        while let row = pending.popLast() {
            guard walked.insert(row.id).inserted else { continue }
            rows.append(row)
            if row.type == .folder { pending += try children(of: row.id) }
        }
        return rows
    }

    /// Everything that stands in a folder, deleted files too.
    func children(of folder: FileID) throws -> [FileRow] {
        var rows: [FileRow] = []
        try visitChildren(of: folder) { rows.append($0) }
        return rows
    }

    /// Goes through everything that stands in a folder, while SQLite finds it.
    /// - Parameter visit: asks nothing of the store.
    func visitChildren(of folder: FileID, _ visit: (FileRow) throws -> Void) throws {
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(FileRow.columns) FROM file WHERE parent = ?1 AND deleted = 0 AND id <> ?1
                UNION ALL
                SELECT \(FileRow.columns) FROM file WHERE parent = ?1 AND deleted = 1
                """
        )
        let rows = try Row.fetchCursor(statement, arguments: [folder.bytes.data])
        while let row = try rows.next() { try visit(FileRow(row)) }
    }

    /// Marks a file and all that is below it; what no server knows is forgotten at once.
    func purge(_ top: FileRow) throws {
        journal?.giveUp(.purged)
        let rows = try subtree(of: top)
        let mark = try db.cachedStatement(sql: "INSERT OR IGNORE INTO purge (file) VALUES (?)")
        for row in rows {
            try mark.run(row.id.bytes.data)
            guard row.local != nil || (row.id == top.id && !row.isDeleted) else { continue }
            if row.isDamaged {
                try hide(row)
                continue
            }
            // As the server has it, so that nothing of it hangs on folders that were made here.
            if var base = try base(row) {
                base.isDeleted = true
                try put(base)
            } else if !row.isDeleted {
                try delete(row)
            }
            try noteDeletion(of: row.id)
        }
        folderPaths.removeAll()
        if try !hasPendingFiles() { try pruneUnknown(rows) }
    }

    /// Forgets those of these files that were never sent to a server.
    ///
    /// With whom they were to be shared goes with them: nobody else knew of it.
    private func pruneUnknown(_ rows: [FileRow]) throws {
        let forget = try db.cachedStatement(sql: "DELETE FROM share_wish WHERE file = ?")
        for row in rows.reversed() where row.base == nil {
            if let row = try self.row(row.id) { try prune(row) }
            try forget.run(row.id.bytes.data)
        }
    }

    /// Forgets a file: its records, contents and its place in the index.
    /// - Parameter obstacle: why the commands that changed it cannot be taken back any more.
    func prune(_ row: FileRow, for obstacle: UndoObstacle = .purged) throws {
        if let block = row.block { try unindex(row.id, from: row.parent, at: block) }
        try dropVersions(of: row)
        try dropJournal(of: row, for: obstacle)
        for bytes in [row.base, row.local].compactMap({ $0 }) {
            if let blob = try FileRecord(bytes).facts.blob { try dropBlob(blob.name) }
        }
        let id = row.id.bytes.data
        try db.cachedStatement(sql: "DELETE FROM file WHERE number = ?").run(row.number)
        for table in ["absent", "trash", "purge", "deletion", "conflict"] {
            try db.cachedStatement(sql: "DELETE FROM \(table) WHERE file = ?").run(id)
        }
        if row.type == .folder { try dropIndex(of: row.id) }
        fileKeys[row.id] = nil
        folderKeys[row.id] = nil
        folderPaths.removeAll()
    }
}
