import LockbookCrypto
import LockbookModel

extension LocalTree {
    /// Puts what is to be pushed into the scopes of the folders that it stands in now.
    ///
    /// A command does so for what it moves, as it was then. What is below may be another file by
    /// now: made elsewhere in a folder that was moved here, or left behind by a move that a merge
    /// took back, or in a folder that was purged elsewhere. And the folder that something was moved
    /// into may be shared by now: links do not stay in it.
    func settleScopes() throws -> [SyncReport.Note] {
        guard try isShared() else { return [] }
        let wasMerging = isMerging
        // What somebody may do here was asked when he did it.
        isMerging = true
        defer { isMerging = wasMerging }
        var notes: [SyncReport.Note] = []
        for row in try changedFoldersFirst() {
            // One before it may have moved it.
            guard let row = try self.row(row.id) else { continue }
            if let note = try leaveShare(row) { notes.append(note) }
        }
        var rights = KnownRights()
        var walked: Set<FileID> = []
        for row in try changedFoldersFirst() {
            if let note = try stayInScope(row.id) {
                notes.append(note)
                rights = KnownRights()
            }
            if let row = try self.row(row.id) { try settleScope(row, &rights, &walked) }
        }
        return notes
    }

    private func changedFoldersFirst() throws -> [FileRow] {
        var rows: [FileID: FileRow] = [:]
        for row in try changedRows() where !row.isDamaged && row.id != root { rows[row.id] = row }
        var order: [FileRow] = []
        var done: Set<FileID> = []
        for start in rows.values.sorted(by: { $0.id < $1.id }) {
            var path: [FileRow] = []
            var next: FileRow? = start
            while let row = next, done.insert(row.id).inserted {
                path.append(row)
                next = rows[row.parent]
            }
            order += path.reversed()
        }
        return order
    }

    /// - Parameter walked: folders whose files are settled, as long as the folders stay as they are:
    ///   in a deep tree of which all changed each file is looked at once.
    private func settleScope(
        _ start: FileRow,
        _ rights: inout KnownRights,
        _ walked: inout Set<FileID>
    ) throws {
        var pending = [start]
        while let row = pending.popLast() {
            guard !row.isDamaged, let folder = try self.row(row.parent), !folder.isDamaged,
                let facts = try row.current.map({ try FileRecord($0).facts }), facts.scope != row.id
            else { continue }
            let above = try record(of: folder).facts
            if isForeign, try right(in: above.scope, &rights) < .write { continue }
            let isChanged = row.local != nil && facts.parentEpoch != above.epoch
            let isPut = facts.scope != above.scope || isChanged
            if isPut {
                try put(try file(row).placed(in: self))
                if row.type == .folder { rights = KnownRights() }
            }
            let known = try row.base.map { try FileRecord($0).facts.scope }
            guard row.type == .folder, facts.scope != above.scope || known != above.scope,
                walked.insert(row.id).inserted || isPut
            else { continue }
            pending += try children(of: row.id)
        }
    }

    // MARK: What does not go into a share

    /// Moves a link, or a folder with one in it, out of a share that came to be around it: to where it
    /// was, or the nearest folder from there that takes it.
    private func leaveShare(_ row: FileRow) throws -> SyncReport.Note? {
        guard !isForeign, let folder = try self.row(row.parent), !folder.isDamaged else {
            return nil
        }
        let old = try base(row).flatMap { try self.row($0.parent) }
        guard try scope(of: folder) != root, try holdsLink(row) else { return nil }
        var place = old ?? folder
        while place.id != root,
            try isDead(place) || place.isDamaged || self.scope(of: place) != root
                || isBelow(place, row)
        {
            place = try self.row(place.parent) ?? rootRow()
        }
        var file = try file(row)
        file.parent = place.id
        // What was made here, or stood there before, was moved by nobody.
        let isMoved = old.map { $0.id != row.parent } ?? false
        return try undoMove(of: row, to: place, as: file, isMoved ? .moveUndone : .linkMovedOut)
    }

    /// Puts a file into a folder that it was moved out of, under a name that is free there.
    /// - Parameter kind: how that is told.
    func undoMove(
        of row: FileRow,
        to place: FileRow,
        as placed: File,
        _ kind: SyncReport.Note.Kind = .moveUndone
    ) throws -> SyncReport.Note {
        var file = placed
        if !file.isDeleted { file.name = try freeName(file.name, in: place, for: row.id) }
        let tried = try path(of: row)
        try put(try file.placed(in: self))
        folderPaths.removeAll()
        return SyncReport.Note(
            kind: kind,
            id: row.id.description,
            path: try path(of: row.id),
            detail: tried
        )
    }

    /// Moves back what a member moved into a folder that is in a share of its own by now: out of a
    /// scope, and on into one, only its owner takes anything.
    private func stayInScope(_ id: FileID) throws -> SyncReport.Note? {
        // What stands below a folder that does not open stays as it is.
        guard isForeign, let row = try row(id), row.base != nil, try opened(row) != nil,
            let base = try base(row), base.scope != id, row.parent != base.parent,
            let folder = try self.row(row.parent),
            try scope(of: folder) != base.scope, let place = try self.row(base.parent)
        else { return nil }
        var file = try file(row)
        file.parent = place.id
        if try isDead(place) { file = file.settledBelowDead(base: base) }
        return try undoMove(of: row, to: place, as: file)
    }

    private func isBelow(_ place: FileRow, _ folder: FileRow) throws -> Bool {
        var next: FileRow? = place
        while let row = next, row.id != root {
            if row.id == folder.id { return true }
            next = try self.row(row.parent)
        }
        return false
    }

    /// Whether it is a link, or a folder with one in it.
    func holdsLink(_ top: FileRow) throws -> Bool { try linkInside(top) != nil }

    /// The file itself or one in it that is a link, also one in the trash.
    /// - Parameter gone: what does not count.
    func linkInside(_ top: FileRow, besides gone: Set<FileID> = []) throws -> FileRow? {
        var pending = [top]
        while let row = pending.popLast() {
            guard !row.isDamaged, !gone.contains(row.id) else { continue }
            if row.type == .link { return row }
            if row.type == .folder { pending += try children(of: row.id) }
        }
        return nil
    }
}
