import LockbookCrypto
import LockbookModel

/// What became of one file of an import.
enum ImportOutcome {
    case folder, created, updated, unchanged
    /// The note was changed since it was made of the file, and nothing of that is taken back.
    case left
    /// A note that no import made of this file, and that is not what an export wrote there.
    case replaced
}

/// One folder or document of the disk, read.
struct ImportItem: Sendable {
    let path: ImportPath
    /// On the disk, for reports.
    let source: String
    /// Nil for a folder.
    let bytes: [UInt8]?
    let modified: Timestamp
    let isExecutable: Bool
    var mark: ImportedMark?
    /// Of a new document; nil for now.
    var created: Timestamp?
    /// The link that it goes behind, where it came by one.
    var link: SharedPlace?
    /// Where it is an item of another program.
    var foreign: ForeignMark?
}

/// Writes a batch of small documents in one transaction; the sealing in between uses all cores.
struct ImportBatch {
    private let tree: LocalTree
    private let `guard`: ImportGuard
    /// By their paths, with a slash in front.
    private var folders: PathMap<FileRow> = [:]
    // What is decided but not written yet, by index of the batch.
    private var waiting: [(index: Int, document: ImportDocument)] = []
    private var waitingNames: [FileID: Set<[UInt8]>] = [:]
    /// What the items are here, by index of the batch; nil for what could not be taken in.
    private(set) var files: [FileID?] = []
    private var results: [Result<ImportOutcome, LockbookError>?] = []

    init(tree: LocalTree, options: ImportOptions) {
        self.tree = tree
        self.guard = ImportGuard(options, in: tree)
    }

    /// - Returns: for every item what became of it; what cannot be taken in is left out.
    mutating func take(_ items: [ImportItem]) throws -> [Result<ImportOutcome, LockbookError>] {
        results = Array(repeating: nil, count: items.count)
        files = Array(repeating: nil, count: items.count)
        for (index, item) in items.enumerated() {
            do {
                try take(item, at: index)
            } catch let error as LockbookError {
                guard error.concernsOneFile else { throw error }
                results[index] = .failure(error)
            }
        }
        try write()
        return results.map { $0 ?? .success(.unchanged) }
    }

    private mutating func take(_ item: ImportItem, at index: Int) throws {
        guard let bytes = item.bytes else {
            let known = try item.foreign.flatMap { try tree.standing($0) }
            let isThere = known?.type == .folder && known?.isDamaged == false
            files[index] = try (isThere ? known : nil)?.id ?? folder(item.path.text).id
            results[index] = .success(.folder)
            return
        }
        let place = try place(of: item)
        let parent = place.parent
        // A second source of the same name has to see the first.
        if !waitingNames[parent.id, default: []].insert(place.name.normalized).inserted {
            try write()
            waitingNames[parent.id] = [place.name.normalized]
        }
        let (present, base, isNew) = try note(of: item, at: place)
        var file = present
        files[index] = file.id
        let changed = file.modified
        file.modified = tree.pastTime(item.modified)
        let wasExecutable = file.isExecutable
        // No other program knows what may be run.
        if isNew || item.foreign == nil { file.isExecutable = item.isExecutable }
        let document = ImportDocument(
            file: file,
            base: base,
            isNew: isNew,
            isTouched: isNew || wasExecutable != file.isExecutable,
            changed: changed,
            time: item.modified,
            mark: item.mark,
            foreign: item.foreign,
            path: place.path,
            bytes: bytes,
            folder: try tree.folderKeys(of: parent),
            owner: tree.owner,
            random: tree.environment.random
        )
        waiting.append((index, document))
    }

    private struct Place {
        let parent: FileRow
        let name: FileName
        /// As it is told.
        let path: String
        /// The note of another program's item, wherever somebody moved it.
        let known: FileRow?
    }

    /// Where a document goes; its folder is made.
    private mutating func place(of item: ImportItem) throws -> Place {
        guard let name = item.path.name else { throw LockbookError.root }
        let path = item.path.shown
        // Before its folder is made, whose name may be nobody else's business either.
        try `guard`.checkOwner(of: item.mark, at: path)
        let known = try item.foreign.flatMap { try tree.standing($0) }
        if let known, let parent = try tree.row(known.parent) {
            return Place(
                parent: parent,
                name: try tree.name(of: known),
                path: try tree.path(of: known),
                known: known
            )
        }
        let parent = try folder(item.path.folder)
        return Place(parent: parent, name: name, path: path, known: known)
    }

