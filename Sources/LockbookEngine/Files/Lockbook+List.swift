import GRDB
import LockbookCrypto
import LockbookModel

extension Lockbook {
    /// One file.
    public func info(_ reference: FileReference) throws -> FileInfo {
        try across(reference) {
            try store.read { tree in
                let row = try tree.find(reference)
                return try tree.info(row, path: try tree.path(of: row))
            }
        } there: { place in
            place.own(try place.lockbook.info(place.reference))
        }
    }

    /// The children of a folder, sorted by name, or a document itself.
    /// - Parameters:
    ///   - recursive: with everything below, each folder before its children.
    ///   - marks: whether to find out which files are changed, here and shared: of many files that takes most
    ///     of the time. Without it `isChanged`, `isHere` and `isShared` say nothing.
    ///   - unread: gets the links behind which cannot be looked, and why.
    ///
    /// Goes through links to what others share.
    public func list(
        _ reference: FileReference,
        recursive: Bool,
        marks: Bool = true,
        unread: ((path: String, reason: LockbookError)) -> Void = { _ in }
    ) throws -> [FileInfo] {
        try across(reference) {
            let files = try store.read { tree in
                try tree.list(reference, recursive: recursive) {
                    guard marks else { return .unknown }
                    return try recursive ? tree.states() : tree.states(in: $0)
                }
            }
            return recursive ? try expandingLinks(in: files, marks: marks, unread) : files
        } there: { place in
            try place.lockbook.list(place.reference, recursive: recursive, marks: marks)
                .map(place.own)
        }
    }

    /// Files with all below them, each as `list` has it, in one transaction.
    func list(each references: [FileReference], marks: Bool = true) throws
        -> [Result<[FileInfo], LockbookError>]
    {
        try store.read { tree in
            var states = marks ? nil : ListedStates.unknown
            return try references.map { reference -> Result<[FileInfo], LockbookError> in
                do {
                    return .success(
                        try tree.list(reference, recursive: true) { _ in
                            let known = try states ?? tree.states()
                            states = known
                            return known
                        }
                    )
                } catch let error as LockbookError {
                    return .failure(error)
                }
            }
        }
    }

    /// How many files stand below a folder; 0 for a document.
    public func childCount(_ reference: FileReference) throws -> Int {
        try across(reference) {
            try store.read { try $0.childCount(reference) }
        } there: { place in
            try place.lockbook.childCount(place.reference)
        }
    }
}

/// What a list says of files that does not stand in their folders.
private struct ListedStates {
    let absent: Set<FileID>
    let changed: Set<FileID>
    let shared: Set<FileID>

    static let unknown = ListedStates(absent: [], changed: [], shared: [])
}

extension LocalTree {
    /// - Parameter states: those of what stands in a folder, and where it is gone through, of all below.
    fileprivate func list(
        _ reference: FileReference,
        recursive: Bool,
        _ states: (FileID) throws -> ListedStates
    ) throws -> [FileInfo] {
        let row = try find(reference)
        if let crossing = try crossing(row) { throw crossing }
        let path = try path(of: row)
        guard row.type == .folder else { return [try info(row, path: path)] }
        let states = try states(row.id)
        var found: [FileInfo] = []
        // The folders on the way to the next file, and how far each was gone through.
        var open = [(entries: try sortedEntries(of: row.id), next: 0, prefix: path)]
        if path != "/" { open[0].prefix += "/" }
        while let last = open.indices.last {
            guard open[last].next < open[last].entries.count else {
                open.removeLast()
                continue
            }
            let entry = open[last].entries[open[last].next]
            open[last].next += 1
            let path = open[last].prefix + entry.name.text
            var info = FileInfo(
                entry,
                path: path,
                isHere: !states.absent.contains(entry.id),
                isChanged: states.changed.contains(entry.id)
            )
            if states.shared.contains(entry.id) { info.isShared = true }
            found.append(info)
            if recursive, entry.type == .folder {
                open.append((try sortedEntries(of: entry.id), 0, path + "/"))
            }
        }
        return found
    }

