import LockbookModel

/// A tag and how many documents have it.
public struct TagCount: Sendable, Equatable, Codable {
    /// Without its `#`, as the first document in the order of paths writes it.
    public var tag: String
    public var documents: Int
}

/// A link of a document, and where it leads.
public struct NoteLink: Sendable, Equatable, Codable {
    /// As it is written.
    public var target: String
    /// Where in the document, from 1.
    public var line: Int
    /// What it leads to; nil when there is no such file.
    public var path: String?
    public var id: String?
}

/// What was found in documents, and those that could not be read.
public struct NoteFindings<Found: Sendable>: Sendable {
    public var found: [Found]
    public var unread: [(path: String, reason: LockbookError)]
}

extension Lockbook {
    /// The tags of all documents, sorted; capitals do not count.
    public func tags() throws -> NoteFindings<TagCount> {
        let notes = try marks(in: itemsByTree(.path("/")))
        var counts: [String: TagCount] = [:]
        for note in notes.found {
            for tag in note.marks.tags {
                counts[tag.lowercased(), default: TagCount(tag: tag, documents: 0)].documents += 1
            }
        }
        let sorted = counts.sorted { $0.key < $1.key }.map(\.value)
        return NoteFindings(found: sorted, unread: notes.unread)
    }

    /// The documents that have a tag, or one below it, as `a/b` is below `a`.
    /// - Parameter tag: with or without its `#`; capitals do not count.
    public func documents(tagged tag: String) throws -> NoteFindings<FileInfo> {
        let wanted = (tag.hasPrefix("#") ? String(tag.dropFirst()) : tag).lowercased()
        let notes = try marks(in: itemsByTree(.path("/")))
        let paths = Set(
            notes.found.filter { note in
                note.marks.tags.contains {
                    $0.lowercased() == wanted || $0.lowercased().hasPrefix(wanted + "/")
                }
            }.map(\.item.path)
        )
        return NoteFindings(found: try files(paths), unread: notes.unread)
    }

    /// Where the links of a document lead, in their order.
    /// - Throws: `.contentNotHere`, `.notADocument`, `.notFound`, `.damaged`.
    public func links(of reference: FileReference) throws -> [NoteLink] {
        let file = try info(reference)
        let isDocument =
            try file.type == .document
            || file.type == .link
                && list(reference, recursive: false).contains {
                    $0.path == file.path && $0.type == .document
                }
        guard isDocument else { throw LockbookError.notADocument(path: reference.text) }
        let notes = try marks(in: itemsByTree(reference))
        if let failure = notes.unread.first { throw failure.reason }
        guard let note = notes.found.first else { return [] }
        let places = try LinkPlaces(itemsByTree(.path("/")).flatMap(\.items))
        return note.marks.links.map { link in
            let item = places.find(link, from: note.item.path)
            return NoteLink(
                target: link.target,
                line: link.line,
                path: item?.path,
                id: item?.entry.id.description
            )
        }
    }

    /// The documents with a link to a file, in the order of paths.
    public func backlinks(to reference: FileReference) throws -> NoteFindings<FileInfo> {
        let target = try info(reference).path
        let trees = try itemsByTree(.path("/"))
        let (places, notes) = (LinkPlaces(trees.flatMap(\.items)), try marks(in: trees))
        let paths = Set(
            notes.found.filter { note in
                note.marks.links.contains {
                    places.find($0, from: note.item.path)?.path == target
                }
            }.map(\.item.path)
        )
        return NoteFindings(found: try files(paths), unread: notes.unread)
    }

    private func files(_ paths: Set<String>) throws -> [FileInfo] {
        guard !paths.isEmpty else { return [] }
        return try list(.path("/"), recursive: true).filter { paths.contains($0.path) }
    }
}

extension Lockbook {
    private struct MarkedNote: Sendable {
        var item: SearchItem
        var marks: NoteMarks
    }

    /// Larger ones are no notes that somebody wrote.
    private static var largestNote: UInt64 { 4 << 20 }

    /// What stands in every text of these; what is no text is passed by.
    private func marks(in trees: [(lockbook: Lockbook, items: [SearchItem])]) throws
        -> NoteFindings<MarkedNote>
    {
        var all = NoteFindings<MarkedNote>(found: [], unread: [])
        for (lockbook, items) in trees {
            let notes = try lockbook.marks(
                of: items.filter {
                    $0.entry.type == .document && $0.entry.size <= Self.largestNote
                }
            )
            all.found += notes.found
            all.unread += notes.unread
        }
        return all
    }

    /// What is at and below a file: in this account's own tree, and behind each link there, under the
    /// paths that it has here.
    private func itemsByTree(_ reference: FileReference) throws -> [(
        lockbook: Lockbook, items: [SearchItem]
    )] {
        let (here, behind) = try searchPlaces([reference])
        return try here.map { reference in
            (self, try store.read { try $0.searchItems(reference) })
        }
            + behind.map { place in
                let items = try place.lockbook.store.read { try $0.searchItems(place.reference) }
                return (
                    place.lockbook,
                    items.map { SearchItem(entry: $0.entry, path: place.own($0.path)) }
                )
            }
    }

    private func marks(of items: [SearchItem]) throws -> NoteFindings<MarkedNote> {
        var all = NoteFindings<MarkedNote>(found: [], unread: [])
        for batch in SearchItem.batches(of: items) {
            let contents = try store.read { tree in
                try batch.map { try tree.searchContent(of: $0) }
            }
            let read = try concurrentMap(Array(zip(batch, contents))) { item, content in
                try Result<NoteMarks?, LockbookError>(content, path: item.path)
            }
            for (item, result) in zip(batch, read) {
                switch result {
                case .success(let marks?): all.found.append(MarkedNote(item: item, marks: marks))
                case .success(nil): break
                case .failure(let error): all.unread.append((item.path, error))
                }
            }
        }
        return all
    }
}

extension Result where Success == NoteMarks?, Failure == LockbookError {
    fileprivate init(_ content: SearchContent, path: String) throws {
        switch content {
        case .nothing, .opened(.empty): self = .success(nil)
        case .failed(let error): self = .failure(error)
        case .opened(.absent): self = .failure(.contentNotHere(path: path))
        case .opened(.here(var reader)):
            do {
                let bytes = try reader.bytes()
                let text = bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
                self = .success(text.map { NoteMarks($0) })
            } catch let error as LockbookError {
                self = .failure(error)
            }
        }
    }
}
