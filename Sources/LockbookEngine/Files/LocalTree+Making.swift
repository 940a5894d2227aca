import LockbookCrypto
import LockbookModel

extension LocalTree {
    /// A new file of this account in a folder.
    func newFile(_ name: FileName, type: FileType, in folder: FileRow) throws -> File {
        File(
            id: FileID(random: environment.random),
            parent: folder.id,
            type: type,
            name: name,
            at: environment.now(),
            author: author,
            device: account.device,
            deviceName: environment.deviceName,
            scope: try scope(of: folder),
            parentEpoch: try epoch(of: folder)
        )
    }

    /// The folder at these names, made with what is missing above it.
    func makeFolders(_ names: some Sequence<FileName>) throws -> FileRow {
        var folder = try rootRow()
        for name in names {
            if let child = try child(name, of: folder) {
                if child.type == .link, let crossing = try crossing(child) { throw crossing }
                try requireFolder(child)
                folder = child
            } else {
                folder = try make(newFile(name, type: .folder, in: folder))
            }
        }
        return folder
    }

    /// Refuses a path that nothing can be made at, because a document stands above it.
    /// - Returns: the last folder on the way that is there.
    @discardableResult
    func checkPlace(for path: String) throws -> FileRow {
        var folder = try rootRow()
        for name in try Self.names(of: path).dropLast() {
            guard let child = try child(name, of: folder) else { return folder }
            try requireFolder(child)
            folder = child
        }
        return folder
    }

    /// Names what is in the way, not what was to be made.
    private func requireFolder(_ row: FileRow) throws {
        guard row.type == .folder else { throw LockbookError.notAFolder(path: try path(of: row)) }
    }

    /// Puts a file and reads its row back.
    func make(_ file: File) throws -> FileRow {
        try put(file)
        guard let row = try row(file.id) else {
            throw LockbookError.store(reason: "a new file is missing")
        }
        return row
    }

    func scope(of row: FileRow) throws -> FileID {
        try record(of: row).facts.scope
    }

    func epoch(of row: FileRow) throws -> UInt32 {
        try record(of: row).facts.epoch
    }

    /// Where a source goes: into the destination when it is a folder, else under its name.
    ///
    /// The id of a folder is one; nothing is made that is called by an id that nothing has.
    /// - Parameter isFolder: whether the source is one, whose new name may end with a slash.
    func place(for destination: String, isFolder: Bool = false) throws -> (
        folder: FileRow, name: FileName?
    ) {
        let reference = try resolved(FileReference(destination))
        guard case .path(let destination) = reference else {
            let row = try find(reference)
            if let crossing = try crossing(row) { throw crossing }
            guard row.type == .folder else {
                throw LockbookError.notAFolder(path: try path(of: row))
            }
            return (row, nil)
        }
        if let row = try find(path: destination) {
            if row.type == .folder { return (row, nil) }
            if let crossing = try crossing(row) { throw crossing }
        }
        var names = try Self.names(of: destination)
        guard let name = names.popLast() else { throw LockbookError.root }
        guard isFolder || !destination.endsWithSlash else {
            throw LockbookError.notFound(path: destination)
        }
        let parent = names.map(\.text).joined(separator: "/")
        guard let folder = try find(path: parent) else {
            throw LockbookError.notFound(path: "/" + parent)
        }
        guard folder.type == .folder else { throw LockbookError.notAFolder(path: "/" + parent) }
        return (folder, name)
    }

    /// Where sources of this tree go: several into a folder, a folder alone also under a name with a
    /// slash behind it, as `mv` has it.
    func place(for destination: String, of sources: [FileReference]) throws -> (
        folder: FileRow, name: FileName?
    ) {
        var isFolder = false
        if sources.count == 1, destination.endsWithSlash {
            isFolder = try find(sources[0]).type != .document
        }
        return try place(for: destination, of: sources.count, isFolder: isFolder)
    }

    /// Where several sources go: into a folder.
    /// - Parameter isFolder: whether it is one source, and that a folder.
    func place(for destination: String, of count: Int, isFolder: Bool) throws -> (
        folder: FileRow, name: FileName?
    ) {
        let (folder, name) = try place(for: destination, isFolder: isFolder)
        guard count == 1 || name == nil else {
            let path = try resolved(FileReference(destination)).text
            throw try find(path: path) == nil
                ? LockbookError.notFound(path: path) : LockbookError.notAFolder(path: path)
        }
        return (folder, name)
    }
}
