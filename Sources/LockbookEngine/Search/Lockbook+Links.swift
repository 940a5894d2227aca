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
    /// The tags of all documents, sorted; capitals do not count, nor how an emoji is drawn.
    public func tags() throws -> NoteFindings<TagCount> {
        let notes = try marks(in: itemsByTree(.path("/")), .tags { !$0.tags.isEmpty })
        var counts: [String: TagCount] = [:]
        for note in notes.found {
            for tag in note.marks.tags {
                counts[NoteTag.compared(tag), default: TagCount(tag: tag, documents: 0)]
                    .documents += 1
            }
        }
        let sorted = counts.sorted { $0.key < $1.key }.map(\.value)
        return NoteFindings(found: sorted, unread: notes.unread)
    }

    /// The documents that have a tag, or one below it, as `a/b` is below `a`.
    /// - Parameter tag: with or without its `#`; capitals do not count.
    public func documents(tagged tag: String) throws -> NoteFindings<FileInfo> {
        let bare = tag.utf8.first == UInt8(ascii: "#") ? tag.behind("#") : tag
        let wanted = NoteTag.compared(NoteTag.withoutEmptyLevels(bare.streamSafe))
        let question = MarkQuestion.tags { marks in
            marks.tags.contains { NoteTag.compared($0).isTag(in: wanted) }
        }
        let notes = try marks(in: itemsByTree(.path("/")), question)
        let paths = Set(notes.found.map(\.item.path))
        return NoteFindings(found: try files(paths), unread: notes.unread)
    }

    /// Where the links of a document lead, in their order.
    /// - Throws: `.contentNotHere`, `.notADocument`, `.notFound`, `.damaged`, `.unreadableContent`.
    public func links(of reference: FileReference) throws -> [NoteLink] {
        let file = try info(reference)
        let isDocument =
            try file.type == .document
            || file.type == .link
                && list(reference, recursive: false).contains {
                    $0.path == file.path && $0.type == .document
                }
        guard isDocument else { throw LockbookError.notADocument(path: reference.text) }
        let notes = try marks(in: itemsByTree(reference), .all)
        if let failure = notes.unread.first { throw failure.reason }
        guard let note = notes.found.first else { return [] }
        let places = try LinkPlaces(itemsByTree(.path("/")).items)
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
        let name = (target.steps.last ?? "").lowercased()
        let searched = try itemsByTree(.path("/"))
        let notes = try marks(
            in: searched,
            .links { marks in marks.links.contains { $0.mayMean(name) } }
        )
        guard !notes.found.isEmpty else { return NoteFindings(found: [], unread: notes.unread) }
        let places = LinkPlaces(searched.items)
        let paths = Set(
            notes.found.filter { note in
                note.marks.links.contains {
                    $0.mayMean(name) && places.find($0, from: note.item.path)?.path == target
                }
            }.map(\.item.path)
        )
        return NoteFindings(found: try files(paths), unread: notes.unread)
    }

    /// Of files in more folders than these all is listed at once.
    private static var mostListedFolders: Int { 32 }

    /// What is told of these files, in the order of paths.
    private func files(_ paths: Set<String>) throws -> [FileInfo] {
        let folders = Set(paths.map { String($0[...].dropLastNames(1)) })
        if folders.count <= Self.mostListedFolders {
            do {
                return try folders.flatMap { try list(.path($0 + "/"), recursive: false) }
                    .filter { paths.contains($0.path) }
                    .sorted { $0.path.steps.lexicographicallyPrecedes($1.path.steps) }
            } catch is LockbookError {
                // Such a folder may have been moved a moment ago.
            }
        }
        return try list(.path("/"), recursive: true).filter { paths.contains($0.path) }
    }
}

extension String {
    /// Whether this is a tag, or one below it, however the two spell their accents.
    ///
    /// Slashes are bytes: as a character, one may be a part of what combines with it.
    fileprivate func isTag(in tag: String) -> Bool {
        let ends = utf8.indices.filter { utf8[$0] == UInt8(ascii: "/") } + [endIndex]
        return ends.contains { self[..<$0] == tag }
    }
}
