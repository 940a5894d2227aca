import LockbookCrypto
import LockbookModel

extension LocalTree {
    /// Puts what is to be pushed into the scopes of the folders that it stands in now.
    ///
    /// A command does so for what it moves, as it was then. What is below may be another file by
    /// now: made elsewhere in a folder that was moved here, or left behind by a move that a merge
    /// took back, or in a folder that was purged elsewhere.
    func settleScopes() throws {
        guard try isShared() else { return }
        let wasMerging = isMerging
        // What somebody may do here was asked when he did it.
        isMerging = true
        defer { isMerging = wasMerging }
        var rows: [FileID: FileRow] = [:]
        for row in try changedRows() where !row.isDamaged && row.id != root { rows[row.id] = row }
        var order: [FileRow] = []
        var done: Set<FileID> = []
        // Folders first: what stands in them goes by them.
        for start in rows.values.sorted(by: { $0.id < $1.id }) {
            var path: [FileRow] = []
            var next: FileRow? = start
            while let row = next, done.insert(row.id).inserted {
                path.append(row)
                next = rows[row.parent]
            }
            order += path.reversed()
        }
        for row in order { try settleScope(row) }
    }

    private func settleScope(_ start: FileRow) throws {
        var pending = [start]
        while let row = pending.popLast() {
            guard !row.isDamaged, let folder = try self.row(row.parent), !folder.isDamaged,
                let facts = try row.current.map({ try FileRecord($0).facts }), facts.scope != row.id
            else { continue }
            let above = try record(of: folder).facts
            if isForeign, try right(in: above.scope) < .write { continue }
            let isChanged = row.local != nil && facts.parentEpoch != above.epoch
            if facts.scope != above.scope || isChanged {
                try put(try file(row).placed(in: self))
            }
            let known = try row.base.map { try FileRecord($0).facts.scope }
            guard row.type == .folder, facts.scope != above.scope || known != above.scope else {
                continue
            }
            pending += try children(of: row.id)
        }
    }
}
