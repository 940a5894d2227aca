extension TreeMerge {
    /// Tells of files that one side deleted, itself or with a folder, and the other changed.
    mutating func noteDeaths() throws {
        var lives = Lives(root: root)
        var lostHere: Set<FileID> = []
        for id in plan.files.keys.sorted() where !plan.removed.contains(id) {
            guard try !lives.isLive(id, { try merged($0) }) else { continue }
            let isLostHere = try isNews(local[id]) && isLiveHere(id)
            let isLostThere = try isNews(remote[id]) && isLiveThere(id)
            guard isLostHere || isLostThere else { continue }
            let isDeletedItself = local[id]?.isDeleted == true || remote[id]?.isDeleted == true
            note(isDeletedItself ? .deleted : .trashed, id)
            if isLostHere { lostHere.insert(id) }
            if try isLostHere && isWritten(local[id]) || isLostThere && isWritten(remote[id]) {
                plan.unseen.insert(id)
            }
        }
        // A second copy has what was written here.
        for (copy, original) in copies
        where lostHere.contains(original) && plan.files[copy]?.isDeleted == true {
            plan.unseen.insert(copy)
        }
    }

    /// Whether a side made a document, or wrote in it.
    private mutating func isWritten(_ file: File?) throws -> Bool {
        guard let file, file.type == .document else { return false }
        return try base(file.id).map { $0.content?.identity != file.content?.identity } ?? true
    }

    /// Whether somebody would miss what a side did: new keys, because others are let in or out, are
    /// nothing that he did to the file.
    private mutating func isNews(_ file: File?) throws -> Bool {
        guard let file else { return false }
        return try base(file.id).map { !$0.looksSame(as: file) } ?? true
    }
}

extension MergePlan {
    /// Says in their records of what words, and of what new folders, nobody deleted, for every device.
    ///
    /// What is in the trash with its folder alone is deleted with that for this.
    /// - Parameter mayPlace: whether this side may say of a file that it died with its folder.
    package mutating func markUnseen(_ mayPlace: (File) -> Bool) {
        for id in unseen {
            guard var file = files[id], file.isDeleted || mayPlace(file) else { continue }
            file.dieWithFolder()
            file.diedUnseen = true
            files[id] = file
        }
        // A copy of the data folder may have taken it out of there before it knew of that.
        for id in buried where files[id]?.diedWithFolder == true { files[id]?.diedUnseen = true }
    }
}

/// Which files of a tree are live, each folder looked up once.
struct Lives {
    private var known: [FileID: Bool]

    init(root: FileID) {
        known = [root: true]
    }

    mutating func isLive(_ start: FileID, _ file: (FileID) throws -> File?) rethrows -> Bool {
        var path: [FileID] = []
        var id = start
        while known[id] == nil {
            guard let file = try file(id) else {
                if id == start { return false }
                // A folder that is there and cannot be read is not a dead one.
                known[id] = true
                break
            }
            path.append(id)
            if file.isDeleted { break }
            // What is met again before its answer is known is in a cycle: no tree.
            known[id] = false
            id = file.parent
        }
        let isLive = known[id] ?? false
        for id in path { known[id] = isLive }
        return isLive
    }
}
