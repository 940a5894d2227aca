import LockbookModel

extension Lockbook {
    /// Adds a line to the end of a document, which is made if there is none.
    /// - Parameter line: without its end; a last line that has none gets one first.
    public func append(line: String, to reference: FileReference) throws {
        try across(reference) {
            try appendHere(line: line, to: reference)
        } there: { place in
            try place.lockbook.appendHere(line: line, to: place.reference)
        }
    }

    private func appendHere(line: String, to reference: FileReference) throws {
        try store.change { tree in
            var last: UInt8?
            let file = try tree.document(at: reference)
            switch try tree.openContent(of: file, path: reference.text) {
            case .empty: break
            case .absent: throw LockbookError.contentNotHere(path: reference.text)
            case .here(var reader): try reader.readAll { last = $0.last ?? last }
            }
            let end = last == nil || last == UInt8(ascii: "\n") ? "" : "\n"
            try tree.write(Array((end + line + "\n").utf8), to: reference, append: true)
        }
    }

    /// Makes a document from a template, unless it is there already.
    /// - Parameters:
    ///   - template: the path of a document; there need not be one.
    ///   - text: makes the note's text from the template's, or from none.
    /// - Returns: whether it was made.
    public func create(
        path: String,
        template: String,
        text: (_ template: String?) -> String
    ) throws -> Bool {
        try store.change { tree in
            if let row = try tree.find(path: path) {
                guard row.type == .document else { throw LockbookError.notADocument(path: path) }
                return false
            }
            let bytes = try tree.template(template)
            let note = text(bytes.map { String(decoding: $0, as: UTF8.self) })
            if note.isEmpty {
                _ = try tree.make(try tree.document(at: .path(path)))
            } else {
                try tree.write(Array(note.utf8), to: .path(path), append: false)
            }
            return true
        }
    }
}

extension LocalTree {
    fileprivate func template(_ path: String) throws -> [UInt8]? {
        guard let row = try find(path: path), row.type == .document else { return nil }
        guard !row.isDamaged else {
            throw LockbookError.damaged(file: path, author: try author(of: row))
        }
        switch try openContent(of: try file(row), path: path) {
        case .empty: return []
        case .absent: throw LockbookError.contentNotHere(path: path)
        case .here(var reader): return try reader.bytes()
        }
    }
}
