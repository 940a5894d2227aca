import Glibc
import LockbookCrypto
import LockbookModel

/// The file that an export is of.
struct ExportTop: Sendable {
    /// In whose tree it is: the account's own, or what another one shares.
    let lockbook: Lockbook
    let id: FileID
    let type: FileType
    /// In the lockbook, as the user knows it.
    let path: String
    /// The name under which the whole is put into an existing folder; nil for the root's contents.
    let name: FileName?

    /// As exports remember it.
    var exported: ExportedID { ExportedID(id, of: lockbook.store.context.owner) }

    /// What it holds, as of the root.
    var unnamed: ExportTop {
        ExportTop(lockbook: lockbook, id: id, type: type, path: path, name: nil)
    }
}

/// One file that an export writes, as it was when the export began.
struct ExportItem: Sendable {
    /// In whose tree it is.
    let lockbook: Lockbook
    let entry: DirectoryEntry
    /// In the lockbook, as the user knows it.
    let path: String
    /// Empty for a document that is exported alone.
    let name: String
    /// The path of the folder it stands in, below the target; empty for the target itself.
    let folder: String

    var id: FileID { entry.id }
    var type: FileType { entry.type }
    var size: UInt64 { entry.size }
    var modified: Timestamp { entry.modified }
    var isDamaged: Bool { entry.isDamaged }
    var isExecutable: Bool { entry.isExecutable }
    var blob: BlobPrefix? { entry.content?.blobPrefix }

    /// Too large for a batch: its content streams.
    var isLarge: Bool { size > UInt64(ContentWriter.inMemoryByteCount) }

    /// Below the target; empty for a document that is exported alone.
    var relativePath: String { folder.isEmpty ? name : "\(folder)/\(name)" }
}

/// One folder of an export, as it was when the export began.
struct ExportFolder: Sendable {
    let id: ExportedID
    /// Below the target; empty for the target itself.
    let path: String
    /// By what it is known whether the lockbook changed it later.
    let directory: [UInt8]
    let folders: [ExportedFolder.Child]
    /// What links in it lead to.
    let linked: [ExportedFolder.Child]
    let documents: PathSet
}

struct ExportPlan {
    let top: ExportTop
    /// The links below the target, by where they stand.
    let links: PathMap<LinkBelow>
    private let linkPaths: PathTops
    /// What has to be looked at one by one, folders before what stands in them.
    var items: [ExportItem] = []
    /// The folders of these items, by their paths below the target.
    var folders: PathMap<ExportFolder> = [:]
    /// The folders in which nothing has to be done.
    var spared: PathSet = []
    /// What stands too deep to be copied, without what is in it, and below which link, if any.
    private var tooDeep: [(file: FileID, link: String)] = []
    private var roomForDeep: Int
    /// Bytes of the longest path of a folder that can be copied.
    var longestFolder = Int.max
    /// Why names keep out what bears them and all that is in it, by the paths below the target.
    private(set) var misnamed: PathMap<String> = [:]

    init(top: ExportTop, links: PathMap<LinkBelow>) {
        (self.top, self.links) = (top, links)
        linkPaths = PathTops(links.keys)
        roomForDeep = top.lockbook.environment.deepPathByteCount
    }

    /// The links below which more may be than is seen, because something cannot be read, or stands
    /// too deep; an empty path for what is below none.
    /// - Parameter unread: what could not be read when it was to be written.
    func incomplete(_ unread: PathSet) -> PathSet {
        let damaged = items.filter(\.isDamaged).map(\.relativePath)
        return PathSet(tooDeep.map(\.link) + (damaged + unread).map { outermostLink(to: $0) })
    }

