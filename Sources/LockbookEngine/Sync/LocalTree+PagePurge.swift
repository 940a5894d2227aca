import LockbookCrypto
import LockbookModel

/// What is gone for good at the server, and what was written here of it.
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
            guard rescues[row.id] == nil, !row.isDamaged else { return }
            guard var file = try ownCopy(of: file(row)) else { return }
            file.isDeleted = isDeleted
            var left: String?
            if try hasMovedAway(row, news), try !isDead(row) {
                guard file.type == .document else { return }
                (file.parent, file.isDeleted) = (root, false)
                left = try shownPath(of: row.id)
            }
            rescues[row.id] = Rescue(file: file, old: row.id, left: left)
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
                guard isWritten, !old.isDeleted, old.type != .link, let file = try ownCopy(of: old)
                else { return }
                rescues.append(Rescue(file: file, old: row.id))
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
            !row.isDamaged, try self.base(row) == nil, let file = try ownCopy(of: file(row))
        else { return nil }
        try storeDamaged(try FileRecord(base), over: row)
        return try put([Rescue(file: file, old: id)], over: [:])
    }

    /// The file as another one, sealed anew.
    /// - Returns: nil where its content is not here.
    private func ownCopy(of old: File) throws -> File? {
        guard try old.content.map({ try canRead($0.blob) }) ?? true else { return nil }
        var file = old
        file.id = FileID(random: environment.random)
        file.content = try old.content.map { try reseal($0, of: old, for: file.id) }
        return file
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
            return SyncReport.Note(
                kind: .rescued,
                id: id.description,
                path: try path(of: id),
                detail: rescue.file.isDeleted ? "in the trash" : rescue.left ?? ""
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
        if isUndecided { try noteConflict(.trashed, file.id) }
        return file.id
    }
}

extension LocalTree {
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

/// A new file that keeps what was written here of one that is gone.
struct Rescue {
    var file: File
    let old: FileID
    /// Where it stood, of what moved out of this account's sight.
    var left: String?
}
