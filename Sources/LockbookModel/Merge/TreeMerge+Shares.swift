extension TreeMerge {
    /// Has what was moved out of a share here stay out of it, wherever in the share the server has it
    /// by now: who moved it there, or saw that, may not read what was written in it since.
    mutating func keepDepartures() throws {
        let changed = local.sorted { $0.key < $1.key }
        var kept: Set<FileID> = []
        var count: Int
        // What was moved into a folder that stays out leaves the share only with that.
        repeat {
            count = kept.count
            sharesAround = [:]
            for (id, here) in changed {
                guard let file = plan.files[id], file.parent != here.parent,
                    let base = try base(id), base.parent != here.parent,
                    try leavesShare(of: file.parent, for: here.parent)
                else { continue }
                plan.files[id]?.parent = here.parent
                kept.insert(id)
            }
        } while kept.count > count
        takeBackNotes(.moveUndone, of: kept)
    }

    /// Whether a move takes a file out of a share of this side's own, which it may.
    ///
    /// Undone it would be seen by the share's members again, with what was written in it since.
    /// - Parameters:
    ///   - folder: where it stood.
    ///   - place: where it stands now.
    mutating func leavesShare(of folder: FileID, for place: FileID) throws -> Bool {
        try share(of: folder, leftFor: place).map { view.mayPlace($0) } ?? false
    }

    /// Whether this side may undo a move of the server: not one out of a share, whose members would see
    /// the file again, and none into somebody else's share, out of which its owner alone takes it.
    /// - Parameters:
    ///   - folder: where it stood.
    ///   - place: where it stands now.
    mutating func mayGoBack(to folder: FileID, from place: FileID) throws -> Bool {
        guard try share(of: folder, leftFor: place) == nil else { return false }
        return try share(of: place, leftFor: folder).map { view.mayPlace($0) } ?? true
    }

    /// The share that a file leaves when it moves from one folder into another; nil where that is in
    /// it, too.
    private mutating func share(of folder: FileID, leftFor place: FileID) throws -> File? {
        guard let left = try share(around: folder) else { return nil }
        var inner = try share(around: place)
        var seen: Set<FileID> = []
        while let id = inner, id != left {
            guard seen.insert(id).inserted, let file = try merged(id) else { break }
            inner = try share(around: file.parent)
        }
        return try inner == left ? nil : merged(left)
    }

    /// The innermost share that a folder is in, which may be the folder itself.
    mutating func share(around folder: FileID) throws -> FileID? {
        var path: [FileID] = []
        var found: FileID?
        var id = folder
        while id != root {
            if let known = sharesAround[id] {
                found = known
                break
            }
            // What is met again is in a cycle.
            sharesAround[id] = .some(nil)
            path.append(id)
            guard let file = try merged(id) else { break }
            if file.scope == id {
                found = id
                break
            }
            id = file.parent
        }
        for id in path { sharesAround[id] = .some(found) }
        return found
    }
}
