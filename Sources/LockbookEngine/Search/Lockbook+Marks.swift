import LockbookModel

/// What is asked of the tags and links of notes.
struct MarkQuestion: Sendable {
    /// One of these stands in every text that can have it; none where any text can.
    private let signs: [LiteralMatcher]
    private let kind: NoteMarks.Kind
    private let isMet: @Sendable (NoteMarks) -> Bool

    private init(
        _ signs: [String],
        _ kind: NoteMarks.Kind,
        _ isMet: @escaping @Sendable (NoteMarks) -> Bool
    ) {
        self.signs = signs.map { LiteralMatcher($0, ignoresCase: false) }
        self.kind = kind
        self.isMet = isMet
    }

    /// Whatever a text holds.
    static var all: MarkQuestion { MarkQuestion([], .all) { _ in true } }

    static func tags(_ isMet: @escaping @Sendable (NoteMarks) -> Bool) -> MarkQuestion {
        MarkQuestion(["#"] + FrontMatter.tagKeys, .tags, isMet)
    }

    static func links(_ isMet: @escaping @Sendable (NoteMarks) -> Bool) -> MarkQuestion {
        MarkQuestion(["["], .links, isMet)
    }

    /// The marks that are asked for, of a text that has them; nil for what has not, or is no text.
    func marks(in bytes: [UInt8]) -> NoteMarks? {
        let canBe = bytes.withUnsafeBytes { text in
            !text.hasZero
                && (signs.isEmpty || signs.contains { $0.nextLine(in: text, from: 0) != nil })
        }
        guard canBe else { return nil }
        let marks = bytes.withUnsafeBufferPointer { NoteMarks($0, kind) }
        // Most have none: whether it is a text need not be asked of those.
        guard isMet(marks), String(validating: bytes, as: UTF8.self) != nil else { return nil }
        return marks
    }
}

/// A note that has what is asked for.
struct MarkedNote: Sendable {
    var item: SearchItem
    var marks: NoteMarks
}

/// The files that are asked about, by the trees that they stand in.
struct SearchedTrees {
    /// With the link behind which one is, where that is another account's.
    var trees: [(lockbook: Lockbook, items: [SearchItem], link: String?)] = []
    /// Links behind which cannot be looked.
    var unread: [(path: String, reason: LockbookError)]

    var items: [SearchItem] { trees.flatMap(\.items) }
}

/// Notes whose texts are looked through, on other cores while this thread reads the next ones.
private struct MarkBatch {
    private struct Part: Sendable {
        let item: SearchItem
        let content: SearchContent
    }

    private let items: ArraySlice<SearchItem>
    private let map: ConcurrentMap<Part, Result<NoteMarks?, LockbookError>>

    /// - Parameter contents: one for each item.
    init(
        _ items: ArraySlice<SearchItem>,
        _ contents: [SearchContent],
        _ question: MarkQuestion
    ) {
        self.items = items
        let parts = zip(items, contents).map { Part(item: $0, content: $1) }
        map = ConcurrentMap.begun(parts) { part in
            try Result<NoteMarks?, LockbookError>(part.content, question, path: part.item.path)
        }
    }

    func add(to all: inout NoteFindings<MarkedNote>) throws {
        for (item, result) in zip(items, try map.outputs()) {
            switch result {
            case .success(let marks?): all.found.append(MarkedNote(item: item, marks: marks))
            case .success(nil): break
            case .failure(let error): all.unread.append((item.path, error))
            }
        }
    }
}

extension Lockbook {
    /// Larger ones are no notes that somebody wrote.
    private static var largestNote: UInt64 { 4 << 20 }

    /// The texts of these in which is what is asked for.
    func marks(
        in searched: SearchedTrees,
        _ question: MarkQuestion
    ) throws -> NoteFindings<MarkedNote> {
        var all = NoteFindings<MarkedNote>(found: [], unread: searched.unread)
        for (lockbook, items, link) in searched.trees {
            let notes = items.filter {
                $0.entry.type == .document && $0.entry.size <= Self.largestNote
            }
            do {
                try lockbook.addMarks(of: notes, question, to: &all)
            } catch let error as LockbookError {
                guard let link else { throw error }
                all.unread.append((link, error))
            }
        }
        return all
    }

    private func addMarks(
        of items: [SearchItem],
        _ question: MarkQuestion,
        to all: inout NoteFindings<MarkedNote>
    ) throws {
        var begun: MarkBatch?
        for batch in SearchItem.batches(of: items) {
            // Where few files may be open, those of one batch are closed before the next is opened.
            if !OpenFiles.allowThreads {
                try begun?.add(to: &all)
                begun = nil
            }
            let contents = try store.read { tree in
                try batch.map { try tree.searchContent(of: $0) }
            }
            try begun?.add(to: &all)
            begun = MarkBatch(batch, contents, question)
        }
        try begun?.add(to: &all)
    }

    /// What is at and below a file: in this account's own tree, and behind each link there, under the
    /// paths that it has here.
    func itemsByTree(_ reference: FileReference) throws -> SearchedTrees {
        let places = try searchPlaces([reference])
        if let failure = places.failures.first { throw failure }
        var searched = SearchedTrees(unread: places.unread)
        for reference in places.here {
            let items = try store.read { try $0.searchItems(reference) }
            searched.trees.append((self, items, nil))
        }
        for place in places.behind {
            do {
                let items = try place.lockbook.store.read { tree in
                    try tree.searchItems(place.reference).map {
                        SearchItem(entry: $0.entry, path: place.own($0.path))
                    }
                }
                searched.trees.append((place.lockbook, items, place.link))
            } catch let error as LockbookError {
                searched.unread.append((place.link, error.renamed(place.own)))
            }
        }
        return searched
    }
}

extension Result where Success == NoteMarks?, Failure == LockbookError {
    fileprivate init(_ content: SearchContent, _ question: MarkQuestion, path: String) throws {
        switch content {
        case .nothing, .opened(.empty): self = .success(nil)
        case .failed(let error): self = .failure(error)
        case .opened(.absent): self = .failure(.contentNotHere(path: path))
        case .opened(.here(let reader)):
            do {
                let bytes = try reader.unproved()
                let marks = question.marks(in: bytes)
                // As in a search: most of the digests would be of what nothing is found in.
                if marks != nil { try reader.prove(bytes) }
                self = .success(marks)
            } catch let error as LockbookError where error.concernsOneFile {
                self = .failure(error)
            }
        }
    }
}
