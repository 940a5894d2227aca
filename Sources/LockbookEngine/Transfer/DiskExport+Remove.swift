import Glibc
import LockbookModel

extension DiskExport {
    /// Whether a mirror would remove a file that is not in the lockbook any more.
    func wouldGo(
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

    /// Removes what an export wrote into a folder, unless it was changed on the disk.
    /// - Returns: whether nothing has to be remembered of these files.
    mutating func remove(
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
                    "it is not in the lockbook any more, and stays: no export of this folder "
                        + "by this device wrote it"
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
    mutating func remove(_ folder: ExportedFolder, _ chain: inout FolderChain) throws {
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
