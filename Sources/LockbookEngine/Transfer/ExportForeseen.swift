import Glibc
import LockbookCrypto
import LockbookModel

extension DiskExport {
    /// An export that is killed while its files take their places leaves some that the next one
    /// has to know: they are put down first, once for all that waited.
    ///
    /// A mirror that cannot put down what it writes writes nothing, since it would not remove that again,
    /// but on a full disk.
    mutating func foresee(
        _ files: [(task: ExportTask, written: ExportPlace.Written)]
    ) throws {
        let folders = ledger.placing(files.map { ($0.task.item, $0.written) })
        guard !folders.isEmpty else { return }
        let number = foreseen
        do {
            try lockbook.store.write {
                try $0.foresee(folders, number: number, at: target.identity)
            }
            foreseen += 1
        } catch LockbookError.store(_, limit: .full) {
            // The export is no worse than without, and what it removes may make room.
        } catch {
            // Of any other one that is told at the end.
            if options.mirror { throw error }
        }
    }
}

extension ExportMemory {
    /// Takes for written what an export that was cut off was about to put in its places, where it
    /// stands there: a file keeps its stamp when it takes its place.
    /// - Returns: what has to be put down for that.
    mutating func takeUp(_ foreseen: [ExportedFolder], at target: ExportTarget) -> [ExportedFolder]
    {
        var taken: PathMap<ExportedFolder> = [:]
        var chain = FolderChain(below: target.top)
        for folder in foreseen.sorted(by: { PathKey($0.path) < PathKey($1.path) }) {
            let known = folders[folder.path]
            guard let row = folder.placed(at: target, in: &chain, over: known) else { continue }
            folders[row.path] = row
            encoded[row.path] = row.encoded()
            taken[row.path] = row
        }
        return Array(taken.values)
    }
}

extension ExportedFolder {
    /// - Returns: what is to be remembered of the folder; nil when nothing came to its place.
    fileprivate func placed(
        at target: ExportTarget,
        in chain: inout FolderChain,
        over before: ExportedFolder?
    ) -> ExportedFolder? {
        var status = stat()
        guard let open = try? chain.folder(path), fstat(open.descriptor, &status) == 0 else {
            return nil
        }
        let placed = files.all.filter { file in
            var status = stat()
            // A document that was exported alone has no name but that of the place.
            let name = file.name.isEmpty ? target.single ?? "" : file.name
            return fstatat(open.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
                && file.stamp.matches(status)
        }
        let isThere = UInt64(status.st_ino) == inode
        guard !placed.isEmpty || isMade && isThere else { return nil }
        var row = before ?? ExportedFolder(path: path, source: source, id: id)
        var kept = row.files.all
        if !row.source.isSame(as: source) {
            // What the export of another folder wrote is known, but nobody's now.
            kept = (row.gone.all + kept).map { $0.foundLater() }
            row = ExportedFolder(path: path, source: source, id: id)
        }
        if isThere {
            row.isMade = isMade || row.isMade && row.inode == inode
            row.inode = inode
        }
        var known: PathMap<ExportedFile> = [:]
        for file in kept + placed { known[file.name] = file }
        let names = PathSet(placed.map(\.name))
        row.files = ExportedFiles(known.values.sorted { $0.name < $1.name })
        row.gone = ExportedFiles(row.gone.all.filter { !names.contains($0.name) })
        // All of it is looked at again.
        row.directory = []
        return row
    }
}

extension ExportedFile {
    func foundLater() -> ExportedFile {
        ExportedFile(
            name: name,
            blob: blob,
            stamp: stamp,
            isFound: true,
            isExecutable: isExecutable,
            digest: digest,
            note: note
        )
    }
}

extension LocalTree {
    private static let foreseenFormat: UInt8 = 1

    /// No folder on disk has this name.
    private static func foreseenName(_ number: Int) -> String { "\0placing \(number)" }

    /// Puts down what is about to be placed.
    ///
    /// Of two exports to one place at once one may forget what the other puts down here, which
    /// matters only if that one is killed as well.
    /// - Parameter number: how often this export did so before.
    func foresee(_ folders: [ExportedFolder], number: Int, at identity: [UInt8]) throws {
        var encoder = CanonicalEncoder()
        encoder.append(Self.foreseenFormat)
        encoder.append(UInt32(folders.count))
        for folder in folders { encoder.append(counted: folder.encoded()) }
        try putExportNote(encoder.bytes, Self.foreseenName(number), at: identity)
    }

    /// What an export that was cut off put down, each time for itself.
    func foreseen(at identity: [UInt8]) throws -> [[ExportedFolder]] {
        var found: [[ExportedFolder]] = []
        while let note = try exportNote(Self.foreseenName(found.count), at: identity) {
            // What does not open tells nothing: its files are looked at as those of somebody else.
            found.append((try? Self.folders(decoding: note)) ?? [])
        }
        return found
    }

    private static func folders(decoding note: [UInt8]) throws -> [ExportedFolder] {
        var decoder = CanonicalDecoder(note)
        try decoder.format(known: foreseenFormat)
        var folders: [ExportedFolder] = []
        for _ in 0..<(try decoder.count(itemsOfAtLeast: 4)) {
            folders.append(try ExportedFolder(decoding: Array(try decoder.counted())))
        }
        try decoder.finish()
        return folders
    }

    func forgetForeseen(_ count: Int, at identity: [UInt8]) throws {
        try remember(
            [],
            forgetting: (0..<count).map(Self.foreseenName),
            at: identity
        )
    }
}
