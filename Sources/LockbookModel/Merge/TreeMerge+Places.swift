extension TreeMerge {
    /// Moves what stands in a dead or missing folder to where it can stay, or to the trash.
    ///
    /// Folders are settled before what stands in them, so that a folder that goes back takes its
    /// children along instead of losing them.
    mutating func settlePlaces() throws -> PlacesOutcome {
        sharesAround = [:]
        // A folder to go back to may be one that goes back itself, but later in this pass: nothing
        // goes to the trash while moves are being undone.
        var pass = try settleAll(letsDie: false)
        if pass.hasChanged {
            pass = try settleWaiting(after: pass)
        } else if !pass.dying.isEmpty {
            pass = try settleAll(letsDie: true)
        }
        let hasChanged = try settleCopies(&pass) || pass.hasChanged
        if !pass.dying.isEmpty, !pass.letsDie { return .undoing }
        return hasChanged ? .changed : .settled
    }

    private mutating func settleAll(letsDie: Bool) throws -> PlacePass {
        var pass = PlacePass(root: root)
        pass.letsDie = letsDie
        for start in plan.files.keys.sorted() {
            for id in try unsettled(above: start, pass).reversed() {
                pass.hasChanged = try settle(id, &pass) || pass.hasChanged
            }
        }
        return pass
    }

    /// Undoes the moves that have folders to go back to only since others were undone, and so on, each
    /// when the last one that it waited for has gone back: to go through all places for each would take
    /// too long.
    private mutating func settleWaiting(after first: PlacePass) throws -> PlacePass {
        var pass = PlacePass(root: root)
        pass.hasChanged = true
        pass.isFinal = true
        // What went back after they were looked at may have taken some along.
        var lives = Lives(root: root)
        var waiting = try first.waiting.filter { id in
            try !lives.isLive(id) { try merged($0) }
        }
        pass.back = Set(first.waiting).subtracting(waiting)
        for id in waiting { pass[id] = .waiting(for: id) }
        var waiters: [FileID: [FileID]] = [:]
        while !waiting.isEmpty {
            var (next, isUndone): ([FileID], Bool) = ([], false)
            for id in waiting where !pass.back.contains(id) {
                guard let file = try merged(id) else { continue }
                pass.awaited = []
                if try place(file.parent, &pass) != .live {
                    guard try settleInDeadFolder(id, file, &pass) else {
                        for other in pass.awaited { waiters[other, default: []].append(id) }
                        continue
                    }
                    isUndone = true
                }
                pass.back.insert(id)
                next += waiters.removeValue(forKey: id) ?? []
            }
            if isUndone { plan.rounds += 1 }
            waiting = next
        }
        pass.dying = first.dying.subtracting(pass.back)
        return pass
    }

    /// A second copy stands beside the first, wherever that went.
    private mutating func settleCopies(_ pass: inout PlacePass) throws -> Bool {
        var changed = false
        for (copy, original) in copies {
            guard let file = plan.files[original], let second = plan.files[copy] else { continue }
            let standing = try place(original, &pass)
            let isDead = standing != .live && standing != .missing && standing != .cyclic
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
    private func unsettled(above start: FileID, _ pass: PlacePass) throws -> [FileID] {
        var path: [FileID] = []
        var onPath: Set<FileID> = []
        var id = start
        while pass[id] == nil, onPath.insert(id).inserted {
            path.append(id)
            guard let file = try merged(id) else { break }
            id = file.parent
        }
        return path
    }

    private mutating func settle(_ id: FileID, _ pass: inout PlacePass) throws -> Bool {
        guard let file = try merged(id) else { return false }
        var above = pass[file.parent] ?? .cyclic
        if try merged(file.parent)?.type != .folder { above = .missing }
        var changed = false
        if plan.files[id] != nil, copies[id] == nil {
            switch above {
            case .live where try isTakenOut(id, file):
                plan.files[id]?.isDeleted = false
                changed = true
            case .live, .cyclic, .waiting: break
            // The server has the folder: it is only not to be read here.
            case .missing where try remoteFile(id)?.parent == file.parent: break
            case .missing:
                note(.moveUndone, id)
                try undoMove(id, &pass)
                changed = true
            case .dead: changed = try !file.isDeleted && settleInDeadFolder(id, file, &pass)
            }
        }
        guard let settled = try merged(id) else { return changed }
        let place = settled.parent == file.parent ? above : pass[settled.parent] ?? .cyclic
        pass[id] = settled.isDeleted && place != .cyclic ? .dead : place
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
        _ pass: inout PlacePass
    ) throws -> Bool {
        guard let remote = try remoteFile(id) else {
            pass.dying.insert(id)
            pass.waiting.append(id)
            guard pass.letsDie else { return false }
            // New: it arrives in the trash.
            if file.type != .document { plan.buried.insert(id) }
            plan.files[id]?.dieWithFolder()
            return true
        }
        let base = try base(id)
        if file.parent == remote.parent {
            if try rescue(id, file, base, &pass) { return true }
            guard !file.isSame(as: remote) else {
                pass.waiting.append(id)
                return false
            }
        } else if try isLiveHere(id), try place(remote.parent, &pass) == .live,
            try !leavesShare(of: remote.parent, for: file.parent)
        {
            // It was moved here before this side knew that the folder is gone.
            note(.moveUndone, id)
            try move(id, to: remote.parent)
            return true
        }
        pass.dying.insert(id)
        pass.waiting.append(id)
        guard pass.letsDie else { return false }
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
        _ pass: inout PlacePass
    ) throws -> Bool {
        guard let base, base.parent != file.parent, view.mayPlace(file), !rescued.contains(id)
        else { return false }
        for parent in [local[id]?.parent, base.parent].compactMap({ $0 })
        where try place(parent, &pass) == .live
            && mayGoBack(to: parent, from: file.parent)
        {
            rescued.insert(id)
            try move(id, to: parent)
            note(.moveUndone, id)
            return true
        }
        return false
    }

    /// Puts a file back where the server has it, or as near as there is a folder.
    private mutating func undoMove(_ id: FileID, _ pass: inout PlacePass) throws {
        var parent = try remoteFile(id)?.parent ?? root
        // Of the folder that it was moved into nothing else is known.
        let scope = local[id]?.scope ?? id
        var seen: Set<FileID> = [id]
        while parent != root {
            guard seen.insert(parent).inserted, let folder = try merged(parent) else {
                parent = root
                break
            }
            if try folder.type == .folder && place(parent, &pass) != .missing
                && (scope == id || !leavesShare(of: parent, for: scope))
            {
                break
            }
            parent = folder.parent
        }
        try move(id, to: parent)
    }

    /// Puts a file into a folder, in whose share is what stands in it then.
    private mutating func move(_ id: FileID, to folder: FileID) throws {
        if let file = try merged(id), try share(around: file.parent) != share(around: folder) {
            sharesAround = [:]
        }
        plan.files[id]?.parent = folder
    }

    /// The place that a folder is, as far as the merge has come; what no side changed is remembered
    /// where that is so of all around it that is not settled yet, and the rest once it is final.
    private func place(_ start: FileID, _ pass: inout PlacePass) throws -> Standing {
        let path = try unsettled(above: start, pass)
        var place = pass[start] ?? .cyclic
        if let top = path.last {
            place = try merged(top).map { pass[$0.parent] ?? .cyclic } ?? .missing
        }
        var isSettled = true
        for id in path.reversed() {
            if try place != .cyclic && merged(id)?.isDeleted == true { place = .dead }
            isSettled = isSettled && plan.files[id] == nil
            if pass.isFinal || isSettled { pass[id] = place }
        }
        if case .waiting(let other) = place { pass.awaited.append(other) }
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