    /// Of all files.
    fileprivate func states() throws -> ListedStates {
        ListedStates(
            absent: try absentFiles(),
            changed: try changedIDs(),
            shared: try sharedIDs()
        )
    }

    /// Of those in one folder.
    fileprivate func states(in folder: FileID) throws -> ListedStates {
        ListedStates(
            absent: try absentChildren(of: folder),
            changed: try changedChildren(of: folder),
            shared: try sharedIDs()
        )
    }

    /// How many files stand below one.
    func childCount(_ reference: FileReference) throws -> Int {
        let row = try find(reference)
        var count = 0
        try walk(below: row) { _ in count += 1 }
        return count
    }

    func info(_ row: FileRow, path: String) throws -> FileInfo {
        let isHere = try !isAbsent(row.id)
        let entry = try entry(row)
        return FileInfo(entry, path: path, isHere: isHere, isChanged: row.isChanged)
    }

    /// What the index of its folder has of a file, or would have.
    func entry(_ row: FileRow) throws -> DirectoryEntry {
        if var found = try entries(of: row.parent, block: row.block).first(where: {
            $0.id == row.id
        }) {
            if row.isDamaged { found.name = try name(of: row) }
            return found
        }
        let file = row.isDamaged ? nil : try file(row)
        return DirectoryEntry(
            id: row.id,
            type: row.type,
            name: try name(of: row),
            content: file?.content,
            modified: file?.modified ?? Timestamp(milliseconds: 0),
            isExecutable: file?.isExecutable ?? false,
            isDamaged: row.isDamaged
        )
    }

    fileprivate func sortedEntries(of folder: FileID) throws -> [DirectoryEntry] {
        try shownEntries(of: folder, contents: false).sorted { $0.name.text < $1.name.text }
    }

    func changedIDs() throws -> Set<FileID> {
        Set(try changedRowIDs())
    }

    /// Those in one folder: of a large import before its first sync everything is changed.
    fileprivate func changedChildren(of folder: FileID) throws -> Set<FileID> {
        try children(
            of: folder,
            "SELECT id FROM file WHERE parent = ? AND deleted = 0 AND local IS NOT NULL"
        )
    }

    fileprivate func absentChildren(of folder: FileID) throws -> Set<FileID> {
        try children(
            of: folder,
            """
            SELECT id FROM file JOIN absent ON absent.file = id
            WHERE parent = ? AND deleted = 0
            """
        )
    }

    private func children(of folder: FileID, _ query: String) throws -> Set<FileID> {
        Set(try db.cachedStatement(sql: query).fileIDs([folder.bytes.data]))
    }

    /// Visits everything below a folder, each folder before its children.
    /// - Parameter contents: whether they have them, or the size alone.
    func walk(
        below row: FileRow,
        contents: Bool = false,
        _ visit: (DirectoryEntry) throws -> Void
    ) throws {
        guard row.type == .folder else { return }
        var folders = [row.id]
        while let folder = folders.popLast() {
            for entry in try entries(of: folder, contents: contents) {
                try visit(entry)
                if entry.type == .folder { folders.append(entry.id) }
            }
        }
    }
}

extension FileInfo {
    init(_ entry: DirectoryEntry, path: String, isHere: Bool, isChanged: Bool) {
        self.init(
            id: entry.id.description,
            path: path,
            name: path == "/" ? "/" : entry.name.text,
            type: Kind(entry.type),
            size: entry.size,
            modified: entry.modified.milliseconds,
            isHere: isHere,
            isChanged: isChanged,
            isDamaged: entry.isDamaged,
            isExecutable: entry.isExecutable
        )
    }
}

extension FileInfo.Kind {
    init(_ type: FileType) {
        switch type {
        case .document: self = .document
        case .folder: self = .folder
        case .link: self = .link
        }
    }
}
