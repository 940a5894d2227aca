import LockbookModel

/// One file that an export writes, as it was when the export began.
struct ExportItem: Sendable {
    let entry: DirectoryEntry
    /// In the lockbook, for reports.
    let path: String
    /// Below the target, from the top.
    let components: [FileName]

    var id: FileID { entry.id }
    var type: FileType { entry.type }
    var size: UInt64 { entry.size }
    var modified: Timestamp { entry.modified }
    var isDamaged: Bool { entry.isDamaged }
    var isExecutable: Bool { entry.isExecutable }
    var version: VersionID? { entry.content?.version }

    /// Too large for a batch: its content streams.
    var isLarge: Bool { size > UInt64(ContentWriter.inMemoryByteCount) }

    var relativePath: String { components.map(\.text).joined(separator: "/") }
}

struct ExportPlan {
    let root: FileInfo.Kind
    /// The name under which the whole is put into an existing folder; nil for the root's contents.
    let name: FileName?
    let items: [ExportItem]
}

extension LocalTree {
    /// Everything below a file, folders before what stands in them, from the directory index alone.
    func exportPlan(_ reference: FileReference) throws -> ExportPlan {
        let row = try find(reference)
        let path = try path(of: row)
        let name = row.id == root ? nil : try name(of: row)
        var items: [ExportItem] = []
        if row.type == .document {
            items.append(ExportItem(entry: try entry(row), path: path, components: []))
        } else {
            var folders: [(id: FileID, path: String, components: [FileName])] = [
                (row.id, path == "/" ? "" : path, [])
            ]
            while let folder = folders.popLast() {
                let entries = try entries(of: folder.id).sorted { $0.name.text < $1.name.text }
                for entry in entries where entry.type != .link {
                    let path = folder.path + "/" + entry.name.text
                    let components = folder.components + [entry.name]
                    items.append(ExportItem(entry: entry, path: path, components: components))
                    if entry.type == .folder { folders.append((entry.id, path, components)) }
                }
            }
        }
        return ExportPlan(root: FileInfo.Kind(row.type), name: name, items: items)
    }

    /// The content of an item as it was when the export began.
    func openContent(of item: ExportItem) throws -> OpenedContent {
        try open(item.entry.content, of: item.id, path: item.path)
    }
}
