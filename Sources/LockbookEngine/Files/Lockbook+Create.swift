import LockbookModel

extension Lockbook {
    /// Makes an empty document, or with a trailing slash a folder, and what is missing above it.
    public func create(path: String) throws -> FileInfo {
        let reference = try placeToMake(path)
        return try across(reference) {
            try createHere(reference)
        } there: { place in
            place.own(try place.lockbook.createHere(place.reference))
        }
    }

    /// Where something is to be made, by a path or by one that follows the id of a folder.
    /// - Throws: `.badPath` for an id alone.
    func placeToMake(_ path: String) throws -> FileReference {
        let reference = FileReference(path)
        guard !reference.isBareID else {
            throw LockbookError.badPath(
                path: path,
                reason: "no file is made by an id; with / in front of it, it is a name"
            )
        }
        return reference
    }

    private func createHere(_ reference: FileReference) throws -> FileInfo {
        try store.change { try $0.create(reference) }
    }
}

extension LocalTree {
    /// Makes an empty document, or with a trailing slash a folder, and what is missing above it.
    func create(_ reference: FileReference) throws -> FileInfo {
        let path = try resolved(reference).text
        var names = try Self.names(of: path)
        guard let name = names.popLast() else {
            if path.isEmpty { throw LockbookError.badPath(path: path, reason: "it is empty") }
            throw LockbookError.exists(path: "/")
        }
        // Before any folder is made: this goes over a link with all of the path.
        guard try !isTaken(path) else { throw LockbookError.exists(path: path) }
        let folder = try makeFolders(names)
        let type: FileType = path.endsWithSlash ? .folder : .document
        let row = try make(try newFile(name, type: type, in: folder))
        return try info(row, path: try self.path(of: row))
    }

    /// Whether something stands at a path, a document in the place of a folder, too.
    fileprivate func isTaken(_ path: String) throws -> Bool {
        do { return try find(path: path) != nil } catch LockbookError.notAFolder { return true }
    }
}
