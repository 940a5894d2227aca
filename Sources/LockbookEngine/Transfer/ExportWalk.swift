import LockbookCrypto
import LockbookModel

extension ExportPlan {
    /// Everything below a file, folders before what stands in them, from the directory index alone.
    ///
    /// What links lead to stands where they do, whoever owns it.
    /// - Parameters:
    ///   - links: those below the file.
    ///   - sparing: folders on disk that need no look, unless the lockbook changed them since this
    ///     was found out.
    init(
        of top: ExportTop,
        with links: [LinkBelow] = [],
        memory: ExportMemory = ExportMemory(),
        sparing: PathSet = []
    ) throws {
        var walk = try ExportWalk(of: top, with: links, memory: memory, sparing: sparing)
        try walk.run()
        self = walk.plan
    }
}

/// Goes through the trees that an export is of.
private struct ExportWalk {
    private struct Folder {
        let id: FileID
        /// In the lockbook, as the user knows it.
        let path: String
        /// Below the target.
        let onDisk: String
        /// The link that it is behind; empty for none.
        var link = ""
    }

    private(set) var plan: ExportPlan
    private let memory: ExportMemory
    private let sparing: PathSet
    /// By the folders that links stand in: what they lead to, and what of it is here.
    private var targets: PathMap<[ExportedFolder.Child]> = [:]
    private var linked: PathMap<[LinkedFile]> = [:]
    /// Folders that links lead to.
    private var behind: [(folder: Folder, lockbook: Lockbook)] = []

    init(
        of top: ExportTop,
        with links: [LinkBelow],
        memory: ExportMemory,
        sparing: PathSet
    ) throws {
        (self.memory, self.sparing) = (memory, sparing)
        plan = ExportPlan(top: top)
        plan.missing = links.filter { $0.place == nil }
        if !plan.missing.isEmpty {
            let given = try top.lockbook.store.read { try $0.transfers().map(\.file) }
            plan.kept = LinksBelow(notHere: links, given: given, in: memory)
        }
        for link in links {
            let folder = link.folder.joined(separator: "/")
            targets[folder, default: []].append(
                ExportedFolder.Child(name: link.steps.last ?? "", id: link.link.target.file)
            )
            guard let file = try LinkedFile(link) else { continue }
            linked[folder, default: []].append(file)
        }
    }

    mutating func run() throws {
        let top = plan.top
        let start = Folder(
            id: top.id,
            path: top.path == "/" ? "" : top.path,
            onDisk: ""
        )
        try walk(start, in: top.lockbook)
        for next in behind { try walk(next.folder, in: next.lockbook) }
    }

    private mutating func walk(_ start: Folder, in lockbook: Lockbook) throws {
        try lockbook.store.read { tree in
            guard let row = try tree.row(start.id), try !tree.isDead(row) else {
                // What a link leads to may be deleted meanwhile.
                guard start.onDisk.isEmpty else { return }
                throw LockbookError.notFound(path: start.path)
            }
            guard row.type != .document else {
                plan.items = [
                    ExportItem(
                        lockbook: lockbook,
                        entry: try tree.entry(row),
                        path: start.path,
                        name: "",
                        folder: ""
                    )
                ]
                return
            }
            let directories = try tree.directoryStamps()
            var folders = [start]
            while let folder = folders.popLast() {
                let stamp = self.stamp(folder, directories)
                if let below = try spared(folder, stamp) {
                    folders += below
                } else {
                    folders += try take(folder, stamp, of: tree, in: lockbook)
                }
            }
        }
    }

    /// Documents behind links change without the folder that these stand in.
    private func stamp(_ folder: Folder, _ directories: [FileID: [UInt8]]) -> [UInt8] {
        let documents = (linked[folder.onDisk] ?? []).filter { $0.entry.type == .document }
        return ExportMemory.stamp(folder.id, directories) + documents.flatMap(\.stamp)
    }

    /// - Returns: the folders in one in which nothing has to be done; nil for one to be looked at.
    private mutating func spared(_ folder: Folder, _ stamp: [UInt8]) throws -> [Folder]? {
        guard sparing.contains(folder.onDisk), let known = memory.folders[folder.onDisk],
            known.id == folder.id, known.directory == stamp
        else { return nil }
        plan.spared.insert(folder.onDisk)
        _ = takeLinked(in: folder)
        var below: [Folder] = []
        for child in known.folders {
            if let next = self.below(folder, child.id, try LocalTree.name(child.name)) {
                below.append(next)
            }
        }
        return below
    }

