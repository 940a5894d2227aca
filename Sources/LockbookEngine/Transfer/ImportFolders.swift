import LockbookModel

/// What became of one file of an import.
enum ImportOutcome {
    case folder, created, updated, unchanged
}

/// Remembers the folders of one batch, so that each is looked up once.
struct ImportFolders {
    let tree: LocalTree
    private var known: [[FileName]: FileRow] = [:]

    init(tree: LocalTree) {
        self.tree = tree
    }

    mutating func take(
        _ path: [FileName],
        bytes: [UInt8]?,
        modified: Timestamp,
        isExecutable: Bool
    ) throws -> ImportOutcome {
        guard let bytes else {
            _ = try folder(path)
            return .folder
        }
        guard let name = path.last else { throw LockbookError.root }
        let parent = try folder(Array(path.dropLast()))
        var file: File
        let outcome: ImportOutcome
        if let row = try tree.child(name, of: parent) {
            guard row.type == .document else {
                throw LockbookError.exists(path: Self.text(path))
            }
            file = try tree.file(row)
            outcome = .updated
        } else {
            file = try tree.newFile(name, type: .document, in: parent)
            outcome = .created
        }
        let version = file.content?.version
        let wasExecutable = file.isExecutable
        file = try tree.replaceContent(of: file, with: bytes)
        if outcome == .updated, file.content?.version == version, wasExecutable == isExecutable {
            return .unchanged
        }
        file.modified = modified
        file.isExecutable = isExecutable
        try tree.put(file)
        return outcome
    }

    private mutating func folder(_ path: [FileName]) throws -> FileRow {
        if let row = known[path] { return row }
        guard let name = path.last else { return try tree.rootRow() }
        let parent = try folder(Array(path.dropLast()))
        let row: FileRow
        if let child = try tree.child(name, of: parent) {
            guard child.type == .folder else {
                throw LockbookError.notAFolder(path: Self.text(path))
            }
            row = child
        } else {
            row = try tree.make(try tree.newFile(name, type: .folder, in: parent))
        }
        known[path] = row
        return row
    }

    private static func text(_ path: [FileName]) -> String {
        "/" + path.map(\.text).joined(separator: "/")
    }
}
