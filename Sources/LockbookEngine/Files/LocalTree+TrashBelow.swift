import LockbookModel

/// What lies deleted in a folder that is there.
extension LocalTree {
    /// Files at any depth below a folder that were deleted themselves.
    func trashedRows(below top: FileRow) throws -> [FileRow] {
        let above = filesAbove { $0 == top.id }
        return try trashedRows().filter { try above.nearest(from: $0.parent) != nil }
    }

    /// How many files these are with what is in them, without those that are to be gone for good.
    func countTrash(_ rows: [FileRow]) throws -> Int {
        var walked: Set<FileID> = []
        for row in rows { _ = try subtree(of: row, besides: &walked) }
        return try walked.count { try !isPurged($0) }
    }

    /// How many deleted files are in a folder, all of which whoever is let into it can read.
    func countTrash(below top: FileRow) throws -> Int {
        guard top.type == .folder else { return 0 }
        return try countTrash(trashedRows(below: top))
    }
}
