import LockbookCrypto
import LockbookModel

/// A document that is open in an editor: what it was when the editor got it.
public struct EditSession: Sendable {
    public internal(set) var reference: FileReference
    public let path: String
    /// The text that the editor starts from.
    public let bytes: [UInt8]
    let file: FileID?
    /// Whose tree it is in, where that is another account's.
    var owner: AccountID?
}

/// What became of a save.
public enum EditResult: Sendable, Equatable {
    case unchanged
    case saved
    /// The document had changed meanwhile; both changes are in it now.
    case merged(conflicts: Int)
    /// It had changed meanwhile and is no text: this version stands beside it, at this path.
    case savedBeside(path: String)
}

extension Lockbook {
    /// Opens a document for editing; one that is not there yet is made when it is saved.
    public func beginEdit(_ reference: FileReference) async throws -> EditSession {
        if case .path(let path) = reference {
            _ = try LocalTree.names(of: path)
            let exists = try across(reference) {
                try store.read { try $0.find(path: path) != nil }
            } there: { place in
                guard case .path(let below) = place.reference else { return true }
                return try place.lockbook.store.read { try $0.find(path: below) != nil }
            }
            if !exists {
                guard !path.hasSuffix("/") else { throw LockbookError.notADocument(path: path) }
                return EditSession(reference: reference, path: path, bytes: [], file: nil)
            }
        }
        var bytes: [UInt8] = []
        try await read(reference) { bytes.append(contentsOf: $0) }
        let text = bytes
        return try across(reference) {
            try session(reference, text)
        } there: { place in
            let session = try place.lockbook.session(place.reference, text)
            return EditSession(
                reference: place.reference,
                path: session.path,
                bytes: text,
                file: session.file,
                owner: place.lockbook.store.context.owner
            )
        }
    }

    private func session(_ reference: FileReference, _ bytes: [UInt8]) throws -> EditSession {
        try store.read { tree in
            let row = try tree.find(reference)
            if let crossing = try tree.crossing(row) { throw crossing }
            return EditSession(
                reference: reference,
                path: try tree.path(of: row),
                bytes: bytes,
                file: row.id
            )
        }
    }

    /// Stores what the editor wrote, together with what changed meanwhile.
    public func save(_ session: EditSession, bytes: [UInt8]) throws -> EditResult {
        try across(session.reference) {
            try saveHere(session, bytes: bytes)
        } there: { place in
            var there = session
            there.reference = place.reference
            return try place.lockbook.saveHere(there, bytes: bytes)
        }
    }

    private func saveHere(_ session: EditSession, bytes: [UInt8]) throws -> EditResult {
        guard bytes != session.bytes else { return .unchanged }
        if let owner = session.owner, !store.context.isForeign, let other = try shared(by: owner) {
            return try other.saveHere(session, bytes: bytes)
        }
        return try store.write { tree in
            guard let id = session.file else {
                if case .path(let path) = session.reference, let row = try tree.find(path: path),
                    row.type == .document
                {
                    return try tree.save(bytes, over: [], to: try tree.file(row))
                }
                try tree.write(bytes, to: session.reference, append: false)
                return .saved
            }
            guard let row = try tree.row(id), try !tree.isDead(row) else {
                // Deleted meanwhile: the text is a document again, where it was.
                try tree.write(bytes, to: .path(session.path), append: false)
                return .saved
            }
            return try tree.save(bytes, over: session.bytes, to: try tree.file(row))
        }
    }
}

extension LocalTree {
    /// Merges an edited text with the document as it is now.
    func save(_ bytes: [UInt8], over original: [UInt8], to file: File) throws -> EditResult {
        var current: [UInt8] = []
        switch try openContent(of: file, path: try path(of: file.id)) {
        case .empty: break
        case .absent(let content): throw LockbookError.contentNotHere(path: content.path)
        case .here(var reader): current = try reader.bytes()
        }
        if current == original {
            try put(try replaceContent(of: file, with: bytes))
            return .saved
        }
        if current == bytes { return .unchanged }
        let outcome = TextMerge.merge(
            base: original,
            local: bytes,
            remote: current,
            labels: MergeLabels(
                local: "\(account.username) in the editor",
                remote: "\(account.username) on \(DeviceName.plain(file.deviceName))"
            ),
            fileExtension: file.name.fileExtension
        )
        guard case .merged(let merged, let conflicts) = outcome else {
            let beside = try saveBeside(bytes, file)
            return .savedBeside(path: beside)
        }
        try put(try replaceContent(of: file, with: merged))
        return .merged(conflicts: conflicts)
    }

    private func saveBeside(_ bytes: [UInt8], _ file: File) throws -> String {
        guard let folder = try row(file.parent) else { throw LockbookError.root }
        var number = 1
        while try child(file.name.numbered(number), of: folder) != nil { number += 1 }
        let copy = try newFile(file.name.numbered(number), type: .document, in: folder)
        let made = try make(try replaceContent(of: copy, with: bytes))
        return try path(of: made)
    }
}