    /// What is said of what is left out.
    var problems: [TransferReport.Problem] {
        let named = misnamed.map { TransferReport.Problem(path: path($0.key), reason: $0.value) }
        let problems = (links.values.filter { $0.place == nil }.map(\.problem) + named)
            .sorted { $0.path < $1.path }
        guard let first = tooDeep.first else { return problems }
        let more = tooDeep.count > 1 ? " (so do \(tooDeep.count - 1) more)" : ""
        return problems + [
            TransferReport.Problem(
                path: "id:\(first.file)",
                reason: "it stands in too many folders to be copied with them\(more); "
                    + "export it by its id"
            )
        ]
    }

    /// The link that a path below the target is, or is behind; empty where there is none.
    func outermostLink(to path: String) -> String { linkPaths.above(path) ?? "" }

    /// Where something below the target stands in the lockbook.
    func path(_ below: String) -> String {
        below.isEmpty ? top.path : (top.path == "/" ? "" : top.path) + "/" + below
    }

    /// Counts a file in.
    ///
    /// What no program opens by its path, folders thousands deep, would fill the memory: each path has
    /// all above it in it.
    /// - Parameter link: the one that it is behind; empty for none.
    /// - Returns: false when it has to be left out.
    mutating func takes(_ file: FileID, at path: String, behind link: String) -> Bool {
        let size = path.utf8.count
        guard size > Int(PATH_MAX) else { return true }
        // On the disk, and in the lockbook.
        roomForDeep -= 2 * size
        guard roomForDeep < 0 || size > longestFolder else { return true }
        tooDeep.append((file, link))
        return false
    }

    /// Leaves out what a name keeps out, with all that is in it.
    mutating func leaveOut(_ below: String, because reason: String) { misnamed[below] = reason }

    /// Whether nothing has to be done in the folder that a path below the target stands in.
    func spares(folderOf path: String) -> Bool {
        spared.contains(path.folderAndName.folder)
    }
}

extension Lockbook {
    /// What an export is of, and the links below it.
    func exportTop(_ reference: FileReference) throws -> (top: ExportTop, links: [LinkBelow]) {
        try across(reference) {
            let here = SharedPlace(lockbook: self, reference: reference)
            return (try ExportTop(here), try linksBelow(reference))
        } there: { place in
            (try ExportTop(place), [])
        }
    }
}

extension ExportTop {
    fileprivate init(_ place: SharedPlace) throws {
        self = try place.lockbook.store.read { tree in
            let row = try tree.find(place.reference)
            if let crossing = try tree.crossing(row) { throw crossing }
            let path = place.own(try tree.path(of: row))
            return ExportTop(
                lockbook: place.lockbook,
                id: row.id,
                type: row.type,
                path: path,
                // What is shared is called by its link; what is only offered, as its owner calls it.
                name: try SharedPath.isReached(path)
                    ? path.steps.last.map { try LocalTree.name($0) }
                    : place.name(of: row, in: tree)
            )
        }
    }
}

extension [ExportItem] {
    /// Their contents as they were when the export began, whichever trees they are in.
    func openContents() throws -> [OpenedContent] {
        var opened: [OpenedContent] = []
        var rest = self[...]
        while let first = rest.first {
            let run = rest.prefix { $0.lockbook === first.lockbook }
            opened += try first.lockbook.store.read { tree in
                try run.map { try tree.openContent(of: $0) }
            }
            rest = rest.dropFirst(run.count)
        }
        return opened
    }
}

extension ExportItem {
    /// The content as it was when the export began.
    func openContent() throws -> OpenedContent {
        try lockbook.store.read { try $0.openContent(of: self) }
    }

    /// The content as it was when the export began, or, when it has to be fetched, as it is now.
    func read(into take: (_ bytes: [UInt8]) throws -> Void) async throws {
        switch try openContent() {
        case .empty: return
        case .here(var reader): try reader.readAll(into: take)
        case .absent: try await lockbook.read(.id(prefix: id.description), into: take)
        }
    }
}

extension LocalTree {
    /// The content of an item as it was when the export began.
    fileprivate func openContent(of item: ExportItem) throws -> OpenedContent {
        try open(
            item.entry.content,
            of: item.id,
            chunkKey: item.entry.chunkKey,
            path: item.path
        )
    }
}
