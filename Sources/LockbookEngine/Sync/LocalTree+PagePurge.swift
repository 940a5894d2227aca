import LockbookCrypto
import LockbookModel

/// What is gone for good at the server, and what is told of it.
extension LocalTree {
    /// Files of this device that a page purges.
    ///
    /// A checkpoint's state has every file there is,
    /// deleted ones too, so what it lacks was purged while this device was away. What is new here
    /// was pushed before from a copy of this data folder, when a page tells of its end.
    func purged(by page: VerifiedPage) throws -> Set<FileID> {
        guard page.isState else { return try page.purged.filter { try row($0) != nil } }
        return Set(try agreedIDs().filter { page.records[$0] == nil && $0 != root })
    }

    /// The paths of those of these files whose folders are not among them, in their order.
    func topPaths(of files: [FileID]) throws -> [String] {
        try topPaths(of: files) { _, path in path }.sorted()
    }

    func topPaths<Item>(of files: [FileID], _ make: (FileRow, String) throws -> Item) throws
        -> [Item]
    {
        let all = Set(files)
        return try files.sorted().compactMap { id in
            guard let row = try row(id), !all.contains(row.parent) else { return nil }
            return try make(row, try path(of: row))
        }
    }

    /// What was changed here of files that are gone.
    func changedRows(of gone: Set<FileID>) throws -> [FileRow] {
        try changedRows().filter {
            try gone.contains($0.id) && !$0.isDamaged && !isPurged($0.id)
        }
    }

    /// Whether this device took a file out of a folder that is gone.
    ///
    /// It lives, in whatever order the two come to be known. What was purged itself does not.
    func isMovedOut(_ row: FileRow, of gone: Set<FileID>, _ news: ShareNews?) throws -> Bool {
        guard let base = try row.base.map({ try FileRecord($0).facts.parent }), gone.contains(base),
            row.parent != base, !gone.contains(row.parent)
        else { return false }
        return try !hasMovedAway(row, news)
    }

    /// What is told of files that are gone and lived here: what was done to some of them, which went with
    /// them, and where the others stood.
    func farewells(
        to gone: Set<FileID>,
        besides rescues: [Rescue],
        told news: ShareNews?
    ) throws -> (notes: [SyncReport.Note], deleted: [String]) {
        let kept = Set(rescues.map(\.old))
        var dead: [FileID: Bool] = [:]
        var living: [FileID] = []
        for id in gone.sorted() where !kept.contains(id) {
            guard let row = try row(id), row.base != nil, !row.isDamaged, !row.isDeleted,
                try !isDead(below: row.parent, &dead)
            else { continue }
            living.append(id)
        }
        let renamed = try Set(living.filter { try row($0).map(isRenamed) ?? false })
        let reopened = try gone.filter {
            try !kept.contains($0) && row($0).map(isReopened) ?? false
        }
        let notes = try renamed.union(reopened).sorted().map { id in
            SyncReport.Note(
                kind: .purged,
                id: id.description,
                path: try shownPath(of: id),
                detail: ""
            )
        }
        let deleted = try topPaths(of: living) { row, path in
            try renamed.contains(row.id) || hasMovedAway(row, news) ? nil : path
        }
        return (notes, deleted.compactMap(\.self).sorted())
    }

    /// Whether a file has another name or place here than it has at the server.
    private func isRenamed(_ row: FileRow) throws -> Bool {
        guard row.local != nil, let base = try base(row) else { return false }
        let file = try file(row)
        return file.name != base.name || file.parent != base.parent
    }

    /// Whether it was taken back here that words which nobody deleted may stay in the trash.
    private func isReopened(_ row: FileRow) throws -> Bool {
        guard row.local != nil, !row.isDamaged, let base = try base(row) else { return false }
        return try file(row).diedUnseen && !base.diedUnseen
    }

    func hasMovedAway(_ row: FileRow, _ news: ShareNews?) throws -> Bool {
        guard let news, let base = row.base else { return false }
        return try news.left.contains(row.id)
            || news.departed.contains(FileRecord(base).facts.scope)
    }

    /// What others changed since, or took out of the trash, is not purged by this device.
    func keepChanged(_ news: [FileID: File]) throws {
        guard try hasPurged() else { return }
        for (id, file) in news where try isPurged(id) {
            guard let base = try row(id).flatMap({ try base($0) }) else { continue }
            let isWritten = file.content?.identity != base.content?.identity
            if isWritten || (base.isDeleted && !file.isDeleted) { try unpurge(id) }
        }
    }

    /// Forgets files that are gone.
    /// - Returns: the folder that each stood in.
    func forget(_ gone: Set<FileID>) throws -> [FileID: FileID] {
        var above: [FileID: FileID] = [:]
        for id in gone {
            guard let row = try row(id) else { continue }
            above[id] = row.parent
            try prune(row)
        }
        return above
    }
}