    /// The note that a document belongs to, as it is, or one that is to be made.
    private func note(of item: ImportItem, at place: Place) throws
        -> (file: File, base: File?, isNew: Bool)
    {
        if let row = try place.known ?? tree.child(place.name, of: place.parent) {
            guard row.type == .document else { throw LockbookError.exists(path: place.path) }
            guard !row.isDamaged else { throw LockbookError.damaged(file: place.path, author: "") }
            return (try tree.file(row), try tree.base(row), false)
        }
        var file = try tree.newFile(place.name, type: .document, in: place.parent)
        // New documents do not go the way of other changes, which asks each time.
        guard try tree.mayWrite(in: file.scope) else {
            throw LockbookError.readOnly(path: try tree.path(of: place.parent))
        }
        if let created = item.created { file.created = tree.pastTime(created) }
        return (file, nil, true)
    }

    /// Seals what waits, and writes it.
    private mutating func write() throws {
        let work = waiting
        waiting = []
        waitingNames = [:]
        let sealed = try concurrentMap(work.map(\.document)) { try $0.sealed() }
        for ((index, document), sealed) in zip(work, sealed) {
            do {
                results[index] = .success(try write(document, sealed))
            } catch let error as LockbookError where error.concernsOneFile {
                results[index] = .failure(error)
            }
        }
    }

    private func write(_ document: ImportDocument, _ sealed: SealedDocument) throws -> ImportOutcome
    {
        let isSame = sealed.content?.identity == document.file.content?.identity
        if !isSame, try !replaces(document) { return .left }
        if isSame, !document.isTouched { return .unchanged }
        // The others of the batch may go where more is allowed.
        guard try tree.mayWrite(in: document.file.scope) else {
            throw LockbookError.readOnly(path: document.path)
        }
        if let blob = sealed.blob, let content = sealed.content {
            try tree.keepBlob(blob, name: content.blob)
        }
        if let record = sealed.record {
            var file = document.file
            file.content = sealed.content
            try tree.insert(file, key: record.key, record: record.record)
            return .created
        }
        var file = document.file
        let modified = file.modified
        file = try file.replacing(sealed.content, in: tree)
        file.modified = modified
        try tree.put(file)
        if document.isNew { return .created }
        return try isSame || isKnown(document) ? .updated : .replaced
    }

    /// Whether the note is known to be made of what takes its place.
    private func isKnown(_ document: ImportDocument) throws -> Bool {
        guard let item = document.foreign else {
            return try `guard`.isKnown(document.mark, of: document.file)
        }
        return item.isKnown(of: document.file.id)
    }

    private func replaces(_ document: ImportDocument) throws -> Bool {
        guard !document.isNew else { return true }
        var note = document.file
        note.modified = document.changed
        if let item = document.foreign {
            let digest = Hash256(sha256: document.bytes)
            return try `guard`.replaces(note, at: document.path, item, digest: digest)
        }
        return try `guard`.replaces(
            note,
            at: document.path,
            changed: document.time,
            document.mark,
            digest: { Hash256(sha256: document.bytes) },
            isEarlier: { try saidBefore(document) }
        )
    }

    /// Whether an earlier version that this device has of the note is what the file says.
    private func saidBefore(_ document: ImportDocument) throws -> Bool {
        guard let row = try tree.row(document.file.id) else { return false }
        let earlier = try tree.openKept(of: row).compactMap(\.file.content)
        return (earlier + [document.base?.content].compactMap(\.self)).contains { content in
            content.size == UInt64(document.bytes.count)
                && content.key.digest(document.bytes) == content.digest
        }
    }

    /// The folder at a path, made with what is missing above it.
    private mutating func folder(_ path: String) throws -> FileRow {
        // Up to one that is known, then down again: no recursion, however deep the tree.
        var missing: [(path: String, name: String)] = []
        var above = path
        while !above.isEmpty, folders[above] == nil {
            let (folder, name) = above.folderAndName
            missing.append((above, name))
            above = folder
        }
        var row = try folders[above] ?? tree.rootRow()
        for (path, name) in missing.reversed() {
            row = try folder(LocalTree.name(name), at: path, in: row)
            folders[path] = row
        }
        return row
    }

    private mutating func folder(_ name: FileName, at path: String, in parent: FileRow) throws
        -> FileRow
    {
        // A document of that name may wait to be written.
        if waitingNames[parent.id]?.contains(name.normalized) == true { try write() }
        guard let child = try tree.child(name, of: parent) else {
            return try tree.make(try tree.newFile(name, type: .folder, in: parent))
        }
        guard child.type == .folder else { throw LockbookError.notAFolder(path: path) }
        guard !child.isDamaged else { throw LockbookError.damaged(file: path, author: "") }
        return child
    }
}
