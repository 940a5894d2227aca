import LockbookCrypto
import LockbookModel

/// What a link leads to, as it was when the export began.
struct LinkedFile {
    typealias Found = (lockbook: Lockbook, entry: DirectoryEntry)

    /// Of the link.
    let name: FileName
    let id: ExportedID
    /// Nil for what is not here.
    let found: Found?

    init(_ link: LinkBelow) throws {
        let target = link.link.target
        name = try LocalTree.name(link.steps.last ?? "")
        id = ExportedID(target.file, of: target.owner)
        found = try link.place.flatMap { try Self.find(target.file, in: $0.lockbook) }
    }

    private static func find(_ file: FileID, in lockbook: Lockbook) throws -> Found? {
        try lockbook.store.read { tree in
            guard let row = try tree.row(file), try !tree.isDead(row) else { return nil }
            return (lockbook: lockbook, entry: try tree.entry(row))
        }
    }

    /// By what a document is known again; nothing for a folder, which has an index of its own.
    var stamp: [UInt8] {
        guard let entry = found?.entry, entry.type == .document else { return [] }
        var encoder = CanonicalEncoder()
        encoder.append(counted: name.text.utf8)
        encoder.append(fixed: entry.id.bytes)
        encoder.append(counted: entry.content?.blobPrefix.bytes ?? [])
        encoder.append(entry.isExecutable)
        encoder.append(entry.isDamaged)
        return encoder.bytes
    }
}
