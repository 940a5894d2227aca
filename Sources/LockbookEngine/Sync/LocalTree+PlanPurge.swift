import GRDB
import LockbookCrypto
import LockbookModel

extension LocalTree {
    /// Marks what is in the trash for longer than it is kept.
    ///
    /// Of what others share only the owner purges, when its time has come for him.
    func purgeExpired() throws {
        guard !isForeign else { return try unmarkAll() }
        guard let time = trashTime else { return }
        for id in try trashed(for: time) {
            guard let row = try row(id), row.isDeleted, row.local == nil, try !isPurged(id) else {
                continue
            }
            let rows = try subtree(of: row)
            // What arrived in a dead folder later stays its own time, and the folder with it.
            let isDue = try rows.allSatisfy { row in
                try row.local == nil && (!row.isDeleted || isTrashed(row.id, for: time))
                    && !isUndecidedInTrash(row.id)
            }
            if isDue { try purge(row) }
        }
    }

    /// Whether something in the trash is older than it is kept.
    func hasExpired() throws -> Bool {
        guard !isForeign, let time = trashTime else { return false }
        return try !trashed(for: time).isEmpty
    }

    /// Has what an earlier program marked in a tree of others be in the trash again.
    private func unmarkAll() throws {
        guard try hasPurged() else { return }
        try db.execute(sql: "DELETE FROM purge")
    }

    /// How long the trash is kept, in milliseconds; nil for ever.
    private var trashTime: Int64? { environment.trashDays.map { $0 * 86_400_000 } }

    /// The files that an entry may purge after all other changes are agreed: with nothing left in
    /// them here or at the server, those below a folder before it.
    func planPurge() throws -> [FileID] {
        var marked = try purgedIDs()
        guard !marked.isEmpty else { return [] }
        var depths: [FileID: Int] = [:]
        for id in marked {
            guard let row = try row(id) else {
                try db.cachedStatement(sql: "DELETE FROM purge WHERE file = ?").execute(arguments: [
                    id.bytes.data
                ])
                marked.remove(id)
                continue
            }
            guard row.base != nil else {
                try prune(row)
                marked.remove(id)
                continue
            }
        }
        for id in marked.sorted() where try isPurged(id) {
            // Somebody put something in, which must not go unseen: the folder stays in the trash.
            for child in try children(of: id) where !marked.contains(child.id) { try unpurge(id) }
        }
        marked = try purgedIDs()
        for id in try blockedFolders() { marked.remove(id) }
        for id in marked { depths[id] = try agreedDepth(of: id) }
        let order = marked.sorted { (-(depths[$0] ?? 0), $0) < (-(depths[$1] ?? 0), $1) }
        return Array(order.prefix(environment.pushRecordCount))
    }

    /// Folders in which the server still has files whose moves could not be pushed, and those above.
    private func blockedFolders() throws -> Set<FileID> {
        var blocked: Set<FileID> = []
        for row in try changedRows() where try !isPurged(row.id) {
            guard let base = row.base else { continue }
            var id = try FileRecord(base).facts.parent
            while id != root, blocked.insert(id).inserted, let folder = try self.row(id) {
                id = folder.parent
            }
        }
        return blocked
    }

    /// How deep the server has a file.
    ///
    /// What is purged here may stand in folders of the server's that it came to by an entry of which
    /// no answer came.
    private func agreedDepth(of id: FileID) throws -> Int {
        try depth(of: id) { row in try row.base.map { try FileRecord($0).facts.parent } }
    }

    func depth(of id: FileID) throws -> Int { try depth(of: id) { $0.parent } }

    private func depth(of id: FileID, _ above: (FileRow) throws -> FileID?) throws -> Int {
        var depth = 0
        var id = id
        while id != root, depth < Self.mostDepth, let row = try row(id),
            let next = try above(row)
        {
            depth += 1
            id = next
        }
        return depth
    }
}
