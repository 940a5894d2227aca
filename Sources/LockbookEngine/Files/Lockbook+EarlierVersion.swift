import LockbookCrypto
import LockbookModel

extension Lockbook {
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
                row = try tree.row(row.id) ?? row
                guard try !tree.isDead(row) else {
                    throw LockbookError.notFound(path: reference.text)
                }
            }
            try tree.put(try tree.file(row), with: opened)
            try tree.forgetRevived()
            try tree.noteMarkers(broughtBackIn: row.id)
            row = try tree.row(row.id) ?? row
            return try tree.info(row, path: try tree.path(of: row))
        }
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
            file = try store.read {
                try $0.open(match.record, of: row, with: match.key, among: records)
            }
        } catch is DamagedRecord {
            throw LockbookError.versionGone(path: reference.text, why: .noKey)
        }
        return try await open(file, path: reference.text)
    }

    private func open(_ file: File, path: String) async throws -> OpenedVersion {
        switch try store.read({ try $0.openContent(of: file, path: path) }) {
        case .empty: return OpenedVersion(store: store, file: file.id, content: nil)
        case .here(let reader):
            return OpenedVersion(
                store: store,
                file: file.id,
                content: file.content,
                reader: reader
            )
        case .absent(let absent):
            var blob: LocalTree.StoredBlob?
            do {
                _ = try await withServer(toRead: true) { sync in
                    blob = try await sync.borrow(absent.blob, size: absent.size)
                }
            } catch LockbookError.offline, LockbookError.unavailable {
                throw LockbookError.contentNotHere(path: path)
            } catch LockbookError.store(let reason, limit: .some) {
                throw LockbookError.contentNotKept(path: path, reason: reason)
            }
            guard let stored = blob, let content = file.content else {
                let isShared = try store.read { tree in
                    try !tree.isForeign || tree.right(in: file.scope) > .none
                }
                throw LockbookError.versionGone(path: path, why: isShared ? .notKept : .notShared)
            }
            let binding = Content.binding(
                owner: store.context.owner,
                file: file.id,
                version: content.version
            )
            return OpenedVersion(
                store: store,
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
    let store: LocalStore
    let file: FileID
    let content: Content?
    var reader: ContentReader?
    /// What was fetched for this alone: nothing in the store refers to it.
    var borrowed: LocalTree.StoredBlob?

    /// Removes that, unless another process brought the version back meanwhile.
    func discard() {
        if case .file = borrowed, let content { store.removeFiles(of: [content.blob]) }
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
        case .unreadable, nil: try requireContent(content, of: file)
        }
        try put(try file.replacing(content, in: self))
    }
}
