import LockbookCrypto
import LockbookModel

extension Lockbook {
    /// Brings the contents of a document, or of all that is in a folder, to this device.
    ///
    /// What is not there at all is no failure of this: whoever needs it says so.
    /// - Parameter toRead: whether the content of a document is read at once: then it does not have to
    ///   be kept where the data directory takes no more.
    /// - Throws: `.contentNotHere` when the server cannot be reached.
    public func fetch(_ reference: FileReference, toRead: Bool = false) async throws {
        try await across(reference) {
            try await fetchHere(reference, toRead)
        } there: { place in
            try await place.lockbook.fetchHere(place.reference, toRead)
        }
    }

    /// Brings here what deciding a conflict needs.
    ///
    /// - Throws: `.contentNotHere` when the server cannot be reached.
    public func fetchConflict(_ reference: FileReference) async throws {
        do {
            try await fetch(reference)
        } catch let failure as LockbookError where failure.isUnknownID {
            // What is undecided in the trash comes when it is out of there.
        }
    }

    private func fetchHere(_ reference: FileReference, _ toRead: Bool) async throws {
        let absent = try store.read { tree -> [AbsentContent] in
            let reference = try tree.resolved(reference)
            let found: FileRow
            do { found = try tree.find(reference) } catch {
                guard error is CrossesLink || reference.isID else { return [] }
                throw error
            }
            if let crossing = try tree.crossing(found) { throw crossing }
            return try tree.absentContents(of: found)
        }
        for content in absent { try await fetch(content, toRead: toRead) }
    }

    /// Brings the contents here of what came out of the trash, with all in it, in whatever tree.
    ///
    /// Until a sync tells of it, another device may purge it: what is here is a new file then, and
    /// what is not is gone.
    /// - Parameter ids: 32 hexadecimal digits each.
    /// - Throws: `.contentNotHere` when the server cannot be reached.
    public func fetchRestored(_ ids: [String]) async throws {
        let files = Set(ids.compactMap { FileID(hex: $0) })
        try await fetchHere(files)
        // In what cannot be looked into nothing came out of the trash.
        for other in try askOthers(UnreadTrees(), { $0 }) {
            do { try await other.lockbook.fetchHere(files) } catch let error as LockbookError {
                throw other.own(error)
            }
        }
    }

    private func fetchHere(_ files: Set<FileID>) async throws {
        let absent = try store.read { tree -> [AbsentContent] in
            let rows = try files.sorted().compactMap { try tree.row($0) }
            return try rows.flatMap { try tree.absentContents(of: $0) }
        }
        guard !absent.isEmpty else { return }
        // One may stand in another.
        var wanted: [BlobName: UInt64] = [:]
        for content in absent { wanted[content.blob] = content.size }
        let blobs = wanted.map { (name: $0.key, size: $0.value) }
        do {
            try await withServer(for: absent[0]) { sync in
                // Whoever was waited for may have brought some.
                let left = try store.read { tree in
                    try blobs.filter { try !tree.canRead($0.name) }
                }
                try await sync.fetch(left)
            }
        } catch {
            // What does not come with all the others is asked for by itself, to say which it is.
            if case LockbookError.contentNotHere = error { throw error }
        }
        let left = try store.read { tree in try absent.filter { try !tree.hasBlob($0.blob) } }
        var failure: (any Error)?
        for content in left {
            do { try await fetch(content) } catch let error as LockbookError {
                if case .contentNotHere = error { throw error }
                // What cannot be had keeps nothing else from coming.
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }
}

extension LocalTree {
    /// The contents of a document, or of all that is in a folder, that are on the server alone.
    fileprivate func absentContents(of row: FileRow) throws -> [AbsentContent] {
        guard try absentCount() > 0 else { return [] }
        var entries = [try entry(row)]
        try walk(below: row, contents: true) { entries.append($0) }
        return try entries.filter { !$0.isDamaged }.compactMap { entry in
            let path = try self.row(entry.id).map { try self.path(of: $0) } ?? ""
            let opened = try open(entry.content, of: entry.id, path: path)
            guard case .absent(let content) = opened else { return nil }
            return content
        }
    }
}
