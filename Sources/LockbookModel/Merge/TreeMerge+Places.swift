/// Whether a file can have children for people to see.
enum Standing {
    case live, dead, missing
    /// In a cycle, or below one: nobody knows before the next round undoes it.
    case cyclic
}

extension TreeMerge {
    /// Moves what stands in a dead or missing folder to where it can stay, or to the trash.
    ///
    /// Folders are settled before what stands in them, so that a folder that goes back takes its
    /// children along instead of losing them.
    mutating func settlePlaces() throws -> Bool {
        sharesAround = [:]
        var places: [FileID: Standing] = [:]
        // A folder to go back to may be one that goes back itself, but later in this pass: nothing
        // goes to the trash while moves are being undone.
        letsDie = false
        var changed = try settleAll(&places)
        if !changed, hasDying {
            letsDie = true
            changed = try settleAll(&places)
        }
        return try settleCopies(places) || changed
    }

    private mutating func settleAll(_ places: inout [FileID: Standing]) throws -> Bool {
        var changed = false
        hasDying = false
        places = [root: .live]
        for start in plan.files.keys.sorted() {
            for id in try unsettled(above: start, places).reversed() {
                changed = try settle(id, &places) || changed
            }
        }
        return changed
    }

    /// A second copy stands beside the first, wherever that went.
    private mutating func settleCopies(_ places: [FileID: Standing]) throws -> Bool {
        var changed = false
        for (copy, original) in copies {
            guard let file = plan.files[original], let second = plan.files[copy] else { continue }
            let isDead = places[original] == .dead
            guard second.parent != file.parent || second.isDeleted != isDead else { continue }
            plan.files[copy]?.parent = file.parent
            if isDead {
                plan.files[copy]?.dieWithFolder()
            } else {
                plan.files[copy]?.isDeleted = false
            }
            changed = true
        }
        return changed
    }

    /// The file and the folders above it whose places are not known yet.
    private func unsettled(above start: FileID, _ places: [FileID: Standing]) throws -> [FileID] {
        var path: [FileID] = []
        var onPath: Set<FileID> = []
        var id = start
        while places[id] == nil, onPath.insert(id).inserted {
            path.append(id)
            guard let file = try merged(id) else { break }
            id = file.parent
        }
        return path
    }

    private mutating func settle(_ id: FileID, _ places: inout [FileID: Standing]) throws -> Bool {
        guard let file = try merged(id) else { return false }
        var above = places[file.parent] ?? .cyclic
        if try merged(file.parent)?.type != .folder { above = .missing }
        var changed = false
        if plan.files[id] != nil, copies[id] == nil {
            switch above {
            case .live where try isTakenOut(id, file):
                plan.files[id]?.isDeleted = false
                changed = true
            case .live, .cyclic: break
            // The server has the folder: it is only not to be read here.
            case .missing where try remoteFile(id)?.parent == file.parent: break
            case .missing:
                note(.moveUndone, id)
                try undoMove(id, &places)
                changed = true
            case .dead: changed = try !file.isDeleted && settleInDeadFolder(id, file, &places)
            }
        }
        guard let settled = try merged(id) else { return changed }
        let place = settled.parent == file.parent ? above : places[settled.parent] ?? .cyclic
        places[id] = settled.isDeleted && place != .cyclic ? .dead : place
        return changed
    }

    /// Whether a file died on one side with a folder further up, out of which the other side moved the
    /// folder that it stands in: what nobody wrote to there has no mark, and lives by that alone.
    private mutating func isTakenOut(_ id: FileID, _ file: File) throws -> Bool {
        guard file.diedWithFolder, view.mayPlace(file), try base(id)?.isDeleted != true else {
            return false
        }
        if try local[id] != nil && !isLiveHere(file.parent) { return true }
        return try remote[id]?.diedWithFolder ?? false && !isLiveThere(file.parent)
    }

    private mutating func settleInDeadFolder(
        _ id: FileID,
        _ file: File,
        _ places: inout [FileID: Standing]
    ) throws -> Bool {
        guard let remote = try remoteFile(id) else {
            hasDying = true
            guard letsDie else { return false }
            // New: it arrives in the trash.
            plan.files[id]?.dieWithFolder()
            return true
        }
        let base = try base(id)
        if file.parent == remote.parent {
            if try rescue(id, file, base, &places) { return true }
            guard !file.isSame(as: remote) else { return false }
        } else if try isLiveHere(id), try place(remote.parent, &places) == .live,
            try !leavesShare(of: remote.parent, for: file.parent)
        {
            // It was moved here before this side knew that the folder is gone.
            note(.moveUndone, id)
            plan.files[id]?.parent = remote.parent
            return true
        }
        hasDying = true
        guard letsDie else { return false }
        let settled = file.settledBelowDead(base: remote)
        if settled.name != file.name {
            note(.renameUndone, id, name: file.name)
        }
        plan.files[id] = settled
        return true
    }

    /// Undoes a move of the server into a folder that was deleted here, when the folder that the file
    /// comes from lives, be it because the other device took it out of the deleted one.
    private mutating func rescue(
        _ id: FileID,
        _ file: File,
        _ base: File?,
        _ places: inout [FileID: Standing]
    ) throws -> Bool {
        guard let base, base.parent != file.parent, view.mayPlace(file), !rescued.contains(id)
        else { return false }
        for parent in [local[id]?.parent, base.parent].compactMap({ $0 })
        where try place(parent, &places) == .live
            && mayGoBack(to: parent, from: file.parent)
        {
            rescued.insert(id)
            plan.files[id]?.parent = parent
            note(.moveUndone, id)
            return true
        }
        return false
    }

    /// Puts a file back where the server has it, or as near as there is a folder.
    private mutating func undoMove(_ id: FileID, _ places: inout [FileID: Standing]) throws {
        var parent = try remoteFile(id)?.parent ?? root
        // Of the folder that it was moved into nothing else is known.
        let scope = local[id]?.scope ?? id
        var seen: Set<FileID> = [id]
        while parent != root {
            guard seen.insert(parent).inserted, let folder = try merged(parent) else {
                parent = root
                break
            }
            if try folder.type == .folder && place(parent, &places) != .missing
                && (scope == id || !leavesShare(of: parent, for: scope))
            {
                break
            }
            parent = folder.parent
        }
        plan.files[id]?.parent = parent
    }

    /// The place that a folder is, as far as the merge has come; what no side changed is
    /// remembered.
    private func place(_ start: FileID, _ places: inout [FileID: Standing]) throws -> Standing {
        let path = try unsettled(above: start, places)
        guard let top = path.last else { return places[start] ?? .cyclic }
        var place: Standing
        if let file = try merged(top) {
            place = places[file.parent] ?? .cyclic
        } else {
            place = .missing
        }
        for id in path.reversed() {
            if try place != .cyclic && merged(id)?.isDeleted == true { place = .dead }
            if plan.files[id] == nil { places[id] = place }
        }
        return place
    }

    /// Whether the file was live on this device before the merge.
    mutating func isLiveHere(_ id: FileID) throws -> Bool {
        let view = view
        return try livesHere.isLive(id) { try view.file($0) }
    }

    /// Whether the file is live for the server.
    mutating func isLiveThere(_ id: FileID) throws -> Bool {
        // Kept apart while it is asked: looking up a file may note what was its base.
        var lives = livesThere
        livesThere = Lives(root: root)
        defer { livesThere = lives }
        return try lives.isLive(id) { try remoteFile($0) }
    }
}
