import LockbookCrypto
import LockbookModel

/// A document that is open in an editor: what it was when the editor got it, or last saved it.
public struct EditSession: Sendable {
    public fileprivate(set) var path: String
    /// The text that the editor starts from, or that was stored last.
    public fileprivate(set) var bytes: [UInt8]
    /// By what a later process finds the document again; nil while there is none.
    ///
    /// Its id, and before it the account in whose tree it stands or is to be, when that is another.
    public var id: String? {
        let file = file?.description
        return owner.map { "\($0):\(file ?? "")" } ?? file
    }
    /// Whether somebody saved the text: a new document is made then, although it is empty.
    public var isSaved = false
    var file: FileID?
    /// The account in whose tree the document stands or is to be; nil for this one.
    var owner: AccountID?

    /// A session that another process began and did not end.
    public init(path: String, id: String?, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
        let parts = id?.split(separator: ":", omittingEmptySubsequences: false) ?? []
        file = parts.last.flatMap { FileID(hex: String($0)) }
        guard parts.count > 1 else { return }
        owner = [UInt8](hex: parts[0]).flatMap { Hash256($0) }.map { AccountID(hash: $0) }
    }

    fileprivate init(path: String, file: FileID? = nil, in store: LocalStore, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
        self.file = file
        owner = store.context.isForeign ? store.context.owner : nil
    }
}

/// What became of a save.
public enum EditResult: Sendable, Equatable {
    case unchanged
    /// Nothing was written since the last save, and the document was deleted after that: where it is
    /// in the trash, or nil when it was purged.
    case deleted(path: String?)
    case saved
    /// The document was deleted meanwhile; the text is a new one where it was.
    case savedAnew
    /// The document had changed meanwhile; both changes are in it now.
    case merged(conflicts: Int)
    /// It had changed meanwhile and is no text, or a folder: this version stands beside it, at this
    /// path.
    case savedBeside(path: String)
    /// It may not be changed by this account any more; the text is a document of its own there.
    case keptOwn(path: String)
    /// The share that it stood in, or the link that led there, is gone; the text is a document of
    /// its own there.
    case placeGone(path: String)
}

extension Lockbook {
    /// Opens a document for editing; one that is not there yet is made when it is saved.
    /// - Parameter beginning: the text that one begins with which is not there yet.
    public func beginEdit(
        _ reference: FileReference,
        beginning: () throws -> String = { "" }
    ) async throws -> EditSession {
        if !reference.isBareID {
            if case .path(let path) = reference { _ = try LocalTree.names(of: path) }
            let (path, exists, place) = try across(reference) {
                try store.read { tree -> (String, Bool, LocalStore) in
                    let path = try tree.resolved(reference).text
                    return (path, try tree.isThere(path), store)
                }
            } there: { place -> (String, Bool, LocalStore) in
                let (other, below) = (place.lockbook.store, place.reference.text)
                return (reference.text, try other.read { try $0.isThere(below) }, other)
            }
            if !exists {
                guard !path.endsWithSlash else { throw LockbookError.slashAtEnd(path: path) }
                return EditSession(path: path, in: place, bytes: Array(try beginning().utf8))
            }
        }
        var bytes: [UInt8] = []
        try await read(reference) { bytes.append(contentsOf: $0) }
        let text = bytes
        return try across(reference) {
            try session(reference, text)
        } there: { place in
            var session = try place.lockbook.session(place.reference, text)
            session.path = place.own(session.path)
            return session
        }
    }

    private func session(_ reference: FileReference, _ bytes: [UInt8]) throws -> EditSession {
        try store.read { tree in
            let row = try tree.find(reference)
            if let crossing = try tree.crossing(row) { throw crossing }
            // Refused before somebody writes a text.
            if tree.isForeign { try tree.requireRight(to: try tree.file(row), row) }
            return EditSession(
                path: try tree.path(of: row),
                file: row.id,
                in: store,
                bytes: bytes
            )
        }
    }

    /// Stores what the editor wrote, together with what changed meanwhile.
    ///
    /// The session goes on from there: what the editor saves next is compared with this.
    public func save(_ session: inout EditSession, bytes: [UInt8]) throws -> EditResult {
        let isMade = session.file == nil && session.isSaved
        guard bytes != session.bytes || isMade else {
            return try deletion(of: session) ?? .unchanged
        }
        do { return try saveThere(&session, bytes) } catch LockbookError.readOnly {
            return .keptOwn(path: try keepOwn(&session, bytes))
        }
    }

    private func deletion(of session: EditSession) throws -> EditResult? {
        guard let file = session.file, let place = try place(of: session) else { return nil }
        return try place.lockbook.store.read { tree in
            guard let row = try tree.row(file) else { return .deleted(path: nil) }
            return try tree.isDead(row) ? .deleted(path: place.own(tree.path(of: row))) : nil
        }
    }

