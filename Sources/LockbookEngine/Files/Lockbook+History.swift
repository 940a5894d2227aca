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
    func acrossTrash<Result>(
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
        let found = try elsewhere(reference, after: failure) { _, tree, there in
            try tree.findTrashed(there)
        }
        let lockbook = found.other.lockbook
        let (top, link) = try lockbook.store.read {
            try $0.nearest(found.other.links, above: found.row)
        }
        return SharedPlace(
            lockbook: lockbook,
            reference: .id(prefix: found.row.id.description),
            top: top,
            link: link
        )
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

    /// What the server keeps of these files; nil when it cannot be asked, and why.
    func toldVersions(of files: [FileID], _ limit: Int) async throws
        -> (told: ToldVersions?, obstacle: FileHistory.Obstacle?)
    {
        let isThere =
            try store.context.isForeign || store.read { try $0.setting(.registered) != nil }
        guard isThere, !files.isEmpty else {
            return (ToldVersions(), nil)
        }
        var told: ToldVersions?
        do {
            _ = try await withServer(toRead: true) { sync in
                told = try await sync.versions(of: files, limit: limit)
            }
        } catch let error as LockbookError {
            switch error {
            case .offline, .unavailable, .notALockbookServer, .busy, .serverUpdateNeeded:
                return (nil, .unreachable)
            case .tooFewFiles: return (nil, .tooFewFiles)
            case .tooFewThreads: return (nil, .tooFewThreads)
            // What lies in the trash of a share may be here after that is over.
            case .refused where store.context.isForeign: return (nil, .refused)
            default: throw error
            }
        }
        return (told, nil)
    }
}

/// What the server told of versions.
struct ToldVersions: Sendable {
    var versions: [FoundVersion] = []
    var hasMore = false
}
