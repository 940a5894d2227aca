extension TreeMerge {
    /// Undoes all local moves in every cycle, also in those that come of that.
    ///
    /// The server's tree has no cycle and new files are in none of its folders, so each cycle has
    /// at least one move made here. One cycle is no part of another, so it does not matter which is
    /// undone first.
    mutating func undoCycles() throws -> Bool {
        // How many cycles, one after the other, led to where a move was undone.
        var undone: [FileID: Int] = [:]
        var safe: Set<FileID> = [root]
        for start in plan.files.keys.sorted() {
            var path: [FileID] = []
            var positions: [FileID: Int] = [:]
            var id = start
            while !safe.contains(id) {
                if let position = positions[id] {
                    let cycle = Array(path[position...])
                    guard try undo(cycle, &undone) else { break }
                    // The place that one of them goes back to may close another one: to begin anew
                    // for each would take too long.
                    path.removeLast(cycle.count)
                    for member in cycle { positions[member] = nil }
                    continue
                }
                positions[id] = path.count
                path.append(id)
                guard let file = try merged(id) else { break }
                id = file.parent
            }
            safe.formUnion(path)
        }
        plan.rounds += max(0, (undone.values.max() ?? 0) - 1)
        return !undone.isEmpty
    }

    /// - Returns: whether a move made here was in the cycle.
    private mutating func undo(_ cycle: [FileID], _ undone: inout [FileID: Int]) throws -> Bool {
        let round = (cycle.compactMap { undone[$0] }.max() ?? 0) + 1
        var changed = false
        for member in cycle where try undoMoveInCycle(member) {
            undone[member] = round
            changed = true
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
