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

    /// Adds a line, as `append`; fetches what is there before, also when a sync brings the next version
    /// of it in between.
    public func appendFetching(line: String, to reference: FileReference) async throws {
        for _ in 0..<8 {
            try await fetch(reference)
            do { return try append(line: line, to: reference) } catch LockbookError.contentNotHere {
            }
        }
        try append(line: line, to: reference)
    }

    private func appendHere(line: String, to reference: FileReference) throws {
        try store.change { tree in
            var last: [UInt8] = []
            var isText = true
            let file = try tree.document(at: reference)
            switch try tree.openContent(of: file, path: reference.text) {
            case .empty: break
            case .absent: throw LockbookError.contentNotHere(path: reference.text)
            case .here(var reader):
                try reader.readAll {
                    last = (last + $0.suffix(2)).suffix(2)
                    isText = isText && !$0.contains(0)
                }
            }
            guard isText else { throw LockbookError.notText(path: reference.text) }
            // As the lines before it end.
            let isOfTwo = last == Array("\r\n".utf8)
            let end = last.isEmpty || last.last == UInt8(ascii: "\n") ? "" : "\n"
            var text = end + line + "\n"
            if isOfTwo {
                text = text.split(separator: "\n", omittingEmptySubsequences: false)
                    .joined(separator: "\r\n")
            }
            try tree.write(Array(text.utf8), to: reference, append: true)
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
        func note() throws -> String {
            text(try self.template(at: template))
        }
        let reference = try placeToMake(path)
        return try across(reference) {
            try createHere(reference, text: note)
        } there: { place in
            try place.lockbook.createHere(place.reference, text: note)
        }
    }

    private func createHere(_ reference: FileReference, text: () throws -> String) throws -> Bool {
        if try store.read({ try $0.holdsDocument(at: reference) }) { return false }
        let note = try text()
        return try store.change { try $0.makeNote(note, at: reference) }
    }

    /// The text of a template; nil when there is none.
    /// - Throws: `.notUTF8`: what was decoded all the same would hold other words.
    public func template(at path: String) throws -> String? {
        guard let bytes = try template(path) else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw LockbookError.notUTF8(path: path)
        }
        return text
    }

    private func template(_ path: String) throws -> [UInt8]? {
        try across(.path(path)) {
            try store.read { try $0.template(path) }
        } there: { place in
            guard case .path(let below) = place.reference else { return nil }
            return try place.lockbook.store.read { try $0.template(below) }
        }
    }
}

extension LocalTree {
    /// Makes a document with a text, unless it is there already.
    /// - Returns: whether it was made.
    func makeNote(_ text: String, at reference: FileReference) throws -> Bool {
        if try holdsDocument(at: reference) { return false }
        if text.isEmpty {
            _ = try make(try document(at: reference))
        } else {
            try write(Array(text.utf8), to: reference, append: false)
        }
        return true
    }

    /// Whether a document stands where one is to be made.
    /// - Throws: `.notADocument` for a folder.
    fileprivate func holdsDocument(at reference: FileReference) throws -> Bool {
        let path = try resolved(reference).text
        guard let row = try find(path: path) else { return false }
        if let crossing = try crossing(row) { throw crossing }
        guard row.type == .document else { throw LockbookError.notADocument(path: path) }
        return true
    }

    fileprivate func template(_ path: String) throws -> [UInt8]? {
        guard let row = try find(path: path) else { return nil }
        if let crossing = try crossing(row) { throw crossing }
        guard row.type == .document else { return nil }
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