    /// Keeps a text that cannot be written where it belongs any more: the right to that was taken
    /// back while it was edited, or the way there is gone.
    /// - Returns: where it is.
    private func keepOwn(_ session: inout EditSession, _ bytes: [UInt8]) throws -> String {
        guard let name = try LocalTree.names(of: session.path).last else {
            throw LockbookError.root
        }
        let (path, id) = try store.change { tree in
            let path = try tree.keepCopy(bytes, named: name)
            return (path, try tree.find(path: path)?.id)
        }
        session.path = path
        session.file = id
        session.owner = nil
        session.bytes = bytes
        return path
    }

    private func saveThere(_ session: inout EditSession, _ bytes: [UInt8]) throws -> EditResult {
        guard let place = try place(of: session), case .path(let path) = place.reference else {
            return .placeGone(path: try keepOwn(&session, bytes))
        }
        let edited = session
        let (result, file): (EditResult, FileID?)
        do {
            (result, file) = try place.naming {
                try place.lockbook.save(bytes, of: edited, at: path)
            }
        } catch is CrossesLink {
            // Where a document of one's own was, a link leads to what others share.
            return .placeGone(path: try keepOwn(&session, bytes))
        }
        session.path = place.own(path)
        session.bytes = bytes
        session.file = file
        guard case .savedBeside(let path) = result else { return result }
        return .savedBeside(path: place.own(path))
    }

    /// Stores what the editor wrote, as `save`; fetches what another device wrote meanwhile, when a
    /// sync has told of it and not brought it yet.
    public func saveFetching(_ session: inout EditSession, bytes: [UInt8]) async throws
        -> EditResult
    {
        for _ in 0..<8 {
            do {
                return try save(&session, bytes: bytes)
            } catch LockbookError.contentNotHere {
                // Whoever pulls at this moment is waited for; a later pull may bring the next one.
                guard let place = try place(of: session) else { continue }
                try await place.lockbook.fetch(place.reference, toRead: true)
            }
        }
        return try save(&session, bytes: bytes)
    }

    /// - Parameter path: where the document stands in this tree, or is to be.
    private func save(_ bytes: [UInt8], of session: EditSession, at path: String) throws -> (
        EditResult, FileID?
    ) {
        try store.change { tree in
            if let id = session.file, let row = try tree.row(id), try !tree.isDead(row) {
                return try tree.save(bytes, over: session.bytes, to: try tree.file(row))
            }
            // Not made yet, or deleted meanwhile: the text is a document again, where it was.
            if let row = try tree.find(path: path), row.type != .link {
                let present = try tree.file(row)
                guard row.type == .document else {
                    let beside = try tree.saveBeside(bytes, present)
                    return (.savedBeside(path: try tree.path(of: beside)), beside)
                }
                let original = session.file == nil ? session.bytes : []
                return try tree.save(bytes, over: original, to: present)
            }
            try tree.write(bytes, to: .path(path), append: false)
            let made = try tree.find(path: path)?.id
            guard session.file != nil else { return (.saved, made) }
            // What was to be decided in the text before is so still.
            if let made, ConflictBlocks(in: bytes).namesWriters {
                try tree.noteConflict(.markers, made)
            }
            return (.savedAnew, made)
        }
    }
}

extension LocalTree {
    /// Whether something stands at a path; what the save would refuse is refused before somebody
    /// writes a text.
    fileprivate func isThere(_ path: String) throws -> Bool {
        if try find(path: path) != nil { return true }
        let folder = try checkPlace(for: path)
        if try !mayWrite(in: scope(of: folder)) {
            throw LockbookError.readOnly(path: try self.path(of: folder))
        }
        return false
    }

    /// Merges an edited text with the document as it is now.
    /// - Returns: what became of it, and the document that holds it.
    fileprivate func save(_ bytes: [UInt8], over original: [UInt8], to file: File) throws -> (
        EditResult, FileID
    ) {
        var current: [UInt8] = []
        switch try openContent(of: file, path: try path(of: file.id)) {
        case .empty: break
        case .absent(let content): throw LockbookError.contentNotHere(path: content.path)
        case .here(var reader): current = try reader.bytes()
        }
        if current == original {
            try put(try replaceContent(of: file, with: bytes))
            return (.saved, file.id)
        }
        if current == bytes { return (.unchanged, file.id) }
        let outcome = TextMerge.merge(
            base: original,
            local: bytes,
            remote: current,
            labels: try labels(against: file, inEditor: true),
            fileExtension: file.name.fileExtension
        )
        guard case .merged(let merged, let conflicts) = outcome else {
            let beside = try saveBeside(bytes, file)
            try noteConflict(.keptBoth, beside, other: file.id)
            return (.savedBeside(path: try path(of: beside)), beside)
        }
        try put(try replaceContent(of: file, with: merged))
        if conflicts > 0 { try noteConflict(.markers, file.id) }
        return (.merged(conflicts: conflicts), file.id)
    }

    /// Makes a document of this text, with the next free name beside a file.
    fileprivate func saveBeside(_ bytes: [UInt8], _ file: File) throws -> FileID {
        guard let folder = try row(file.parent) else { throw LockbookError.root }
        let copy = try newFile(try freeName(file.name, in: folder), type: .document, in: folder)
        return try make(try replaceContent(of: copy, with: bytes)).id
    }
}
