import LockbookCrypto
import LockbookModel

extension Lockbook {
    /// The versions of a file, or of everything in a folder: those of this device, and those that
    /// the server keeps.
    ///
    /// Without the server only what is here; `isComplete` says so.
    /// - Parameter limit: how many of the newest.
    public func history(_ reference: FileReference, limit: Int = 100) async throws -> FileHistory {
        try await acrossTrash(reference) { place in
            place.own(try await place.lockbook.historyHere(place.reference, limit))
        }
    }

    /// Does something with a file, also one in the trash, in the tree that it stands in.
    private func acrossTrash<Result>(
        _ reference: FileReference,
        _ body: (SharedPlace) async throws -> Result
    ) async throws -> Result {
        do {
            return try await across(reference) {
                try await body(SharedPlace(lockbook: self, reference: reference))
            } there: { place in
                try await body(place)
            }
        } catch let failure as LockbookError where failure.isUnknownID {
            let place = try trashedElsewhere(reference, after: failure)
            do { return try await body(place) } catch let error as LockbookError {
                throw error.renamed(place.own)
            }
        }
    }

    /// What lies in the trash of another account's tree, by its id: another file may be at its path
    /// now.
    private func trashedElsewhere(_ reference: FileReference, after failure: LockbookError) throws
        -> SharedPlace
    {
        try elsewhere(reference, after: failure) { other, there in
            try other.lockbook.store.read { tree in
                let row = try tree.findTrashed(there)
                let (top, link) = try tree.nearest(other.links, above: row)
                return SharedPlace(
                    lockbook: other.lockbook,
                    reference: .id(prefix: row.id.description),
                    top: top,
                    link: link
                )
            }
        }
    }

    private func historyHere(_ reference: FileReference, _ limit: Int) async throws -> FileHistory {
        let all = try store.read { try $0.historyRows(reference, trash: trashIndex) }
        let asked = try await toldVersions(of: all.filter { $0.base != nil }.map(\.id), limit)
        let rows = try store.read { try $0.newest(of: all, asked.told, limit: limit) }
        var history = try history(of: rows, asked.told, limit)
        history.hasMore = history.hasMore || rows.count < all.count
        history.obstacle = asked.obstacle
        guard var told = asked.told else { return history }
        // The server's newest are those of the log; what is shown goes by the times of its authors.
        let isCut = history.versions.contains { !$0.isUnsynced && $0.position == nil }
        guard isCut || (told.hasMore && rows.count > 1) else { return history }
        let shown = Set(history.versions.map(\.id))
        let files = rows.filter { $0.base != nil && shown.contains($0.id.description) }.map(\.id)
        guard let more = try await toldVersions(of: files, max(limit, 100)).told,
            !more.versions.isEmpty
        else { return history }
        let known = Set(told.versions.map(\.hash))
        told.versions += more.versions.filter { !known.contains($0.hash) }
        history = try self.history(of: rows, told, limit)
        history.hasMore = history.hasMore || rows.count < all.count
        return history
    }

    private func history(of rows: [FileRow], _ told: ToldVersions?, _ limit: Int) throws
        -> FileHistory
    {
        try store.read { tree in
            // Looked up again: a sync may have come between.
            let now = try rows.compactMap { try tree.row($0.id) }.filter { !$0.isDamaged }
            return try tree.history(of: now, told, limit: limit)
        }
    }

    /// The newest versions of a document that this device knows of; nobody is asked.
    public func versionsHere(_ reference: FileReference, limit: Int = 50) throws -> [FileVersion] {
        try store.read { tree in
            let rows = try tree.historyRows(reference, trash: trashIndex).filter { !$0.isDamaged }
            return try tree.history(of: rows, nil, limit: limit).versions
        }
    }

    /// Gives the bytes of one version of a document piece by piece; fetches them when they are not
    /// here.
    /// - Parameter version: the beginning of what `history` calls it, at least four digits.
    public func read(
        _ reference: FileReference,
        version: String,
        into sink: (_ bytes: [UInt8]) throws -> Void
    ) async throws {
        var opened = try await acrossTrash(reference) { place in
            try await place.lockbook.open(place.reference, version: version)
        }
        defer { opened.discard() }
        try opened.reader?.readAll(into: sink)
    }

    /// Makes an earlier version of a document its newest one; a document in the trash comes back.
    public func restore(_ reference: FileReference, version: String) async throws -> FileInfo {
        try await acrossTrash(reference) { place in
            place.own(try await place.lockbook.restoreHere(place.reference, version))
        }
    }

    private func restoreHere(_ reference: FileReference, _ version: String) async throws
        -> FileInfo
    {
        let opened = try await open(reference, version: version)
        // One that does not open must not take the place of one that does.
        do {
            var reader = opened.reader
            try reader?.readAll { _ in }
        } catch {
            opened.discard()
            throw error
        }
        return try store.change { tree in
            guard var row = try tree.row(opened.file) else {
                throw LockbookError.notFound(path: reference.text)
            }
            if try tree.isDead(row) {
                try tree.restore(row)
                try tree.forgetRevived()
                row = try tree.row(row.id) ?? row
                guard try !tree.isDead(row) else {
                    throw LockbookError.notFound(path: reference.text)
                }
            }
            try tree.put(try tree.file(row), with: opened)
            row = try tree.row(row.id) ?? row
            return try tree.info(row, path: try tree.path(of: row))
        }
    }

