import Glibc
import LockbookModel

extension DiskExport {
    /// Removes what earlier exports of the same folder wrote and what is not in the lockbook any
    /// more; what was changed on disk since stays, and is reported.
    ///
    /// Where something in the lockbook cannot be read, nothing is removed: its old copy may be all
    /// that is left of it, under another name. That counts for what is, or was, behind one link, or
    /// is behind none; the report says where it kept something. What a name keeps out stays as it
    /// is, and so does, where it was, what could not be written where it is now.
    /// - Parameter trashed: where nothing else may go yet, the contents of what may.
    mutating func removeGone(after plan: ExportPlan, only trashed: Set<BlobPrefix>? = nil) throws {
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
        try holdUnwritten()
        let earlier = memory.folders.values
            .filter {
                $0.source.isSame(as: plan.top.exported) && !plan.spared.contains($0.path)
                    && misnamed.above($0.path) == nil && !absent.have(folder: $0.path)
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
            }
            let isKept =
                incomplete.contains(plan.outermostLink(to: folder.path))
                || kept.have(folder: folder.path)
            func stays(_ file: ExportedFile) -> Bool {
                isKept || kept.have(document: folder.subpath(of: file.name))
            }
            noteUnremoved(left.filter(stays), of: folder, incomplete, plan)
            guard !isKept else { continue }
            func waits(_ file: ExportedFile) -> Bool {
                guard let trashed, !isHeld(file) else { return isHeld(file) }
                return file.blob.map { !trashed.contains($0) } ?? true
            }
            let holds = left.contains(where: waits)
            let gone = left.filter { !stays($0) && !waits($0) }
            let isClear = try remove(gone, from: folder, plan, &chain)
            guard present == nil, isClear, !holds,
                !folder.linked.contains(where: { ledger.hasLeft($0, in: folder, plan) })
            else { continue }
            try remove(folder, &chain)
        }
    }

    /// Whether a file has what a note has, or had, that could not be written where it belongs now.
    private func isHeld(_ file: ExportedFile) -> Bool {
        file.blob.map(held.contains) ?? false
    }

    /// What was moved may have been changed as well: its old name has an earlier version.
    private mutating func holdUnwritten() throws {
        for item in unwritten {
            if let blob = item.blob { held.insert(blob) }
            held.formUnion(try item.lockbook.store.read { try $0.contentsHad(by: item.id) })
        }
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

    private func wouldGo(
        _ file: ExportedFile,
        from folder: ExportedFolder,
        _ plan: ExportPlan
    ) -> Bool {
        let path = folder.subpath(of: file.name)
        guard !file.isFound, let place = try? target.place(path),
            let status = try? place.status()
        else { return false }
        return state(of: file, status, at: place, for: plan.path(path)) != .changed
    }

    /// - Returns: whether nothing has to be remembered of these files.
    private mutating func remove(
        _ files: [ExportedFile],
        from folder: ExportedFolder,
        _ plan: ExportPlan,
        _ chain: inout FolderChain
    ) throws -> Bool {
        guard !files.isEmpty else { return true }
        let open: DiskFile
        do {
            open = try chain.folder(folder.path)
        } catch let failure as DiskFailure
            where failure.code == ENOENT
            || failure.code == ENOTDIR && plan.hasDocument(inPlaceOf: folder, ledger.memory)
        {
            for file in files { ledger.forget(file.name, in: folder.path) }
            return true
        } catch let failure as DiskFailure where ![ENOTDIR, ELOOP].contains(failure.code) {
            problem(shown(folder.path), failure.reason)
            return false
        } catch {
            problem(shown(folder.path), "it is not the folder that an export wrote")
            return false
        }
        var isClear = true
        for file in files {
            let path = plan.path(folder.subpath(of: file.name))
            let isSettled = try remove(file, from: folder, open, of: path)
            isClear = isClear && isSettled
        }
        return isClear
    }

    /// - Parameters:
    ///   - open: the folder on disk.
    ///   - source: where the file goes in the lockbook.
    /// - Returns: whether nothing has to be remembered of the file.
    private mutating func remove(
        _ file: ExportedFile,
        from folder: ExportedFolder,
        _ open: DiskFile,
        of source: String
    ) throws -> Bool {
        let name = file.name
        let path = folder.subpath(of: name)
        var status = stat()
        let isThere = fstatat(open.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
        if file.isFound {
            ledger.forget(name, in: folder.path)
            if isThere {
                problem(
                    shown(path),
                    "it is not in the lockbook any more, and stays: no export of this device "
                        + "wrote it"
                )
            }
            return true
        }
        guard isThere else {
            if errno == ENOENT {
                ledger.forget(name, in: folder.path)
                return true
            }
            problem(shown(path), DiskFailure(path).reason)
            return false
        }
        let place = ExportPlace(folder: open, name: name, tag: "", isStaged: false)
        let state = state(of: file, status, at: place, for: source)
        guard state != .changed else {
            problem(
                shown(path),
                "it is not in the lockbook any more, and was changed on disk since an export "
                    + "wrote it"
            )
            return false
        }
        guard unlinkat(open.descriptor, name, 0) == 0 || errno == ENOENT else {
            problem(shown(path), DiskFailure(path).reason)
            return false
        }
        hasWritten = true
        try target.noteName(in: open, at: folder.path)
        report.removed += 1
        if state == .copied { ledger.noteCopy(in: folder.path) }
        ledger.forget(name, in: folder.path)
        return true
    }

    /// Whose a file is that is not in the lockbook any more.
    private enum State {
        /// As an export wrote it.
        case untouched
        /// What an export wrote, copied or touched since.
        case copied
        /// What an import took in: the lockbook has had what it says.
        case takenIn
        case changed
    }

    /// - Parameter path: where the file goes in the lockbook.
    private func state(
        of file: ExportedFile,
        _ status: stat,
        at place: ExportPlace,
        for path: String
    ) -> State {
        let isStamped = file.stamp.matches(status)
        let state: State
        // Its time alone does not tell: some programs give a file that they change the one that it had.
        if file.digest == nil && isStamped || (try? place.holds(file, status)) == true {
            state = isStamped ? .untouched : .copied
        } else if (try? isTakenIn(place, status, for: path)) == true {
            state = .takenIn
        } else {
            return .changed
        }
        // Reading it takes a while, in which it may have been changed.
        guard let now = try? place.status(), DiskStamp(status).matches(now) else {
            return .changed
        }
        return state
    }

    /// Whether an import took a file in, with the bytes that it has, into whose tree ever it went.
    private func isTakenIn(_ place: ExportPlace, _ status: stat, for path: String) throws -> Bool {
        let taken = try imported(from: place, to: path).files[place.name]
        return try taken.map { try place.holds($0, status) } ?? false
    }

    /// Removes a folder that an export made, when nothing else is in it; else it is remembered, and goes
    /// with a later export.
    private mutating func remove(_ folder: ExportedFolder, _ chain: inout FolderChain) throws {
        var isLeft = false
        defer { if !isLeft { ledger.forget(folder: folder.path) } }
        let (abovePath, name) = folder.path.folderAndName
        guard folder.isMade, !name.isEmpty, let above = try? chain.folder(abovePath) else { return }
        var status = stat()
        guard fstatat(above.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
            status.st_mode & S_IFMT == S_IFDIR,
            UInt64(status.st_ino) == folder.inode || ledger.isCopy(folder: folder.path)
        else { return }
        guard unlinkat(above.descriptor, name, AT_REMOVEDIR) == 0 else {
            isLeft = errno != ENOENT
            return
        }
        hasWritten = true
        try target.noteName(in: above, at: abovePath)
    }

    private func shown(_ path: String) -> String {
        path.isEmpty ? target.top.path : "\(target.top.path)/\(path)"
    }
}

extension ExportedFolder {
    /// The steps that lead to it from the place.
    var names: [String] { path.steps }
}

extension ExportPlan {
    /// Whether the lockbook has a document now where a folder stood on disk, or one above it.
    ///
    /// Nothing of what was written there can be left then, whoever removed it.
    fileprivate func hasDocument(
        inPlaceOf folder: ExportedFolder,
        _ memory: ExportMemory
    ) -> Bool {
        let names = folder.names
        return names.indices.contains { index in
            let above = names[..<index].joined(separator: "/")
            if let present = folders[above] { return present.documents.contains(names[index]) }
            guard spared.contains(above), let known = memory.folders[above] else { return false }
            return PathSet(known.files.all.map(\.name)).contains(names[index])
        }
    }
}