    /// - Returns: the folders in it.
    private mutating func take(
        _ folder: Folder,
        _ stamp: [UInt8],
        of tree: LocalTree,
        in lockbook: Lockbook
    ) throws -> [Folder] {
        let entries = try tree.shownEntries(of: folder.id).filter { $0.type != .link }
            .sorted { $0.name.text < $1.name.text }
        var documents: PathSet = []
        for entry in entries where entry.type == .document {
            guard takes(entry.id, in: folder) else { continue }
            documents.insert(entry.name.text)
            append(entry, entry.name, in: folder, of: lockbook)
        }
        let folders = entries.filter { $0.type == .folder }
        var below: [Folder] = []
        for entry in folders {
            guard let next = self.below(folder, entry.id, entry.name) else { continue }
            below.append(next)
            append(entry, entry.name, in: folder, of: lockbook)
        }
        for file in takeLinked(in: folder) {
            if file.entry.type == .document { documents.insert(file.name.text) }
            append(file.entry, file.name, in: folder, of: file.lockbook)
        }
        plan.folders[folder.onDisk] = ExportFolder(
            id: folder.id,
            path: folder.onDisk,
            directory: stamp,
            folders: folders.map { ExportedFolder.Child(name: $0.name.text, id: $0.id) },
            linked: targets[folder.onDisk] ?? [],
            documents: documents
        )
        return below
    }

    /// Notes what links in a folder lead to, to go on there later.
    /// - Returns: what of it is copied.
    private mutating func takeLinked(in folder: Folder) -> [LinkedFile] {
        var taken: [LinkedFile] = []
        for file in linked[folder.onDisk] ?? [] {
            if file.entry.type == .document {
                guard takes(file.entry.id, in: folder) else { continue }
                plan.links[Self.onDisk(file.name, in: folder)] = file.link
            } else {
                guard var next = below(folder, file.entry.id, file.name) else { continue }
                next.link = next.onDisk
                plan.links[next.onDisk] = file.link
                behind.append((next, file.lockbook))
            }
            taken.append(file)
        }
        return taken
    }

    private mutating func append(
        _ entry: DirectoryEntry,
        _ name: FileName,
        in folder: Folder,
        of lockbook: Lockbook
    ) {
        plan.items.append(
            ExportItem(
                lockbook: lockbook,
                entry: entry,
                path: "\(folder.path)/\(name.text)",
                name: name.text,
                folder: folder.onDisk
            )
        )
    }

    private mutating func takes(_ document: FileID, in folder: Folder) -> Bool {
        plan.takes(document, at: folder.onDisk, behind: folder.link)
    }

    /// - Returns: nil for one that is not copied.
    private mutating func below(_ folder: Folder, _ id: FileID, _ name: FileName) -> Folder? {
        let onDisk = Self.onDisk(name, in: folder)
        guard plan.takes(id, at: onDisk, behind: folder.link) else { return nil }
        return Folder(
            id: id,
            path: "\(folder.path)/\(name.text)",
            onDisk: onDisk,
            link: folder.link
        )
    }

    private static func onDisk(_ name: FileName, in folder: Folder) -> String {
        folder.onDisk.isEmpty ? name.text : "\(folder.onDisk)/\(name.text)"
    }
}

/// What a link leads to, as it was when the export began.
private struct LinkedFile {
    let link: LinkBelow
    let lockbook: Lockbook
    let entry: DirectoryEntry
    /// Of the link.
    let name: FileName

    /// - Returns: nil for what is not here.
    init?(_ link: LinkBelow) throws {
        guard let place = link.place, let step = link.steps.last else { return nil }
        let entry = try place.lockbook.store.read { tree -> DirectoryEntry? in
            guard let row = try tree.row(link.link.target.file), try !tree.isDead(row) else {
                return nil
            }
            return try tree.entry(row)
        }
        guard let entry else { return nil }
        self.link = link
        (lockbook, self.entry, name) = (place.lockbook, entry, try LocalTree.name(step))
    }

    /// By what it is known again.
    var stamp: [UInt8] {
        var encoder = CanonicalEncoder()
        encoder.append(counted: name.text.utf8)
        encoder.append(fixed: entry.id.bytes)
        encoder.append(counted: entry.content?.blobPrefix.bytes ?? [])
        encoder.append(entry.isExecutable)
        encoder.append(entry.isDamaged)
        return encoder.bytes
    }
}
