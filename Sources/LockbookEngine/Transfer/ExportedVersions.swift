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
        /// What was exported to on the disk, and where the folder is below that.
        let place: [UInt8]
        let path: String
        /// By the names of links what they led to.
        let linked: PathMap<FileID>
        let files: PathMap<ExportedFile>
    }

    init(_ tree: LocalTree) {
        self.tree = tree
    }

    /// Whether a file was exported from a note as this is now; nil where no export of it wrote one.
    func isCopy(_ mark: ImportedMark?, of note: File) throws -> Bool? {
        guard let mark else { return nil }
        let files = try folders(mark.folder).compactMap { folder -> ExportedFile? in
            guard let file = folder.files[mark.name] else { return nil }
            return try has(folder, note, as: mark.name) ? file : nil
        }
        let alone = try rows(at: mark.folder + [Self.slash] + Array(mark.name.utf8), below: "")
            .filter { try continues(note.id, $0.source) }.flatMap(\.files.all)
        let exported = files + alone
        guard !exported.isEmpty else { return nil }
        // What a new owner made anew has a blob of its own.
        return try exported.contains { file in
            try file.blob == note.content?.blobPrefix
                || file.digest.map { try tree.holds($0, note) } ?? false
        }
    }

    /// Whether a file looks as when an export wrote it of what another account shares, which neither
    /// owns this tree nor is continued in it.
    /// - Parameter path: where the file would go in this tree.
    func isElsewhere(_ mark: ImportedMark?, at path: String) throws -> Bool {
        guard let mark, tree.isForeign else { return false }
        let above = Array(try LocalTree.names(of: path).dropLast())
        let here = try tree.find(path: "/" + above.map(\.text).joined(separator: "/"))
        var isElsewhere = false
        for folder in try folders(mark.folder)
        where folder.files[mark.name]?.stamp == mark.stamp.disk {
            let source = folder.linked[mark.name] ?? folder.id
            let isKept =
                try tree.row(source) != nil || tree.ofDisk { try $0.row(source) != nil }
                || here.map { try continues($0.id, folder.id) } ?? false
                || isContinued(folder, at: above)
            if isKept { return false }
            isElsewhere = true
        }
        return isElsewhere
    }

    /// Whether a note, or what its new owner made it of, was exported to a name in a folder.
    private func has(_ folder: Folder, _ note: File, as name: String) throws -> Bool {
        if let target = folder.linked[name] { return try continues(note.id, target) }
        return try continues(note.parent, folder.id)
            || isContinued(folder, at: LocalTree.names(of: tree.path(of: note.parent)))
            || isGivenAway(note, from: folder)
    }

    /// Whether a file is another one, or was made anew of it by a new owner.
    private func continues(_ file: FileID, _ former: FileID) throws -> Bool {
        if file == former { return true }
        guard let row = try tree.row(file), let mark = try tree.openMark(of: row) else {
            return false
        }
        // Whoever writes there says what something is a copy of. Nothing is taken because of that
        // alone: the note has to have the very bytes that were exported.
        let sources = mark.sources(of: LinkTarget(owner: tree.owner, file: file))
        return mark.origin?.file == former || sources.contains { $0.offer.source.file == former }
    }

    /// Whether the folder at a path of this tree stands at the same path below one that continues
    /// what was exported: what is below a share tells only of the last owner.
    private func isContinued(_ folder: Folder, at path: [FileName]) throws -> Bool {
        var steps = folder.path.steps
        var path = path
        while let step = steps.popLast(), let name = path.popLast() {
            guard name.text.utf8.elementsEqual(step.utf8) else { return false }
            let above = "/" + path.map(\.text).joined(separator: "/")
            guard let here = try tree.find(path: above)?.id else { continue }
            let exported = try rows(at: folder.place, below: steps.joined(separator: "/"))
            // In a folder that is the same one still, the ones below it were made anew.
            if try exported.contains(where: { try $0.id != here && continues(here, $0.id) }) {
                return true
            }
        }
        return false
    }

    /// Whether a document was this account's own when it was exported, and given away by itself.
    private func isGivenAway(_ note: File, from folder: Folder) throws -> Bool {
        guard tree.isForeign, let row = try tree.row(note.id),
            let sources = try tree.openMark(of: row)?
                .sources(of: LinkTarget(owner: tree.owner, file: note.id)),
            sources.contains(where: { $0.offer.source.owner == tree.author })
        else { return false }
        return try tree.ofDisk { try $0.row(folder.id) != nil }
    }

    private func folders(_ path: [UInt8]) throws -> [Folder] {
        if let folders = known[path] { return folders }
        let folders = try Self.places(of: path).flatMap { place, below in
            try rows(at: place, below: below).map { row in
                var files: PathMap<ExportedFile> = [:]
                for file in row.files.all { files[file.name] = file }
                var linked: PathMap<FileID> = [:]
                for child in row.linked { linked[child.name] = child.id }
                return Folder(
                    id: row.id,
                    place: place,
                    path: row.path,
                    linked: linked,
                    files: files
                )
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
