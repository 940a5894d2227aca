import LockbookCrypto
import LockbookModel

/// Which versions of notes exports wrote to the disk, for an import that comes by their files.
final class ExportedVersions {
    private static let slash = UInt8(ascii: "/")

    private let tree: LocalTree
    private let former: FormerOwners
    /// What was written into folders of the disk, by their paths, and by the names of files there.
    private var known: [[UInt8]: PathMap<[Copy]>] = [:]
    /// What is in folders of places of the disk, and was exported with which file, by the places' paths.
    private var exported: [[UInt8]: PathMap<[(top: ExportedID, folder: ExportedID)]>] = [:]

    /// What an export wrote to a file of the disk.
    private struct Copy {
        let file: ExportedFile
        /// Of which note, or of what in which folder.
        let source: ExportedID
        let isOfNote: Bool
        /// What was exported, to which place of the disk, and where below that the folder stands.
        let top: ExportedID
        let place: [UInt8]
        let path: String
    }

    init(_ tree: LocalTree) {
        self.tree = tree
        former = FormerOwners(tree)
    }

    /// Whether a file was exported from a note as this is now; nil where no export of it wrote one.
    func isCopy(_ mark: ImportedMark?, of note: File) throws -> Bool? {
        let copies = try copies(mark).filter { try isSource(note, of: $0) }
        guard !copies.isEmpty else { return nil }
        return try copies.contains { try hasWords(of: $0, note) }
    }

    /// Whether a file is known to have been exported from this very note, as this is now.
    ///
    /// Or from the one that the note's new owner made it of.
    func isKnown(_ mark: ImportedMark?, of note: File) throws -> Bool {
        try copies(mark).contains { copy in
            try isSource(note, of: copy, isSure: true) && hasWords(of: copy, note)
        }
    }

    private func hasWords(of copy: Copy, _ note: File) throws -> Bool {
        // What a new owner made anew has a blob of its own.
        try copy.file.blob == note.content?.blobPrefix
            || copy.file.digest.map { try tree.holds($0, note) } ?? false
    }

    /// Whether a file looks as when an export wrote it of what another account shares, which neither
    /// owns this tree nor is continued in it.
    /// - Parameter path: where the file would go in this tree.
    func isElsewhere(_ mark: ImportedMark?, at path: String) throws -> Bool {
        guard let mark, tree.isForeign else { return false }
        let path = try LocalTree.names(of: path)
        let copies = try copies(mark).filter { $0.file.stamp == mark.stamp.disk }
        let isElsewhere = try copies.allSatisfy { copy in
            guard let owner = copy.source.owner else { return false }
            return try owner != tree.owner && owner != tree.author
                && !former.include(owner, at: path)
        }
        return !copies.isEmpty && isElsewhere
    }

    /// Whether a note, or what its new owner made it of, is what an export wrote.
    ///
    /// Nothing is taken in because of that alone: the note has to have the very bytes that were written.
    /// - Parameter isSure: whether exports have to know that it was in what was given away.
    private func isSource(_ note: File, of copy: Copy, isSure: Bool = false) throws -> Bool {
        let file = ExportedID(copy.isOfNote ? note.id : note.parent, of: tree.owner)
        if copy.source.isSame(as: file) { return true }
        guard let owner = copy.source.owner else { return false }
        let given = try former.given(at: LocalTree.names(of: tree.path(of: note.id)))
            .filter { $0.owner == owner }
        guard isSure, !given.isEmpty else { return !given.isEmpty }
        let known = try sources(above: copy)
        return given.contains { given in
            known.contains { $0.isSame(as: ExportedID(given.file, of: given.owner)) }
        }
    }

    /// What a file was exported with: itself or its folder, and what that was in.
    private func sources(above copy: Copy) throws -> [ExportedID] {
        var sources = [copy.source]
        var path = copy.path
        while true {
            sources += try folders(at: copy.place, below: path)
                .filter { $0.top.isSame(as: copy.top) }.map(\.folder)
            if path.isEmpty { return sources }
            path = path.folderAndName.folder
        }
    }

    /// What stands in a folder of a place, and was exported with which file: asked for every file there.
    private func folders(at place: [UInt8], below path: String) throws
        -> [(top: ExportedID, folder: ExportedID)]
    {
        if let folders = exported[place]?[path] { return folders }
        let folders = try rows(at: place, below: path).map { (top: $0.source, folder: $0.id) }
        exported[place, default: [:]][path] = folders
        return folders
    }

    /// What exports wrote to a file, with its folder or alone.
    private func copies(_ mark: ImportedMark?) throws -> [Copy] {
        guard let mark else { return [] }
        let place = mark.folder + [Self.slash] + Array(mark.name.utf8)
        let alone = try rows(at: place, below: "").flatMap { row in
            row.files.all.filter(\.name.isEmpty).map {
                Copy(
                    file: $0,
                    source: row.id,
                    isOfNote: true,
                    top: row.source,
                    place: place,
                    path: ""
                )
            }
        }
        return try alone + (copies(in: mark.folder)[mark.name] ?? [])
    }

    private func copies(in folder: [UInt8]) throws -> PathMap<[Copy]> {
        if let copies = known[folder] { return copies }
        var copies: PathMap<[Copy]> = [:]
        for (place, row) in try rows(of: folder) {
            var targets: PathMap<ExportedID> = [:]
            for link in row.linked { targets[link.name] = link.id }
            for file in row.files.all {
                let target = targets[file.name]
                copies[file.name, default: []].append(
                    Copy(
                        file: file,
                        source: target ?? row.id,
                        isOfNote: target != nil,
                        top: row.source,
                        place: place,
                        path: row.path
                    )
                )
            }
        }
        known[folder] = copies
        return copies
    }

    /// The files that exports wrote into a folder of the disk, and the folders that they know there.
    func names(in folder: [UInt8]) throws -> PathSet {
        var names: PathSet = []
        for (_, row) in try rows(of: folder) {
            names.formUnion(PathSet(row.files.all.map(\.name)))
            names.formUnion(PathSet((row.folders + row.linked).map(\.name)))
        }
        return names
    }

    /// What exports wrote into a folder of the disk, to whatever place.
    private func rows(of folder: [UInt8]) throws -> [(place: [UInt8], row: ExportedFolder)] {
        try Self.places(of: folder).flatMap { place, below in
            try rows(at: place, below: below).map { (place: place, row: $0) }
        }
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
