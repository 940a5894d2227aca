import GRDB
import LockbookModel

extension LocalTree {
    /// Goes through the changes: what the server knows already, with the new folders it moves into,
    /// then new files, folders before their children.
    ///
    /// All of the first, with any beginning of the second, leave a valid tree. What is known belongs
    /// together: names that were exchanged, or all of a folder that was moved into a share.
    ///
    /// Holds no more of them than are visited: a first sync of many files takes many entries, and
    /// each looks at its own part.
    /// - Parameter visit: gets a file and whether it belongs to the first; returns false to stop.
    ///   It may read the tree, not change it.
    func visitChanges(_ visit: (FileRow, _ isKnown: Bool) throws -> Bool) throws {
        let purged = try purgedIDs()
        // What is purged is deleted first where something else is pushed, which may want its name.
        if !purged.isEmpty, try changedRowIDs().allSatisfy({ purged.contains($0) }) { return }
        var done: Set<FileID> = []
        // Where a walk up to what is changed ends, met once for every folder.
        var ends: Set<FileID> = []
        for isKnown in [true, false] {
            let cursor = try Row.fetchCursor(
                db,
                sql: """
                    SELECT \(FileRow.columns) FROM file
                    WHERE local IS NOT NULL AND base IS \(isKnown ? "NOT NULL" : "NULL")
                    ORDER BY number
                    """
            )
            while let start = try cursor.next() {
                var path: [FileRow] = []
                var next: FileRow? = try FileRow(start)
                while let row = next, done.insert(row.id).inserted {
                    path.append(row)
                    next = nil
                    guard !done.contains(row.parent), !ends.contains(row.parent) else { break }
                    if let above = try self.row(row.parent), above.local != nil {
                        next = above
                    } else {
                        ends.insert(row.parent)
                    }
                }
                for row in path.reversed()
                where !row.isDamaged && !(row.base == nil && purged.contains(row.id)) {
                    guard try visit(row, isKnown) else { return }
                }
            }
        }
    }

    /// Changes below a folder that was deleted here arrive in the trash with it; the server takes
    /// nothing else below a dead folder.
    func settleDead() throws {
        guard try hasDeleted() else { return }
        var undone: [File] = []
        var dead: [FileID: Bool] = [:]
        let waiting = try waitingForOwner()
        for row in try changedRows()
        where !row.isDeleted && !row.isDamaged && row.id != root && !waiting.contains(row.id) {
            guard try isDead(below: row.parent, &dead), try mayPlace(file(row)) else { continue }
            let base = try base(row)
            let settled = try file(row).settledBelowDead(base: base)
            if let base, settled == base {
                undone.append(base)
            } else {
                try put(settled)
            }
        }
        // Their old names may be each other's new ones.
        try releasePlaces(of: Set(undone.map(\.id)))
        for base in undone { try put(base) }
    }

    /// Of what others share by itself only its owner says where it stands, and that it died there.
    func mayPlace(_ file: File) -> Bool { !isForeign || file.scope != file.id }

    func hasDeleted() throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM file WHERE deleted = 1)")
        ) ?? false
    }
}
