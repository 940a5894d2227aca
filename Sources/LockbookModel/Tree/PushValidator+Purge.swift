/// What the validator asks besides of a tree from which files are purged.
package protocol PurgeView: FactsView {
    /// Every file whose folder this is, deleted ones too.
    func children(of folder: FileID) throws -> [FileID]
}

extension PushValidator where View: PurgeView {
    /// Checks a change that also purges files: nothing may be left in a folder that goes.
    ///
    /// Throws the first violation found. A file need not be deleted before it is purged.
    /// - Parameters:
    ///   - gone: the purged files, none of them among the changes.
    ///   - mayWrite: whether the author may change a file, and so purge it.
    package mutating func validate(
        _ changes: [FileFacts],
        purging gone: Set<FileID>,
        by author: AccountID?,
        mayWrite: (FileFacts) throws -> Bool
    ) throws {
        purged = gone
        for id in gone.sorted() {
            guard id != root else { throw Violation.root(id) }
            guard let facts = try before.facts(id) else {
                // A reader who looks at several entries at once may never have seen it.
                guard !refusesDead else { throw Violation.orphan(id) }
                continue
            }
            guard try mayWrite(author.map { facts.written(by: $0) } ?? facts) else {
                throw Violation.foreignAuthor(id)
            }
        }
        try validate(changes, by: author, mayWrite: mayWrite)
        for folder in gone.sorted() {
            for child in try before.children(of: folder)
            where changed[child] == nil && !gone.contains(child) {
                throw Violation.orphan(child)
            }
        }
    }
}

extension FileFacts {
    /// The facts as if this account had written them, to ask whether it may.
    fileprivate func written(by author: AccountID) -> FileFacts {
        var facts = self
        facts.author = author
        return facts
    }
}
