import LockbookCrypto
import LockbookModel

extension Lockbook {
    /// Copies files and what is below them, as `cp -r` does: all or nothing.
    ///
    /// What is named twice is copied once. What is behind a link is copied as files of the tree that
    /// they go to.
    public func copy(_ sources: [FileReference], to destination: String) throws -> [FileInfo] {
        do { return try copyHere(sources, to: destination) } catch {
            guard error is CrossesLink || error.isUnknownID else { throw error }
            return try copyAcross(sources, to: destination)
        }
    }

    private func copyHere(_ sources: [FileReference], to destination: String) throws -> [FileInfo] {
        try store.change { tree in
            let (folder, name) = try tree.place(for: destination, of: sources)
            return try tree.once(sources).map { source in
                let row = try tree.find(source)
                try tree.requireOutside(row, folder)
                let newName = try name ?? tree.name(of: row)
                try tree.requireFree(newName, in: folder)
                let copy = try tree.copy(row, to: folder, as: newName)
                return try tree.info(copy, path: try tree.path(of: copy))
            }
        }
    }
}

extension LocalTree {
    /// Reads what a link in a tree leads to, and copies it; or nothing, where that is copied already.
    typealias FollowLink = (
        _ link: CrossesLink,
        _ copy: (_ tree: LocalTree, _ row: FileRow) throws -> FileRow
    ) throws -> FileRow?

    /// Copies a file; a content is sealed anew, because it is bound to its file.
    /// - Parameters:
    ///   - source: the tree that it stands in, where that is another one.
    ///   - follow: what is done with links; without it they are refused with what they are.
    /// - Throws: `.damaged` where something in it does not open: the copy would be without that.
    func copy(
        _ row: FileRow,
        of source: LocalTree? = nil,
        to folder: FileRow,
        as name: FileName,
        following follow: @escaping FollowLink = { link, _ in throw link }
    ) throws -> FileRow {
        let source = source ?? self
        if source === self { try requireOutside(row, folder) }
        var pending = [(row: row, folder: folder, name: name)]
        var first: FileRow?
        var copies: [FileID: FileID] = [:]
        while let next = pending.popLast() {
            guard !next.row.isDamaged else {
                throw LockbookError.damaged(
                    file: try source.path(of: next.row),
                    author: try source.author(of: next.row)
                )
            }
            if let crossing = try source.crossing(next.row) {
                let made = try follow(crossing) { tree, row in
                    try copy(row, of: tree, to: next.folder, as: next.name, following: follow)
                }
                if first == nil { first = made }
                copies[next.row.id] = made?.id
                continue
            }
            let made = try copyAlone(next.row, of: source, to: next.folder, as: next.name)
            if first == nil { first = made }
            copies[next.row.id] = made.id
            for entry in next.row.type == .folder ? try source.entries(of: next.row.id) : [] {
                guard let child = try source.row(entry.id) else { continue }
                pending.append((child, made, entry.name))
            }
        }
        guard let first else { throw LockbookError.store(reason: "nothing was copied") }
        try notePairs(in: source, copying: row, copies)
        return first
    }

    private func copyAlone(
        _ row: FileRow,
        of source: LocalTree,
        to folder: FileRow,
        as name: FileName
    ) throws -> FileRow {
        let original = try source.file(row)
        var file = try newFile(name, type: original.type, in: folder)
        file.isExecutable = original.isExecutable
        file.target = original.target
        if let content = original.content {
            let path = try source.path(of: row)
            guard case .here(let reader) = try source.openContent(of: original, path: path) else {
                throw LockbookError.contentNotHere(path: path)
            }
            file.content = try reseal(content, from: reader, for: file.id)
        }
        file.modified = original.modified
        let made = try make(file)
        if original.content != nil { try noteMarkers(of: row.id, in: source, for: made.id) }
        return made
    }

    /// Refuses to put a file into itself.
    func requireOutside(_ row: FileRow, _ folder: FileRow) throws {
        guard row.id != root else { throw LockbookError.intoItself(path: "/") }
        var above = folder
        while above.id != root {
            guard above.id != row.id else {
                throw LockbookError.intoItself(path: try path(of: row))
            }
            guard let parent = try self.row(above.parent) else { return }
            above = parent
        }
    }

    func requireFree(_ name: FileName, in folder: FileRow, for file: FileID? = nil) throws {
        guard let taken = try child(name, of: folder), taken.id != file else { return }
        throw LockbookError.exists(path: try path(of: taken))
    }

    func reseal(_ content: Content, of source: File, for file: FileID) throws -> Content {
        let path = try path(of: source.id)
        guard case .here(let reader) = try openContent(of: source, path: path)
        else { throw LockbookError.contentNotHere(path: path) }
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
