import LockbookCrypto
import LockbookModel

/// What was written where it may not be any more, as a document of this account's own.
extension LocalTree {
    /// Writes a document beside what has its name, in the root.
    func keepCopy(_ bytes: [UInt8], named name: FileName) throws -> String {
        let row = try make(try replaceContent(of: try newCopy(named: name), with: bytes))
        if ConflictBlocks(in: bytes).namesWriters { try noteConflict(.markers, row.id) }
        return try path(of: row)
    }

    /// The same with a document of this tree, or of another one, which is read piece by piece.
    ///
    /// Nothing is written anew, so its times are those of what it is a copy of. What was saved of that
    /// before a sync and replaced goes along.
    /// - Parameters:
    ///   - source: the tree that it stands in, where that is another one.
    ///   - inTrash: whether it goes into the trash at once, as what it is a copy of was deleted.
    func keepCopy(
        of old: File,
        in source: LocalTree? = nil,
        from reader: ContentReader,
        named name: FileName,
        inTrash: Bool = false
    ) throws -> String {
        var file = try newCopy(named: name)
        file.isExecutable = old.isExecutable
        (file.created, file.modified) = (old.created, old.modified)
        file.content = try reseal(reader.content, from: reader, for: file.id)
        let row = try make(file)
        if let original = try (source ?? self).row(old.id) {
            let saves = try saves(
                of: original,
                besides: old,
                at: reader.path,
                in: source,
                for: row.id
            )
            try keep(saves, of: row.id)
        }
        let path = try path(of: row)
        if inTrash {
            try delete(row)
            try noteDeletion(of: row.id)
        } else if try markers(in: row, mostBytes: Sync.mergeableByteCount) == .some {
            // In what is larger no merge leaves any.
            try noteConflict(.markers, row.id)
        }
        return path
    }

    private func newCopy(named name: FileName) throws -> File {
        let folder = try rootRow()
        return try newFile(try freeName(name, in: folder), type: .document, in: folder)
    }

    /// What a document holds that may not be pushed any more.
    /// - Parameter path: where it stands, for what fails.
    /// - Throws: `.busy` where something else was written there meanwhile.
    func words(of document: File, at path: String) throws -> ContentReader {
        guard case .here(let reader) = try openContent(of: document, path: path) else {
            throw LockbookError.busy(what: "a document was changed meanwhile")
        }
        return reader
    }
}
