import LockbookCrypto
import LockbookModel

extension Lockbook {
    /// Copies files and what is below them, as `cp -r` does: all or nothing.
    ///
    /// What is behind a link is copied as files of the tree that they go to.
    public func copy(_ sources: [FileReference], to destination: String) throws -> [FileInfo] {
        do { return try copyHere(sources, to: destination) } catch {
            guard error is CrossesLink || error.isUnknownID else { throw error }
            return try sources.map { try copyAcross($0, to: destination) }
        }
    }

    private func copyHere(_ sources: [FileReference], to destination: String) throws -> [FileInfo] {
        try store.change { tree in
            let (folder, name) = try tree.place(for: destination)
            guard sources.count == 1 || name == nil else {
                throw LockbookError.notAFolder(path: destination)
            }
            return try sources.map { source in
                let row = try tree.find(source)
                guard row.id != tree.root else { throw LockbookError.intoItself(path: "/") }
                var ancestor = folder
                while ancestor.id != tree.root, let parent = try tree.row(ancestor.parent) {
                    guard ancestor.id != row.id else {
                        throw LockbookError.intoItself(path: try tree.path(of: row))
                    }
                    ancestor = parent
                }
                let newName = try name ?? tree.name(of: row)
                if let taken = try tree.child(newName, of: folder) {
                    throw LockbookError.exists(path: try tree.path(of: taken))
                }
                let copy = try tree.copy(row, to: folder, as: newName)
                return try tree.info(copy, path: try tree.path(of: copy))
            }
        }
    }
}

extension LocalTree {
    /// Copies a file; a content is sealed anew, because it is bound to its file.
    func copy(_ row: FileRow, to folder: FileRow, as name: FileName) throws -> FileRow {
        var pending = [(row: row, folder: folder, name: name)]
        var first: FileRow?
        while let next = pending.popLast() {
            if let crossing = try crossing(next.row) { throw crossing }
            let source = try file(next.row)
            var file = try newFile(next.name, type: source.type, in: next.folder)
            file.isExecutable = source.isExecutable
            file.target = source.target
            if let content = source.content {
                file.content = try reseal(content, of: source, for: file.id)
            }
            file.modified = source.modified
            let made = try make(file)
            if first == nil { first = made }
            for entry in next.row.type == .folder ? try entries(of: next.row.id) : [] {
                guard let child = try self.row(entry.id), !child.isDamaged else { continue }
                pending.append((child, made, entry.name))
            }
        }
        guard let first else { throw LockbookError.store(reason: "nothing was copied") }
        return first
    }

    func reseal(_ content: Content, of source: File, for file: FileID) throws -> Content {
        guard case .here(let reader) = try openContent(of: source, path: try path(of: source.id))
        else { throw LockbookError.contentNotHere(path: try path(of: source.id)) }
        return try reseal(content, from: reader, for: file)
    }

    /// A content of this tree, or of another one, sealed for a file of this one.
    func reseal(_ content: Content, from reader: ContentReader, for file: FileID) throws -> Content
    {
        var reader = reader
        let version = VersionID(random: environment.random)
        let key = ContentKey(random: environment.random)
        let binding = Content.binding(owner: owner, file: file, version: version)
        if content.size <= UInt64(ContentWriter.inMemoryByteCount) {
            let (blob, facts) = try ContentSealer.seal(
                try reader.bytes(),
                key: key,
                bound: binding
            )
            try keepBlob(blob, name: facts.blob)
            return Content(version: version, key: key, facts: facts)
        }
        var sealer = try ContentSealer(
            key: key,
            compression: content.compression,
            bound: binding
        )
        let target = try blobs.temporary(random: environment.random)
        do {
            try reader.readAll { try target.write(try sealer.update($0)) }
            let (last, facts) = try sealer.finish()
            try target.write(last)
            try blobs.keep(target, as: facts.blob)
            try addBlobFile(facts.blob)
            return Content(version: version, key: key, facts: facts)
        } catch {
            blobs.discard(target)
            throw error
        }
    }
}
