import Glibc
import LockbookCrypto
import LockbookModel

/// One export of one account's files, and what later ones have to know of it.
struct FinishedExport {
    var report: TransferReport
    let top: ExportTop
    /// What it went into, open still.
    let folder: DiskFile
    let identity: [UInt8]
    /// What earlier exports to this place had written.
    let earlier: ExportMemory
}

extension Lockbook {
    /// Exports what links lead to into their places; one that cannot be written keeps back no other.
    /// - Parameters:
    ///   - links: those below what was exported.
    ///   - here: the export of this account's own files, which begins the report.
    func exportBehind(
        _ links: [LinkBelow],
        after here: FinishedExport,
        options: ExportOptions,
        _ progress: (TransferProgress) -> Void
    ) async throws -> TransferReport {
        let former = try FormerExports(
            own: self,
            here: here,
            links: store.read { try $0.exportedLinks(at: here.identity) }
        )
        var report = here.report
        var exported: [ExportedLink] = []
        var left: [LinkBelow] = []
        for link in links {
            guard let place = link.place else {
                report.problems.append(link.problem)
                left.append(link)
                continue
            }
            let other = place.lockbook
            let top = try other.store.read {
                try $0.exportTop(place.reference, named: place.linkName)
            }
            do {
                guard let target = try openPlace(of: link, for: top, in: here.folder, &report)
                else {
                    left.append(link)
                    continue
                }
                var memoryless = Memoryless(allowed: !options.mirror)
                let finished = try await other.export(
                    top,
                    to: target,
                    after: former,
                    options: options,
                    &memoryless,
                    progress
                )
                report.add(finished.report, place.own)
                exported.append(
                    ExportedLink(
                        owner: other.store.context.owner,
                        source: top.id,
                        isDocument: top.type == .document,
                        place: finished.identity
                    )
                )
            } catch let failure as DiskFailure {
                throw LockbookError.io(path: failure.path, reason: failure.reason)
            }
        }
        try settle(exported, leaving: left, after: here, mirror: options.mirror, &report)
        return report
    }

    /// Opens where something behind a link goes, step by step, so that no symbolic link leads
    /// elsewhere.
    /// - Returns: nil where that cannot be, which is in the report then.
    private func openPlace(
        of link: LinkBelow,
        for top: ExportTop,
        in folder: DiskFile,
        _ report: inout TransferReport
    ) throws -> ExportTarget? {
        do {
            return try ExportTarget(
                in: folder.descend(link.folder),
                of: top,
                tag: environment.random.bytes(8).hex
            )
        } catch let failure as DiskFailure where !failure.endsExport {
            report.problems.append(
                TransferReport.Problem(path: failure.path, reason: failure.folderReason)
            )
            return nil
        }
    }

    /// Remembers which links an export went through, and, as a mirror, removes what earlier ones put
    /// where none leads any more: it was left, taken back, deleted, renamed or moved.
    /// - Parameters:
    ///   - links: what links lead to, in the order of their paths.
    ///   - left: the links whose content was not exported: what is known of their places stays so.
    ///   - here: the export of this account's own files, which begins the report.
    private func settle(
        _ links: [ExportedLink],
        leaving left: [LinkBelow],
        after here: FinishedExport,
        mirror: Bool,
        _ report: inout TransferReport
    ) throws {
        let known = try store.read { try $0.exportedLinks(at: here.identity) }
        let places = LinksBelow(left)
        var kept = links
        for link in known {
            // What another link of its name wrote has taken that over; a document takes over no folder.
            let isTaken = links.contains {
                $0.place == link.place && $0.isDocument == link.isDocument
            }
            if isTaken { continue }
            // Also what such a link wrote where it stood before: the disk has no other copy of it.
            let isLeft =
                places.have(link, below: here.identity)
                || left.contains {
                    $0.link.target.owner == link.owner && $0.link.target.file == link.source
                }
            if !isLeft, try mirror && removeExported(link, after: here, &report) { continue }
            kept.append(link)
        }
        guard kept != known else { return }
        do {
            try store.write { try $0.remember(kept, at: here.identity) }
        } catch LockbookError.store where !mirror {
            // The report of what was exported says so.
        }
    }

