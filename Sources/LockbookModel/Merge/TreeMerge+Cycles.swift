extension TreeMerge {
    /// Undoes all local moves in every cycle.
    ///
    /// The server's tree has no cycle and new files are in none of its folders, so each cycle has
    /// at least one move made here.
    mutating func undoCycles() throws -> Bool {
        var changed = false
        var safe: Set<FileID> = [root]
        for start in plan.files.keys.sorted() {
            var path: [FileID] = []
            var positions: [FileID: Int] = [:]
            var id = start
            while !safe.contains(id) {
                if let position = positions[id] {
                    for member in path[position...] {
                        changed = try undoMoveInCycle(member) || changed
                    }
                    break
                }
                positions[id] = path.count
                path.append(id)
                guard let file = try merged(id) else { break }
                id = file.parent
            }
            safe.formUnion(path)
        }
        return changed
    }

    private mutating func undoMoveInCycle(_ id: FileID) throws -> Bool {
        guard let file = plan.files[id], let remote = try remoteFile(id),
            file.parent != remote.parent
        else { return false }
        plan.files[id]?.parent = remote.parent
        note(.moveUndone, id)
        return true
    }
}
