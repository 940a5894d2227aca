extension TreeMerge {
    /// Whether a folder is there for its children, and alive.
    enum Place {
        case live, dead, missing
    }

    func place(_ start: FileID) throws -> Place {
        var id = start
        var seen: Set<FileID> = []
        while seen.insert(id).inserted {
            guard let folder = try merged(id) else { return .missing }
            guard folder.type == .folder else { return .missing }
            if folder.isDeleted { return .dead }
            if folder.parent == id { return id == root ? .live : .missing }
            id = folder.parent
        }
        // A cycle is for `undoCycles`; until then nothing in it is dead.
        return .live
    }

    /// Moves what stands in a dead or missing folder to where it can stay, or to the trash.
    mutating func settlePlaces() throws -> Bool {
        var changed = false
        for id in plan.files.keys.sorted() where id != root && isLocalChange(id) {
            guard let file = plan.files[id], !plan.removed.contains(id) else { continue }
            switch try place(file.parent) {
            case .live: continue
            case .missing:
                note(.moveUndone, id)
                try undoMove(id)
                changed = true
            case .dead where !file.isDeleted:
                try settleInDeadFolder(id, file)
                changed = true
            case .dead: continue
            }
        }
        return changed
    }

    private mutating func settleInDeadFolder(_ id: FileID, _ file: File) throws {
        if let remote = remoteFile(id), file.parent != remote.parent,
            try place(remote.parent) == .live, !isDeletedHere(file.parent)
        {
            // It was moved here before this side knew that the folder is gone.
            note(.moveUndone, id)
            try undoMove(id)
            return
        }
        let remote = remoteFile(id)
        let isDeletedElsewhere = !isDeletedHere(file.parent)
        if remote == nil || remote?.content?.version != file.content?.version
            || remote?.parent != file.parent
        {
            // New or edited: it arrives in the trash with what was written last.
            plan.files[id]?.isDeleted = true
            if isDeletedElsewhere { note(.trashed, id) }
        } else if let remote {
            if remote.name != file.name, isDeletedElsewhere {
                note(.renameUndone, id, name: file.name)
            }
            plan.files[id] = remote
        }
    }

    /// Whether it is this device that deleted what stands above.
    private func isDeletedHere(_ start: FileID) -> Bool {
        var id = start
        var seen: Set<FileID> = []
        while seen.insert(id).inserted, let folder = try? merged(id) {
            if folder.isDeleted { return remoteFile(id)?.isDeleted == false || bases[id] == nil }
            id = folder.parent
        }
        return false
    }

    /// Puts a file back where the server has it, or as near as there is a live folder.
    mutating func undoMove(_ id: FileID) throws {
        var parent = remoteFile(id)?.parent ?? root
        var seen: Set<FileID> = [id]
        while parent != root {
            guard seen.insert(parent).inserted, let folder = try merged(parent),
                folder.type == .folder
            else {
                parent = root
                break
            }
            if try place(parent) != .missing { break }
            parent = folder.parent
        }
        plan.files[id]?.parent = parent
    }

    /// Undoes the local moves in every cycle.
    ///
    /// The server's tree has none, so each cycle has at
    /// least one.
    mutating func undoCycles() throws -> Bool {
        var changed = false
        var safe: Set<FileID> = [root]
        for start in plan.files.keys.sorted() where !plan.removed.contains(start) {
            var path: [FileID] = []
            var onPath: Set<FileID> = []
            var id = start
            while !safe.contains(id) {
                if onPath.contains(id) {
                    let cycle = path[(path.firstIndex(of: id) ?? 0)...]
                    for member in cycle
                    where plan.files[member].map({ $0.parent != remoteFile(member)?.parent })
                        ?? false
                    {
                        let parent = remoteFile(member)?.parent ?? root
                        plan.files[member]?.parent = parent
                        note(.moveUndone, member)
                        changed = true
                    }
                    break
                }
                onPath.insert(id)
                path.append(id)
                guard let file = try merged(id) else { break }
                id = file.parent
            }
            if safe.contains(id) { safe.formUnion(path) }
        }
        return changed
    }

    /// Tells of files that one side deleted and the other changed.
    mutating func noteDeletions() throws {
        for (id, file) in plan.files.sorted(by: { $0.key < $1.key }) where file.isDeleted {
            guard let base = bases[id], !base.isDeleted else { continue }
            let other = local[id]?.isDeleted == true ? remote[id] : local[id]
            guard let other, !other.isDeleted, !other.isSame(as: base) else { continue }
            note(.deleted, id)
        }
    }
}
