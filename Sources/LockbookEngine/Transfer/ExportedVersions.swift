import LockbookCrypto
import LockbookModel

/// Which versions of notes exports wrote to the disk, for an import that comes by their files.
final class ExportedVersions {
    private static let slash = UInt8(ascii: "/")

    private let tree: LocalTree
    /// What was written into folders of the disk, by their paths.
    private var known: [[UInt8]: [Folder]] = [:]

    private struct Folder {
        let id: FileID
        /// By the names of links what they led to.
        let linked: PathMap<FileID>
        let files: PathMap<ExportedFile>

        /// Whether a note was exported to a name in it.
        func has(_ note: File, as name: String) -> Bool {
            linked[name].map { $0 == note.id } ?? (id == note.parent)
        }
    }

    init(_ tree: LocalTree) {
        self.tree = tree
    }

    /// Whether a file was exported from a note as this is now; nil where no export of it wrote one.
    func isCopy(_ mark: ImportedMark?, of note: File) throws -> Bool? {
        guard let mark else { return nil }
        let files = try folders(mark.folder).compactMap { folder in
            folder.has(note, as: mark.name) ? folder.files[mark.name] : nil
        }
        let alone = try rows(at: mark.folder + [Self.slash] + Array(mark.name.utf8), below: "")
            .filter { $0.source == note.id }.flatMap(\.files.all)
        let exported = files + alone
        guard !exported.isEmpty else { return nil }
        return exported.contains { $0.blob == note.content?.blobPrefix }
    }

    private func folders(_ path: [UInt8]) throws -> [Folder] {
        if let folders = known[path] { return folders }
        let folders = try Self.places(of: path).flatMap { place, below in
            try rows(at: place, below: below).map { row in
                var files: PathMap<ExportedFile> = [:]
                for file in row.files.all { files[file.name] = file }
                var linked: PathMap<FileID> = [:]
                for child in row.linked { linked[child.name] = child.id }
                return Folder(id: row.id, linked: linked, files: files)
            }
        }
        known[path] = folders
        return folders
    }

    private func rows(at place: [UInt8], below: String) throws -> [ExportedFolder] {
        let sealed = try tree.ofDisk { try $0.exported(at: place, folder: below) }
        let memory = try ExportMemory(opening: sealed, with: tree.account.deviceKey)
        return Array(memory.folders.values)
    }

    /// What may have been exported to, so that it went into a folder of the disk: that itself, and
    /// all above it, with the way from there.
    private static func places(of folder: [UInt8]) -> [(place: [UInt8], below: String)] {
        var places = [(place: folder, below: "")]
        for end in folder.indices.reversed() where folder[end] == slash {
            guard let below = String(validating: folder[(end + 1)...], as: UTF8.self),
                !below.isEmpty
            else { continue }
            places.append((place: end == 0 ? [slash] : Array(folder[..<end]), below: below))
        }
        return places
    }
}
