import LockbookModel

/// Commands that changed what a merge made one with another device's since.
extension LocalTree {
    /// What a command did that made a file which was joined with another since, at that one's path.
    func change(joining replacement: Replacement) throws -> ChangingCommand.Change? {
        guard replacement.before == nil, let other = try joined(replacement.file) else {
            return nil
        }
        return ChangingCommand.Change(
            id: other.id.description,
            path: try shownPath(of: other.id),
            from: nil,
            change: .made
        )
    }

    /// Whether a command made a folder that a merge made one with another device's.
    func madeJoinedFolder(_ replacement: Replacement) throws -> Bool {
        guard replacement.before == nil, try row(replacement.file) == nil else { return false }
        return try joined(replacement.file)?.type == .folder
    }

    func isGone(_ file: FileID) throws -> LockbookError {
        guard let other = try joined(file) else {
            return .cannotUndo(reason: "a file that it changed is no more")
        }
        let path = try path(of: other)
        return .cannotUndo(reason: "\(path) was joined with one of the same name, made elsewhere")
    }
}
