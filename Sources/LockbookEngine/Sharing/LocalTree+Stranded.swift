import LockbookCrypto
import LockbookModel

/// A change that may not be pushed any more.
struct StrandedFile {
    let id: FileID
    var path: String
    let name: FileName
    /// The document in which something was written that is here; nil where only the tree was changed.
    let document: File?
    /// Whether what was written was deleted here afterwards.
    var isDeletedHere = false
    /// Whether it is what was saved there before, and replaced.
    var isSave = false
    /// What was done there besides; nil where nothing is lost that somebody would miss.
    let change: StatusReport.Change.Kind?
    /// Whether what was written there stays.
    var isPlaceOnly = false
    /// Whether it was never pushed, so that nothing of it stays.
    var isForgotten = false
    /// The shared document, which may be written, of which a merge made it the second version.
    var original: FileID?
    /// The record of the change; nil where nothing was kept of it elsewhere.
    var record: Hash256?
}

extension File {
    /// Whether it has the name and place of another state of it, and is deleted as that is.
    fileprivate func isPlaced(as other: File) -> Bool {
        name == other.name && parent == other.parent && isDeleted == other.isDeleted
    }
}

extension LocalTree {
    /// What was changed here in shares and may not be pushed any more.
    /// - Parameter others: files that are not this account's to push for another reason.
    func stranded(besides others: Set<FileID> = []) throws -> [StrandedFile] {
        var found: [StrandedFile] = []
        // Folders that will be forgotten, and what was changed in which folder.
        var forgotten: [FileID] = []
        var changed: [FileID: [FileRow]] = [:]
        var rights = KnownRights()
        let waiting = try waitingForOwner()
        let words = try wordsOfOthers()
        for row in try changedRows()
        where row.id != root && !row.isDamaged && !waiting.contains(row.id) {
            // What stands below a folder that does not open stays as it is.
            guard let file = try opened(row) else { continue }
            guard
                try others.contains(row.id) || right(in: file.scope, &rights) < .write
                    || isBuried(row, file) || isTakenAway(row, file)
            else {
                if let moved = try movedTop(row) {
                    found.append(moved)
                } else {
                    changed[row.parent, default: []].append(row)
                }
                continue
            }
            found.append(try stranded(row, file, words))
            if row.base == nil { forgotten.append(row.id) }
        }
        // What stands in a folder goes with it.
        while let folder = forgotten.popLast() {
            for row in changed.removeValue(forKey: folder) ?? [] {
                guard let file = try opened(row) else { continue }
                found.append(try stranded(row, file, words))
                if row.base == nil { forgotten.append(row.id) }
            }
        }
        return found
    }

    /// - Parameter words: what others wrote, which is no loss here.
    private func stranded(_ row: FileRow, _ file: File, _ words: [FileID: [UInt8]]) throws
        -> StrandedFile
    {
        let isOwn = !isOfOthers(file, in: words)
        var document: File?
        let base = try base(row)
        let isWritten = file.content?.identity != base?.content?.identity
        // What a merge made of words in a file that its owner deleted, itself or with a folder,
        // nobody deleted here.
        let isRescued =
            try (base?.isDeleted ?? true || file.diedWithFolder || isBuried(row, file))
            && !wasDeletedHere(row)
        let original = try original(of: row)
        if isOwn, file.type == .document, isWritten, try !isPurged(row.id),
            let content = file.content, try canRead(content.blob)
        {
            document = file
        }
        return StrandedFile(
            id: row.id,
            path: try path(of: original ?? row),
            name: row.parent == root
                ? try ownersName(of: original ?? namesake(row, file)) : file.name,
            document: document,
            isDeletedHere: file.isDeleted && !isRescued,
            change: isOwn ? try change(of: row).kind : nil,
            isForgotten: row.base == nil,
            original: try original.flatMap { try right(in: scope(of: $0)) < .write ? nil : $0.id },
            record: try row.local.map { try FileRecord($0).hash }
        )
    }

    /// The document, shared by itself, of which a merge made a second version.
    ///
    /// That stands beside it, where nothing is shared: it can only be a document of one's own.
    private func original(of copy: FileRow) throws -> FileRow? {
        guard copy.base == nil, copy.parent == root,
            let original = try originalNoted(of: copy.id).flatMap({ try row($0) }),
            original.parent == root, !original.isDamaged
        else { return nil }
        return original
    }

    /// What a second version at the top is called after: beside one in the trash it has the same name,
    /// which is an id.
    private func namesake(_ copy: FileRow, _ file: File) throws -> FileRow {
        guard copy.base == nil, let id = FileID(hex: file.name.text), let row = try top(id),
            !row.isDamaged
        else { return copy }
        return row
    }

    /// Whether a command here deleted it, or a folder above it.
    ///
    /// Not with what is around something that others share by itself: that may have come there since.
    func wasDeletedHere(_ row: FileRow) throws -> Bool {
        var next: FileRow? = row
        while let row = next, row.id != root {
            if try wasDeletedLately(row.id) { return true }
            if try isForeign && scope(of: row) == row.id { return false }
            next = try self.row(row.parent)
        }
        return false
    }

