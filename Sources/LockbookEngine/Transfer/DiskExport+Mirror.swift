import Glibc
import LockbookModel

extension DiskExport {
    /// What of what is not in the lockbook any more may go.
    enum Removal {
        case all
        /// The contents of what is in the trash: it has no new name that it could wait for.
        case trashed(Set<BlobPrefix>)
        /// What stands in the way of something that is to be written.
        case inTheWay(of: PathObstacles)
    }

    /// What becomes of a file that is not in the lockbook any more.
    private enum Fate {
        case goes
        /// A later look may let it go.
        case waits
        /// It may be all that is left of what cannot be read.
        case stays
    }

    /// Removes what earlier exports of the same folder wrote and what is not in the lockbook any
    /// more; what was changed on disk since stays, and is reported.
    ///
    /// Where something in the lockbook cannot be read, nothing is removed: its old copy may be all
    /// that is left of it, under another name. That counts for what is, or was, behind one link, or
    /// is behind none; the report says where it kept something. What a name keeps out stays as it
    /// is, and so does, where it was, what could not be written where it is now.
    mutating func removeGone(after plan: ExportPlan, _ removal: Removal = .all) throws {
        // A document that is exported alone is all that is remembered of its place.
        guard plan.top.type != .document else { return }
        let given = try lockbook.store.read { tree in
            try tree.transfers().map { ExportedID($0.file, of: tree.owner) }
        }
        let incomplete = plan.incomplete(unread)
        let (links, memory) = (plan.links, ledger.memory)
        let kept = LinksBelow(links, unread: incomplete, given: given, in: memory)
        // What is not here is named by itself.
        let absent = LinksBelow(links, unread: [], given: given, in: memory)
        let misnamed = PathTops(plan.misnamed.keys)
        let held = try HeldNotes(unwritten)
        let earlier = memory.folders.values
            .filter {
                $0.source.isSame(as: plan.top.exported) && !plan.spared.contains($0.path)
                    && misnamed.above($0.path) == nil && !absent.have(folder: $0.path)
                    && !ledger.hasForgotten(folder: $0.path)
            }
            .sorted { PathKey($1.path) < PathKey($0.path) }
        // What stands in a folder comes before it: that goes when it is empty.
        var chain = FolderChain(below: target.top)
        for folder in earlier {
            let present = plan.folders[folder.path]
            let left = (folder.gone.all + folder.files.all).filter {
                present?.documents.contains($0.name) != true
                    && !absent.have(document: folder.subpath(of: $0.name))
                    && misnamed.above(folder.subpath(of: $0.name)) == nil
                    && !ledger.hasForgotten($0.name, in: folder.path)
            }
            let isKept =
                incomplete.contains(plan.outermostLink(to: folder.path))
                || kept.have(folder: folder.path)
            func fate(_ file: ExportedFile) -> Fate {
                let path = folder.subpath(of: file.name)
                if isKept || kept.have(document: path) { return .stays }
                return held.include(file) || !removal.includes(file, at: path) ? .waits : .goes
            }
            let fates = left.map { (file: $0, fate: fate($0)) }
            let staying = fates.filter { $0.fate == .stays }.map(\.file)
            noteUnremoved(staying, of: folder, incomplete, plan)
            guard !isKept else { continue }
            let going = fates.filter { $0.fate == .goes }.map(\.file)
            let isClear = try remove(going, from: folder, plan, &chain)
            guard present == nil, isClear, !fates.contains(where: { $0.fate == .waits }),
                !folder.linked.contains(where: { ledger.hasLeft($0, in: folder, plan) })
            else { continue }
            try remove(folder, &chain)
        }
    }

    /// Removes what stands in the way of something that is to be written, and writes that; then what
    /// takes the place of another note's earlier copy.
    ///
    /// Nothing else goes before: what was moved has its new name on the disk before it loses the old one.
    mutating func replaceGone(after plan: ExportPlan) async throws {
        guard !blocked.isEmpty || !displacing.isEmpty else { return }
        await readBlocked()
        leaveWaiting()
        leaveObstructed(plan)
        if !blocked.isEmpty {
            let problems = report.problems
            let obstacles = PathObstacles(to: blocked.map(\.relativePath))
            try removeGone(after: plan, .inTheWay(of: obstacles))
            // What stays is told when all is removed that may go.
            report.problems = problems
        }
        try await writeBlocked()
        if hasWritten { try target.finishNames() }
        leaveWaiting()
        try await writeDisplacing()
    }

    /// Notes where something stays only because what is there cannot be read.
    private mutating func noteUnremoved(
        _ files: [ExportedFile],
        of folder: ExportedFolder,
        _ incomplete: PathSet,
        _ plan: ExportPlan
    ) {
        guard files.contains(where: { wouldGo($0, from: folder, plan) }) else { return }
        let link = plan.outermostLink(to: folder.path)
        // What was behind a link that has another name by now may be behind any of them.
        let links = incomplete.contains(link) ? [link] : incomplete.filter { !$0.isEmpty }
        let paths = (report.unremoved ?? []) + links.map { plan.path($0) }
        report.unremoved = PathSet(paths).sorted()
    }
}

extension DiskExport.Removal {
    /// - Parameter path: of the file, below the target.
    fileprivate func includes(_ file: ExportedFile, at path: String) -> Bool {
        switch self {
        case .all: true
        // What no export wrote stays, which is told when all else is removed.
        case .trashed(let contents):
            !file.isFound && file.blob.map(contents.contains) ?? false
        case .inTheWay(let obstacles): !file.isFound && obstacles.include(path)
        }
    }
}

/// What stands in the way of files: what is, on the disk, in one of them, or one of them in it.
struct PathObstacles {
    private let files: PathTops
    private var above: PathSet = []

    /// - Parameter paths: of the files, below the target.
    init(to paths: [String]) {
        files = PathTops(paths)
        for path in paths {
            var folder = path.folderAndName.folder
            while !folder.isEmpty, above.insert(folder) { folder = folder.folderAndName.folder }
        }
    }

    func include(_ path: String) -> Bool { files.above(path) != nil || above.contains(path) }
}

/// Notes that could not be written where they belong: under an earlier name the disk may have all that
/// it has of them.
private struct HeldNotes {
    private var notes: Set<FileID> = []
    /// What they have and had, as far as this device knows: an earlier program remembered no notes.
    private var contents: Set<BlobPrefix> = []

    init(_ items: [ExportItem]) throws {
        for item in items {
            notes.insert(item.id)
            if let blob = item.blob { contents.insert(blob) }
            contents.formUnion(try item.lockbook.store.read { try $0.contentsHad(by: item.id) })
        }
    }

    func include(_ file: ExportedFile) -> Bool {
        if let note = file.note { return notes.contains(note) }
        return file.blob.map(contents.contains) ?? false
    }
}
