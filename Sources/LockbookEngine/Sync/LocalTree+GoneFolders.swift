import LockbookCrypto
import LockbookModel

/// Where things stand that stood in folders which are gone for good.
struct GoneFolders {
    /// The new folders for those that live on, by the ids of the old ones.
    var remade: [FileID: File] = [:]
    /// Where that stood which was made here, and whose folder does not live on.
    var before: [FileID: String] = [:]

    /// The new folders by their own ids.
    var new: [FileID: File] {
        Dictionary(uniqueKeysWithValues: remade.values.map { ($0.id, $0) })
    }

    /// What a merge made of the new folders, by the ids of the old ones.
    func merged(by plan: MergePlan) -> [FileID: FileID] {
        remade.mapValues { plan.joined[$0.id] ?? $0.id }
    }
}

extension LocalTree {
    /// What was restored or taken out here of files that are gone, with all that lives in it.
    func survivors(of gone: Set<FileID>, told news: ShareNews?) throws -> [FileRow] {
        guard !gone.isEmpty else { return [] }
        var walked: Set<FileID> = []
        var found: [FileRow] = []
        for row in try changedRows(of: gone) where try !isDead(row) {
            let isRestored = try base(row)?.isDeleted == true
            guard try isRestored || isMovedOut(row, of: gone, news) else { continue }
            found += try subtree(of: row, besides: &walked).filter { row in
                try gone.contains(row.id) && !row.isDeleted && !row.isDamaged && !isDead(row)
            }
        }
        return found
    }

    /// Makes anew the folders that live on though they are gone, and gives what is new here in gone ones
    /// its place: in the new folder, or in the nearest one that is there.
    ///
    /// This comes before the merge, for which they are folders that were made here as any others.
    /// - Parameters:
    ///   - survivors: what lives on of the files that are gone.
    ///   - news: what the server changed.
    ///   - local: what was changed here, as it is to be merged.
    func remake(
        _ survivors: [FileRow],
        of gone: Set<FileID>,
        _ news: [FileID: File],
        told shares: ShareNews?,
        in local: inout [FileID: File]
    ) throws -> GoneFolders {
        var folders = GoneFolders()
        guard !gone.isEmpty else { return folders }
        for row in survivors where row.type == .folder {
            guard try !hasMovedAway(row, shares) else { continue }
            var file = try file(row)
            file.id = FileID(random: environment.random)
            file.epoch = 1
            folders.remade[row.id] = file
        }
        let ids = folders.remade.mapValues(\.id)
        let dead = deadFolders(in: news)
        for (id, var file) in folders.remade {
            file.parent = try place(file.parent, ids, of: gone, dead)
            folders.remade[id] = file
        }
        for (id, file) in local where gone.contains(file.parent) {
            guard let row = try row(id), let folder = try self.row(file.parent) else { continue }
            if let made = ids[folder.id] {
                local[id]?.parent = made
                continue
            }
            // What was moved there goes back to where the server has it.
            guard row.base == nil, news[id] == nil else { continue }
            let isAway = try hasMovedAway(folder, shares)
            let parent = try isAway ? root : place(folder.id, ids, of: gone, dead)
            local[id]?.parent = parent
            // At the top of what others share nothing of this account's can stay, nor what is in it.
            for row in try isForeign && parent == root ? subtree(of: row) : [row]
            where row.base == nil {
                folders.before[row.id] = try shownPath(of: row.id)
            }
        }
        local.merge(folders.new) { _, new in new }
        return folders
    }

    /// Tells of what was made here where it stands now, as its folder is gone.
    func notes(of folders: GoneFolders) throws -> [SyncReport.Note] {
        try folders.before.sorted { $0.key < $1.key }.compactMap { id, before in
            // It may have become one with another document of its name, or lie in the trash.
            guard let row = try row(id), try !isDead(row) else { return nil }
            return SyncReport.Note(
                kind: .folderGone,
                id: id.description,
                path: try path(of: id),
                detail: before
            )
        }
    }

    /// The folder that was made anew for one that is gone, or the nearest above it in which something
    /// may be put.
    private func place(
        _ folder: FileID,
        _ remade: [FileID: FileID],
        of gone: Set<FileID>,
        _ dead: FilesAbove
    ) throws -> FileID {
        var id = folder
        while id != root, let row = try row(id) {
            if let made = remade[id] { return made }
            let isThere = try !gone.contains(id) && !isShut(row) && dead.nearest(from: id) == nil
            if isThere { return id }
            id = row.parent
        }
        return root
    }
}