    /// Whether it is shared by itself and stands in something deleted: it takes no changes there,
    /// and only its owner deletes it.
    private func isBuried(_ row: FileRow, _ file: File) throws -> Bool {
        guard isForeign, file.scope == row.id, row.parent != root else { return false }
        return try self.row(row.parent).map { try isDead($0) } ?? false
    }

    /// Whether it was moved here out of what is not seen any more, into what is shared by itself
    /// since: only its owner could have taken it there.
    private func isTakenAway(_ row: FileRow, _ file: File) throws -> Bool {
        guard isForeign, let base = try base(row), base.scope != file.scope else { return false }
        return try right(in: base.scope) == .none
    }

    /// What was renamed, moved or deleted here and was shared by itself meanwhile, so that only its
    /// owner may.
    private func movedTop(_ row: FileRow) throws -> StrandedFile? {
        guard isForeign, let base = try base(row), base.scope == row.id, let file = try opened(row)
        else { return nil }
        // At the top it has name and place of this device's making, and its record cannot say that
        // it is deleted.
        let isMoved =
            row.parent == root ? row.isDeleted != base.isDeleted : !file.isPlaced(as: base)
        guard isMoved else { return nil }
        return StrandedFile(
            id: row.id,
            path: try path(of: row),
            name: file.name,
            document: nil,
            change: try change(of: row).kind,
            isPlaceOnly: true
        )
    }

    /// Takes changes back.
    ///
    /// What was never pushed is forgotten, the rest is as its owner has it, or has the name and place
    /// that he gave it. What was made or moved here to where that stands gives way.
    /// - Returns: what gave way; and what stays, as somebody wrote there since it was looked at.
    func takeBack(_ found: [StrandedFile]) throws -> (notes: [SyncReport.Note], stays: Set<FileID>)
    {
        let stranded = try unchanged(found)
        try forgetPending()
        try releasePlaces(of: Set(stranded.map(\.id)))
        var notes: [SyncReport.Note] = []
        for change in stranded.filter({ !$0.isPlaceOnly }) + stranded.filter(\.isPlaceOnly) {
            guard let row = try row(change.id) else { continue }
            guard let base = try base(row) else {
                try forget(row)
                continue
            }
            notes += try makeRoom(for: base)
            guard change.isPlaceOnly else {
                try put(base)
                continue
            }
            var file = try file(row)
            (file.name, file.parent, file.isDeleted) = (base.name, base.parent, base.isDeleted)
            // Else it would not come back with its folder.
            file.diedWithFolder = base.diedWithFolder
            try put(try file.placed(in: self))
            // What had been written there before comes back with it.
            if row.isDeleted, !base.isDeleted { try reviveDead(below: row) }
        }
        return (notes, Set(found.map(\.id)).subtracting(stranded.map(\.id)))
    }

    /// Without what somebody wrote in since it was looked at, and without the new folders in which that, or
    /// something newer, stands: nothing was kept of it, and the next sync looks at it.
    private func unchanged(_ stranded: [StrandedFile]) throws -> [StrandedFile] {
        let known = Set(stranded.map(\.id))
        var stays: Set<FileID> = []
        func keep(_ file: FileID) throws {
            var next = try row(file)
            while let row = next, known.contains(row.id), stays.insert(row.id).inserted {
                next = try self.row(row.parent)
            }
        }
        for change in stranded {
            guard let record = change.record, let row = try row(change.id) else { continue }
            if try row.local.map({ try FileRecord($0).hash }) != record { try keep(row.id) }
            guard change.isForgotten, row.type == .folder else { continue }
            for child in try children(of: row.id) where !known.contains(child.id) {
                try keep(row.id)
            }
        }
        return stays.isEmpty ? stranded : stranded.filter { !stays.contains($0.id) }
    }

    /// Moves what stands around the place of a file out of that file, and gives what has its name
    /// there another one: both was done here, since what is agreed has room for it.
    private func makeRoom(for file: File) throws -> [SyncReport.Note] {
        var notes: [SyncReport.Note] = []
        var around: [FileRow] = []
        var next = try row(file.parent)
        while let row = next, row.id != root, row.id != file.id, around.count < Self.mostDepth {
            around.append(row)
            next = try self.row(row.parent)
        }
        if next?.id == file.id {
            for row in around {
                guard let base = try base(row), base.parent != row.parent,
                    let place = try self.row(base.parent)
                else { continue }
                var moved = try self.file(row)
                moved.parent = place.id
                notes.append(try undoMove(of: row, to: place, as: moved))
            }
        }
        guard !file.isDeleted, let folder = try row(file.parent),
            let taken = try child(file.name, of: folder), taken.id != file.id
        else { return notes }
        var other = try self.file(taken)
        other.name = try freeName(file.name, in: folder)
        try put(try other.placed(in: self))
        notes.append(
            SyncReport.Note(
                kind: .renamed,
                id: other.id.description,
                path: try path(of: other.id),
                detail: file.name.text
            )
        )
        return notes
    }
}
