import LockbookCrypto
import LockbookModel

/// A file that was moved.
public struct MovedFile: Sendable, Equatable {
    /// As it is now.
    public var file: FileInfo
    /// How many deleted files are in it that others can read now, or will after the next sync, and
    /// could not before.
    public var exposed = 0
}

extension Lockbook {
    /// Moves files into a folder, or one file to another name, as `mv` does: all or nothing.
    ///
    /// What is named twice is moved once.
    ///
    /// What goes from one account's tree into another one is made there anew and deleted here, as
    /// `mv` does between file systems; so does what a member takes out of a share.
    /// - Throws: `.contentNotHere` where that needs a content that is on the server alone.
    public func move(_ sources: [FileReference], to destination: String) throws -> [MovedFile] {
        do { return try moveHere(sources, to: destination) } catch {
            guard error is CrossesLink || error.isUnknownID else { throw error }
            return try moveAcross(sources, to: destination)
        }
    }

    private func moveHere(_ sources: [FileReference], to destination: String) throws -> [MovedFile]
    {
        try store.change { tree in
            let (folder, name) = try tree.place(for: destination, of: sources)
            return try tree.once(sources).map {
                try tree.move(tree.find($0), to: folder, as: name)
            }
        }
    }

    /// Gives a file another name where it is.
    public func rename(_ reference: FileReference, to name: String) throws -> FileInfo {
        let newName = try LocalTree.name(name)
        return try across(reference) {
            try renameHere(reference, to: newName)
        } there: { place in
            place.own(try place.lockbook.renameHere(place.reference, to: newName))
        }
    }

    private func renameHere(_ reference: FileReference, to newName: FileName) throws -> FileInfo {
        try store.change { tree in
            let row = try tree.find(reference)
            guard row.id != tree.root, let folder = try tree.row(row.parent) else {
                throw LockbookError.root
            }
            return try tree.move(row, to: folder, as: newName).file
        }
    }

    /// Deletes files and what is below them; all or nothing.
    /// - Returns: how many files that were.
    public func delete(_ references: [FileReference]) throws -> Int {
        do { return try deleteHere(references) } catch {
            guard error is CrossesLink || error.isUnknownID else { throw error }
            return try deleteAcross(references)
        }
    }

    private func deleteHere(_ references: [FileReference]) throws -> Int {
        try store.change { try $0.delete(references) }
    }
}

extension LocalTree {
    func move(_ row: FileRow, to folder: FileRow, as newName: FileName?) throws -> MovedFile {
        guard row.id != root else { throw LockbookError.root }
        guard !row.isDamaged else {
            throw LockbookError.damaged(file: "id:\(row.id)", author: "")
        }
        try requireOutside(row, folder)
        var file = try file(row)
        let name = newName ?? file.name
        try requireFree(name, in: folder, for: row.id)
        file.name = name
        file.parent = folder.id
        file.parentEpoch = try epoch(of: folder)
        let scope = file.scope
        try enterScope(of: folder, &file, row)
        let exposed = try countExposed(row, in: folder)
        try put(file)
        if file.type == .folder, file.scope != scope { try reseatBelow(file) }
        let moved = try self.row(row.id) ?? row
        return MovedFile(file: try info(moved, path: try path(of: moved)), exposed: exposed)
    }

    /// Deletes files and what is below them, as somebody who asked for it.
    /// - Returns: how many files that were.
    func delete(_ references: [FileReference]) throws -> Int {
        try forgetRevived()
        var count = 0
        for row in try named(references) {
            count += 1
            try walk(below: row) { _ in count += 1 }
            try delete(row)
            try noteDeletion(of: row.id)
        }
        return count
    }

    /// The names of files without those of one that was named before: it goes once.
    func once(_ references: [FileReference]) throws -> [FileReference] {
        guard references.count > 1 else { return references }
        var taken: Set<FileID> = []
        return try references.filter { taken.insert(try find($0).id).inserted }
    }

    /// The files that are named to be deleted, each once and without what stands in another one of
    /// them: all of it was there when the command began.
    func named(_ references: [FileReference]) throws -> [FileRow] {
        let rows = try references.map { try find($0) }
        let ids = Set(rows.map(\.id))
        guard !ids.contains(root) else { throw LockbookError.root }
        var taken: Set<FileID> = []
        return try rows.filter { row in
            guard taken.insert(row.id).inserted else { return false }
            var row = row
            while row.id != root, let folder = try self.row(row.parent) {
                if ids.contains(folder.id) { return false }
                row = folder
            }
            return true
        }
    }

    /// One change on the file itself; what is below is dead because it is.
    func delete(_ row: FileRow) throws {
        // Nobody can write a record of it that says so.
        if row.isDamaged { return try purgeDamaged(row) }
        var file = try file(row)
        file.isDeleted = true
        try put(file)
    }
}
