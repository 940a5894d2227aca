import LockbookModel

/// One file that a search looks at, as it was when the search began.
///
/// A class, because it goes through many hands: copies of all its fields were a tenth of a search.
final class SearchItem: Sendable {
    let entry: DirectoryEntry
    let path: String

    init(entry: DirectoryEntry, path: String) {
        self.entry = entry
        self.path = path
    }

    /// Too large to be held whole.
    var isLarge: Bool { entry.size > UInt64(SearchItem.batchBytes) }

    func isDocument(since time: Int64) -> Bool {
        entry.type == .document && entry.modified.milliseconds >= time
    }

    var file: SearchedFile {
        SearchedFile(id: entry.id.description, path: path, type: FileInfo.Kind(entry.type))
    }

    /// A batch ends with the first of these.
    private static let batchFiles = 1_600
    private static let batchBytes = 4 << 20
    /// Each of those that may be files of their own is held open, while the next batch is read.
    private static let batchOpenFiles = max(1, OpenFiles.most / 8)
    /// So that the first results are shown at once; the next batch has twice as many.
    private static let firstBatchFiles = 50

    /// Small files in batches, every large one as a batch of its own.
    static func batches(of items: [SearchItem]) -> [ArraySlice<SearchItem>] {
        var batches: [ArraySlice<SearchItem>] = []
        var start = 0
        var size: UInt64 = 0
        var limit = firstBatchFiles
        var openFiles = 0
        for (index, item) in items.enumerated() {
            let isFile = item.entry.size > UInt64(BlobFolder.rowByteCount / 2)
            let isFull =
                index - start >= limit || item.isLarge
                || size + item.entry.size > UInt64(batchBytes)
                || (isFile && openFiles >= batchOpenFiles)
            if isFull, start < index {
                batches.append(items[start..<index])
                start = index
                size = 0
                openFiles = 0
                limit = min(batchFiles, limit * 2)
            }
            size += item.entry.size
            if isFile { openFiles += 1 }
            if item.isLarge {
                batches.append(items[index...index])
                start = index + 1
                size = 0
                openFiles = 0
            }
        }
        if start < items.count { batches.append(items[start...]) }
        return batches
    }
}

/// What a search is to do with an item's content.
enum SearchContent: Sendable {
    /// There is none, or it is not asked for.
    case nothing
    case opened(OpenedContent)
    case failed(LockbookError)
}

extension LocalTree {
    /// What is meant and everything below it, in the order of paths; reads the directory index alone.
    ///
    /// A folder that is meant does not itself count.
    func searchItems(_ reference: FileReference) throws -> [SearchItem] {
        let row = try find(reference)
        let path = try path(of: row)
        guard row.type == .folder else {
            return [SearchItem(entry: try entry(row), path: path)]
        }
        var items: [SearchItem] = []
        // What is still to be visited, the next one last.
        var pending: [SearchItem] = []
        func open(_ folder: FileID, _ prefix: String) throws {
            let entries = try shownEntries(of: folder).sorted { $0.name.text < $1.name.text }
            for entry in entries.reversed() {
                pending.append(SearchItem(entry: entry, path: prefix + entry.name.text))
            }
        }
        try open(row.id, path == "/" ? "/" : path + "/")
        while let item = pending.popLast() {
            items.append(item)
            if item.entry.type == .folder { try open(item.entry.id, item.path + "/") }
        }
        return items
    }

    /// The content of an item as it was when the search began or, where that was replaced
    /// meanwhile, as it is now.
    func searchContent(of item: SearchItem) throws -> SearchContent {
        guard item.entry.type == .document else { return .nothing }
        guard !item.entry.isDamaged else {
            return .failed(.damaged(file: item.path, author: ""))
        }
        do {
            let opened = try open(
                item.entry.content,
                of: item.entry.id,
                chunkKey: item.entry.chunkKey,
                path: item.path
            )
            guard case .absent = opened else { return .opened(opened) }
            guard let row = try row(item.entry.id), try !isDead(row) else { return .nothing }
            let file = try file(row)
            guard file.content?.identity != item.entry.content?.identity else {
                return .opened(opened)
            }
            return .opened(try openContent(of: file, path: item.path))
        } catch let error as LockbookError where error.concernsOneFile {
            return .failed(error)
        }
    }
}
