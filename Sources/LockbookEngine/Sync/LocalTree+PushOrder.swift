import LockbookModel

extension LocalTree {
    /// The changes in an order of which every beginning leaves a valid tree: what the server knows
    /// already, with the new folders it moves into, then new files, folders before their children.
    func pushOrder() throws -> [FileRow] {
        let purged = try purgedIDs()
        // What is purged is deleted first where something else is pushed, which may want its name.
        let changed = try changedRows().filter {
            !$0.isDamaged && !($0.base == nil && purged.contains($0.id))
        }
        if changed.allSatisfy({ purged.contains($0.id) }) { return [] }
        guard changed.count > EntryGroup.maximumRecordCount else { return changed }
        var rows: [FileID: FileRow] = [:]
        for row in changed { rows[row.id] = row }
        var order: [FileRow] = []
        var done: Set<FileID> = []
        func add(_ start: FileRow) {
            var path: [FileRow] = []
            var row: FileRow? = start
            while let next = row, done.insert(next.id).inserted {
                path.append(next)
                row = rows[next.parent]
            }
            order.append(contentsOf: path.reversed())
        }
        for row in changed where row.base != nil { add(row) }
        for row in changed where row.base == nil { add(row) }
        return order
    }

    /// Changes below a folder that was deleted here arrive in the trash with it; the server takes
    /// nothing else below a dead folder.
    func settleDead() throws {
        var undone: [File] = []
        for row in try changedRows() where !row.isDeleted && !row.isDamaged && row.id != root {
            guard let parent = try self.row(row.parent), try isDead(parent) else { continue }
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
}
