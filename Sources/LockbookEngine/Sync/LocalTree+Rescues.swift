import LockbookCrypto
import LockbookModel

/// A new file that keeps what was written here of one that is gone.
struct Rescue {
    var file: File
    let old: FileID
    /// Where that stood.
    let place: String
    /// What was saved of it before a sync and replaced.
    let saves: [CarriedSave]
}

/// What was written here of files that are gone for good or would not open any more: it lives on in new
/// ones.
extension LocalTree {
    /// New files for what was written or restored here of files that are gone.
    ///
    /// They are sealed anew, since keys and contents belong to a file; their folders are settled
    /// when they are put, those first.
    /// - Parameters:
    ///   - survivors: what lives on of them.
    ///   - news: what moved out of this account's sight. What was written there is no business
    ///     of the share that it left, and nobody deleted it.
    func rescues(
        of gone: Set<FileID>,
        surviving survivors: [FileRow],
        told news: ShareNews?
    ) throws -> [Rescue] {
        guard !gone.isEmpty else { return [] }
        var rescues: [FileID: Rescue] = [:]
        func rescue(_ row: FileRow, isDeleted: Bool) throws {
            guard rescues[row.id] == nil, !row.isDamaged, var copy = try ownCopy(of: row) else {
                return
            }
            copy.file.isDeleted = isDeleted
            if try hasMovedAway(row, news), try !isDead(row) {
                guard copy.file.type == .document else { return }
                (copy.file.parent, copy.file.isDeleted) = (root, false)
            }
            rescues[row.id] = copy
        }
        // First what lives, with all that was written in it.
        for row in survivors { try rescue(row, isDeleted: false) }
        for row in try changedRows(of: gone) where row.type == .document {
            let file = try file(row)
            if let content = file.content, try content.identity != base(row)?.content?.identity {
                try rescue(row, isDeleted: true)
            }
        }
        return parentsFirst(rescues, of: \.file.parent).compactMap { rescues[$0] }
    }

    /// New files for what was written here and would not open any more.
    ///
    /// With the record that a change was made of, or with the folder that something new stands in, its
    /// key is gone. What does not open already, lies in the trash or is a link stays as it is.
    /// - Returns: what of these is new here, too, which goes.
    func shutOut(by damaged: [FileID: FileRecord]) throws -> (rescues: [Rescue], new: [FileRow]) {
        var rescues: [Rescue] = []
        var new: [FileRow] = []
        var walked: Set<FileID> = []
        func rescue(_ row: FileRow, isNew: Bool) throws {
            do {
                let old = try file(row)
                let isWritten = try isNew || old.content?.identity != base(row)?.content?.identity
                guard isWritten, !old.isDeleted, old.type != .link, let copy = try ownCopy(of: row)
                else { return }
                rescues.append(copy)
                if isNew { new.append(row) }
            } catch is DamagedRecord {
                return
            }
        }
        for (id, record) in damaged.sorted(by: { $0.key < $1.key }) {
            guard let row = try row(id), !row.isDamaged, row.base != record.bytes,
                try !isPurged(id)
            else { continue }
            if row.type == .document, row.local != nil {
                try rescue(row, isNew: false)
            } else if row.type == .folder {
                for child in try subtree(of: row, besides: &walked)
                where child.base == nil && !child.isDamaged {
                    try rescue(child, isNew: true)
                }
            }
        }
        return (rescues, new)
    }

    /// Takes what the server has for the state of a document, though it does not open.
    ///
    /// What it was here becomes a file of its own. A folder is not given up: what stands in it would open
    /// no more.
    /// - Returns: nil for what was not changed over nonsense, or is not here to be kept.
    func giveUp(_ id: FileID) throws -> [SyncReport.Note]? {
        guard let row = try row(id), row.type == .document, let base = row.base, row.local != nil,
            !row.isDamaged, try self.base(row) == nil, let copy = try ownCopy(of: row)
        else { return nil }
        try storeDamaged(try FileRecord(base), over: row)
        return try put([copy], over: [:])
    }

    /// The file as another one, sealed anew.
    /// - Returns: nil where its content is not here.
    private func ownCopy(of row: FileRow) throws -> Rescue? {
        let old = try file(row)
        guard try old.content.map({ try canRead($0.blob) }) ?? true else { return nil }
        var file = old
        file.id = FileID(random: environment.random)
        // At the top of what others share it is called by its id here.
        file.name = try ownersName(of: row)
        file.content = try old.content.map { try reseal($0, of: old, for: file.id) }
        return Rescue(
            file: file,
            old: row.id,
            place: try shownPath(of: row.id),
            saves: try saves(of: row, at: path(of: row), for: file.id)
        )
    }

    /// Puts the new files where the old ones stood, or in the nearest folder that is there.
    /// - Parameter remade: the folders that were made anew before the merge, by the ids of the old ones.
    func put(
        _ rescues: [Rescue],
        over gone: [FileID: FileID],
        in remade: [FileID: FileID] = [:]
    ) throws -> [SyncReport.Note] {
        var made = remade
        return try rescues.map { rescue in
            let id = try made[rescue.old] ?? put(rescue, over: gone, in: made)
            made[rescue.old] = id
            // At the top of what others share nothing new can stay: it is known by where it stood.
            let isLeaving = try isForeign && row(id)?.parent == root
            return SyncReport.Note(
                kind: .rescued,
                id: id.description,
                path: try path(of: id),
                detail: isLeaving ? rescue.place : rescue.file.isDeleted ? "in the trash" : ""
            )
        }
    }

    private func put(
        _ rescue: Rescue,
        over gone: [FileID: FileID],
        in made: [FileID: FileID]
    ) throws -> FileID {
        var file = rescue.file
        var parent = file.parent
        while made[parent] == nil, let above = gone[parent] { parent = above }
        var folder = try row(made[parent] ?? parent) ?? rootRow()
        while try !file.isDeleted && (isDead(folder) || isShut(folder)) {
            folder = try row(folder.parent) ?? rootRow()
        }
        file.parent = folder.id
        file.epoch = 1
        if !file.isDeleted { file.name = try freeName(file.name, in: folder) }
        let isUndecided = file.isDeleted && file.type == .document
        if isUndecided { file.diedUnseen = true }
        try put(try file.placed(in: self))
        try keep(rescue.saves, of: file.id)
        if isUndecided { try noteConflict(.trashed, file.id) }
        return file.id
    }

    /// Whether a folder, or one that it stands in, does not open.
    func isShut(_ folder: FileRow) throws -> Bool {
        var folder = folder
        while !folder.isDamaged {
            guard folder.id != root, folder.parent != root, let above = try row(folder.parent)
            else {
                return false
            }
            folder = above
        }
        return true
    }
}