    /// - Returns: whether nothing has to be remembered of it.
    private func removeExported(
        _ link: ExportedLink,
        after here: FinishedExport,
        _ report: inout TransferReport
    ) throws -> Bool {
        guard let path = String(validating: link.place, as: UTF8.self),
            let relative = ExportedLink.path(of: link.place, below: here.identity),
            // What is this account's own by now has been written over it.
            try !store.read({ try $0.holds(relative, below: here.top) })
        else { return true }
        guard let other = try shared(by: link.owner) else {
            report.problems.append(
                TransferReport.Problem(
                    path: path,
                    reason: "it is not in the lockbook any more, and what wrote it is not known"
                )
            )
            return false
        }
        // A link that is still there leads to what is only not shown, and may be again.
        let isLinked = try store.read { try $0.links(to: link.owner)[link.source] != nil }
        if isLinked, try other.store.read({ try $0.row(link.source) }) == nil {
            report.problems.append(
                TransferReport.Problem(
                    path: path,
                    reason: "what its link leads to is not here any more; this copy stays"
                )
            )
            return false
        }
        guard try other.removeExported(link, at: path, &report) else { return false }
        removeFolders(around: relative, after: here)
        return true
    }

    /// Removes what an export of this account's files, which are somebody else's, wrote to a place.
    private func removeExported(
        _ link: ExportedLink,
        at path: String,
        _ report: inout TransferReport
    ) throws -> Bool {
        // Nothing is there any more, or something that it never was.
        guard let status = try? Disk.status(path, followLinks: false),
            (status.st_mode & S_IFMT == S_IFDIR) != link.isDocument
        else { return true }
        let top = ExportTop(
            id: link.source,
            type: link.isDocument ? .document : .folder,
            path: "/",
            name: nil
        )
        do {
            let target = try ExportTarget(path, of: top, tag: environment.random.bytes(8).hex)
            // Somebody put a link, or another kind of file, there.
            guard target.identity == link.place else { return true }
            try target.lock()
            let sealed = try store.read { try $0.exported(at: target.identity) }
            let memory = try ExportMemory(opening: sealed, with: account.deviceKey)
            var options = ExportOptions()
            options.mirror = true
            var removing = DiskExport(
                lockbook: self,
                target: target,
                ledger: ExportLedger(source: link.source, memory: memory),
                options: options
            )
            let plan = ExportPlan(top: top)
            removing.removeGone(after: plan)
            if removing.hasWritten { try target.finish() }
            try remember(removing, plan)
            report.removed += removing.report.removed
            report.problems += removing.report.problems
            guard removing.report.problems.isEmpty else { return false }
            if !link.isDocument, let made = memory.folders[""], made.isMade {
                Disk.removeEmptyFolder(path, inode: made.inode)
            }
            return true
        } catch let failure as DiskFailure {
            report.problems.append(
                TransferReport.Problem(path: failure.path, reason: failure.reason)
            )
            return false
        }
    }

    /// The folders that a link stood in are not empty before what was behind it is gone.
    private func removeFolders(around relative: String, after here: FinishedExport) {
        guard let top = String(validating: here.identity, as: UTF8.self) else { return }
        var names = relative.steps.dropLast()
        while !names.isEmpty {
            let path = names.joined(separator: "/")
            guard let folder = here.earlier.folders[path], folder.isMade,
                (try? store.read({ try $0.holds(path, below: here.top) })) == false
            else { return }
            Disk.removeEmptyFolder(top + "/" + path, inode: folder.inode)
            names = names.dropLast()
        }
    }
}

extension LinksBelow {
    fileprivate func have(_ link: ExportedLink, below identity: [UInt8]) -> Bool {
        guard let path = ExportedLink.path(of: link.place, below: identity) else { return false }
        return link.isDocument ? have(document: path) : have(folder: path)
    }
}

extension LocalTree {
    /// Whether there is something else than a link at a path below a file.
    fileprivate func holds(_ path: String, below top: ExportTop) throws -> Bool {
        try fileType(at: path, below: top).map { $0 != .link } ?? false
    }

    /// What stands at a path below a file; nil where nothing does, or a link leads there.
    func fileType(at path: String, below top: ExportTop) throws -> FileType? {
        guard let row = try row(top.id), try !isDead(row) else { return nil }
        let above = try self.path(of: row)
        do {
            return try find(path: (above == "/" ? "" : above) + "/" + path)?.type
        } catch is CrossesLink {
            return nil
        }
    }
}

extension Disk {
    /// Removes a folder that is the one that was made once, and in which nothing is.
    static func removeEmptyFolder(_ path: String, inode: UInt64) {
        guard let status = try? status(path, followLinks: false),
            status.st_mode & S_IFMT == S_IFDIR, UInt64(status.st_ino) == inode
        else { return }
        _ = rmdir(path)
    }
}
