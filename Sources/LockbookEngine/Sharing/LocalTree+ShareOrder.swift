import LockbookModel

extension LocalTree {
    /// What is wanted of shares, by file, in the order in which it is done.
    ///
    /// Shares are taken back from the outside in: what tells that one is given away as a whole is the end of
    /// the outermost. People are let in from the inside out: who sees the outermost sees all of it as it is
    /// meant to be shared.
    func inTurn(_ wishes: [ShareWish]) throws -> [(file: FileID, wishes: [ShareWish])] {
        let byFile = Dictionary(grouping: wishes, by: \.file)
        let files = Set(byFile.keys)
        return try byFile.map { file, wishes in
            let depth = files.count > 1 ? try countAbove(file, files) : 0
            let takesBack = wishes.contains { $0.mode == .none }
            return (rank: (takesBack ? 0 : 1, takesBack ? depth : -depth, file), file, wishes)
        }
        .sorted { $0.rank < $1.rank }
        .map { (file: $0.1, wishes: $0.2) }
    }

    /// What can be done now of what is wanted of a file: where that goes to its new owner with what it stands in,
    /// and that is not taken back yet, only what somebody decided.
    ///
    /// As long as it is not, another device takes the end of the inner one for a decision about its members, and
    /// takes them out of what continues it.
    func ready(_ wishes: [ShareWish], of file: FileID) throws -> [ShareWish] {
        guard wishes.contains(where: \.isSettling), let row = try row(file) else { return wishes }
        let outer = Set(try self.wishes().filter(\.isSettling).map(\.file))
        return try stands(row, in: outer) ? wishes.filter { !$0.isSettling } : wishes
    }

    /// How many of some files a file stands in.
    private func countAbove(_ file: FileID, _ files: Set<FileID>) throws -> Int {
        guard var next = try row(file) else { return 0 }
        var count = 0
        while next.id != root, let folder = try row(next.parent) {
            if files.contains(folder.id) { count += 1 }
            next = folder
        }
        return count
    }
}
