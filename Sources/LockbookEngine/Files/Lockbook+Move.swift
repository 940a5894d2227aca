import LockbookCrypto
import LockbookModel

extension Lockbook {
    /// Moves files into a folder, or one file to another name, as `mv` does: all or nothing.
    ///
    /// Behind a link, what is moved stays in that share.
    public func move(_ sources: [FileReference], to destination: String) throws -> [FileInfo] {
        do { return try moveHere(sources, to: destination) } catch {
            guard error is CrossesLink || error.isUnknownID else { throw error }
            let ends = try places(sources, and: destination, after: error)
            do {
                return try ends.lockbook.moveHere(ends.sources, to: ends.destination).map(ends.own)
            } catch let error as LockbookError {
                throw error.renamed(ends.own)
            }
        }
    }

    private func moveHere(_ sources: [FileReference], to destination: String) throws -> [FileInfo] {
        try store.change { tree in
            let (folder, name) = try tree.place(for: destination)
            guard sources.count == 1 || name == nil else {
                throw LockbookError.notAFolder(path: destination)
            }
            return try sources.map { source in
                let row = try tree.find(source)
                return try tree.move(row, to: folder, as: name)
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
            return try tree.move(row, to: folder, as: newName)
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

    /// Of files in several trees all are found before the first goes; those of others go first,
    /// since they may be refused.
    private func deleteAcross(_ references: [FileReference]) throws -> Int {
        var own: [FileReference] = []
        var others: [(place: SharedPlace, references: [FileReference])] = []
        for reference in references {
            let place = try across(reference) { () -> SharedPlace? in
                _ = try store.read { try $0.named([reference]) }
                return nil
            } there: { place in
                _ = try place.lockbook.store.read { try $0.named([place.reference]) }
                return place
            }
            guard let place else {
                own.append(reference)
                continue
            }
            let directory = place.lockbook.store.directory
            if let index = others.firstIndex(where: {
                $0.place.lockbook.store.directory == directory
            }) {
                others[index].references.append(place.reference)
            } else {
                others.append((place, [place.reference]))
            }
        }
        var count = 0
        for (place, references) in others {
            do { count += try place.lockbook.deleteHere(references) } catch let error
                as LockbookError
            {
                throw error.renamed(place.own)
            }
        }
        return try own.isEmpty ? count : count + deleteHere(own)
    }

    private func deleteHere(_ references: [FileReference]) throws -> Int {
        try store.change { tree in
            var count = 0
            for row in try tree.named(references) {
                count += 1
                try tree.walk(below: row) { _ in count += 1 }
                try tree.delete(row)
                try tree.noteDeletion(of: row.id)
            }
            return count
        }
    }
}

extension LocalTree {
    func move(_ row: FileRow, to folder: FileRow, as newName: FileName?) throws -> FileInfo {
        guard row.id != root else { throw LockbookError.root }
        guard !row.isDamaged else {
            throw LockbookError.damaged(file: "id:\(row.id)", author: "")
        }
        var ancestor = folder
        while ancestor.id != root {
            guard ancestor.id != row.id else {
                throw LockbookError.intoItself(path: try path(of: row))
            }
            guard let parent = try self.row(ancestor.parent) else { break }
            ancestor = parent
        }
        var file = try file(row)
        let name = newName ?? file.name
        if let taken = try child(name, of: folder), taken.id != row.id {
            throw LockbookError.exists(path: try path(of: taken))
        }
        file.name = name
        file.parent = folder.id
        file.parentEpoch = try epoch(of: folder)
        let scope = file.scope
        try enterScope(of: folder, &file, row)
        try put(file)
        if file.type == .folder, file.scope != scope { try reseatBelow(file) }
        let moved = try self.row(row.id) ?? row
        return try info(moved, path: try path(of: moved))
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
        if row.isDamaged {
            try deleteDamaged(row)
            return
        }
        var file = try file(row)
        file.isDeleted = true
        try put(file)
    }

    /// Deletes a file whose record does not open, with a record that does.
    private func deleteDamaged(_ row: FileRow) throws {
        guard let folder = try self.row(row.parent),
            let name = DirectoryBlock.damagedName(row.id)
        else { throw LockbookError.root }
        if (try? key(of: row)) == nil { fileKeys[row.id] = FileKey(random: environment.random) }
        var file = try newFile(name, type: row.type, in: folder)
        file.id = row.id
        file.isDeleted = true
        try put(file)
    }
}
