import LockbookModel

extension Lockbook {
    /// Makes an empty document, or with a trailing slash a folder, and what is missing above it.
    public func create(path: String) throws -> FileInfo {
        guard !FileReference(path).isID else {
            throw LockbookError.badPath(
                path: path,
                reason: "no file is made by an id; with / in front of it, it is a name"
            )
        }
        return try across(.path(path)) {
            try createHere(path: path)
        } there: { place in
            guard case .path(let below) = place.reference else { return try createHere(path: path) }
            return place.own(try place.lockbook.createHere(path: below))
        }
    }

    private func createHere(path: String) throws -> FileInfo {
        try store.change { tree in
            var names = try LocalTree.names(of: path)
            guard let name = names.popLast() else {
                if path.isEmpty { throw LockbookError.badPath(path: path, reason: "it is empty") }
                throw LockbookError.exists(path: "/")
            }
            // Before any folder is made: this goes over a link with all of the path.
            guard try !tree.isTaken(path) else { throw LockbookError.exists(path: path) }
            let folder = try tree.makeFolders(names)
            let type: FileType = path.hasSuffix("/") ? .folder : .document
            let row = try tree.make(try tree.newFile(name, type: type, in: folder))
            return try tree.info(row, path: try tree.path(of: row))
        }
    }
}

extension LocalTree {
    /// Whether something stands at a path, a document in the place of a folder, too.
    fileprivate func isTaken(_ path: String) throws -> Bool {
        do { return try find(path: path) != nil } catch LockbookError.notAFolder { return true }
    }
}