    /// What the server keeps of these files; nil when it cannot be asked, and why.
    private func toldVersions(of files: [FileID], _ limit: Int) async throws
        -> (told: ToldVersions?, obstacle: FileHistory.Obstacle?)
    {
        let isThere =
            try store.context.isForeign || store.read { try $0.setting(.registered) != nil }
        guard isThere, !files.isEmpty else {
            return (ToldVersions(), nil)
        }
        var told: ToldVersions?
        do {
            _ = try await withServer { sync in
                told = try await sync.versions(of: files, limit: limit)
            }
        } catch let error as LockbookError {
            switch error {
            case .offline, .unavailable, .notALockbookServer, .busy, .serverUpdateNeeded:
                return (nil, .unreachable)
            case .tooFewFiles: return (nil, .tooFewFiles)
            // On a disk that cannot be written, what is here can still be read.
            case .io(Sync.lockPath(account.directory), _): return (nil, .unwritable)
            default: throw error
            }
        }
        return (told, nil)
    }

    private func open(_ reference: FileReference, version: String) async throws -> OpenedVersion {
        let row = try store.read { tree -> FileRow in
            guard let row = try tree.historyRows(reference, trash: trashIndex).first else {
                throw LockbookError.notFound(path: reference.text)
            }
            guard row.type == .document else {
                throw LockbookError.notADocument(path: reference.text)
            }
            return row
        }
        var found = try store.read { try $0.versionsHere(of: [row]) }
        var matches = found.filter { $0.hash.description.hasPrefix(version) }
        if matches.isEmpty, row.base != nil {
            let asked = try await toldVersions(of: [row.id], 10_000)
            guard let told = asked.told else {
                throw LockbookError.earlierNotKnown(
                    path: reference.text,
                    obstacle: asked.obstacle ?? .unreachable
                )
            }
            found = told.versions
            matches = found.filter { $0.hash.description.hasPrefix(version) }
        }
        guard version.utf8.count >= 4, let match = matches.first else {
            throw LockbookError.noVersion(path: reference.text, version: version)
        }
        guard matches.allSatisfy({ $0.hash == match.hash }) else {
            throw LockbookError.ambiguous(
                prefix: "id:" + version,
                matches: matches.map { String($0.hash.description.prefix(16)) }
            )
        }
        let records = found.map(\.record)
        let file: File
        do {
            file = try store.read { try $0.open(match.record, of: row, among: records) }
        } catch is DamagedRecord {
            throw LockbookError.versionGone(path: reference.text)
        }
        return try await open(file, path: reference.text)
    }

    private func open(_ file: File, path: String) async throws -> OpenedVersion {
        switch try store.read({ try $0.openContent(of: file, path: path) }) {
        case .empty: return OpenedVersion(file: file.id, content: nil, reader: nil)
        case .here(let reader):
            return OpenedVersion(file: file.id, content: file.content, reader: reader)
        case .absent(let absent):
            var blob: LocalTree.StoredBlob?
            do {
                _ = try await withServer { sync in
                    blob = try await sync.borrow(absent.blob, size: absent.size)
                }
            } catch LockbookError.offline, LockbookError.unavailable {
                throw LockbookError.contentNotHere(path: path)
            }
            guard let stored = blob, let content = file.content else {
                throw LockbookError.versionGone(path: path)
            }
            let binding = Content.binding(
                owner: store.context.owner,
                file: file.id,
                version: content.version
            )
            return OpenedVersion(
                file: file.id,
                content: content,
                reader: ContentReader(stored, content: content, binding: binding, path: path),
                borrowed: stored
            )
        }
    }
}

/// The content of one version, ready to be read.
struct OpenedVersion {
    let file: FileID
    let content: Content?
    var reader: ContentReader?
    /// What was fetched for this alone: nothing in the store refers to it.
    var borrowed: LocalTree.StoredBlob?

    func discard() {
        if case .file(let file) = borrowed { try? Disk.remove(file.path) }
    }
}

extension LocalTree {
    /// Gives a document an earlier content again, under the blob that it was.
    fileprivate func put(_ file: File, with opened: OpenedVersion) throws {
        guard let content = opened.content else {
            return try put(try replaceContent(of: file, with: []))
        }
        switch opened.borrowed {
        case .bytes(let bytes): try keepBlob(bytes, name: content.blob)
        case .file: try addBlobFile(content.blob)
        case nil: break
        }
        let base = try row(file.id).flatMap { try self.base($0) }
        try put(try file.replacing(content, keeping: base, in: self))
    }
}

/// What the server told of versions.
struct ToldVersions: Sendable {
    var versions: [FoundVersion] = []
    var hasMore = false
}
