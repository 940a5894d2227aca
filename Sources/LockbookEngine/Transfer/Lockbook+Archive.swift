import Glibc
import LockbookCrypto
import LockbookModel

extension Lockbook {
    /// Writes a folder or document as an archive, decrypted, in constant memory.
    ///
    /// A folder stands in it under its own name, and `/` as what it holds. What cannot be read is
    /// left out and in the report; nothing of it gets into the archive.
    /// - Parameter sink: gets the archive piece by piece.
    public func archive(
        _ reference: FileReference,
        as format: ArchiveFormat,
        progress: (TransferProgress) -> Void,
        into sink: (_ bytes: [UInt8]) throws -> Void
    ) async throws -> TransferReport {
        let (parts, missing) = try archiveParts(of: reference)
        switch format {
        case .tar: return try await write(TarWriter(), parts, missing, progress, into: sink)
        case .zip: return try await write(ZipWriter(), parts, missing, progress, into: sink)
        }
    }

    /// What goes into an archive: this account's own files, then what is behind each link in them.
    ///
    /// What is not here of that is missing in it.
    private func archiveParts(of reference: FileReference) throws
        -> (parts: [ArchivePart], missing: [TransferReport.Problem])
    {
        func part(_ place: SharedPlace, _ name: String?, in folder: String) throws -> ArchivePart {
            let plan = try place.lockbook.store.read { tree in
                try tree.exportPlan(tree.exportTop(place.reference, named: name))
            }
            return ArchivePart(place.lockbook, plan, in: folder, own: place.own)
        }
        return try across(reference) {
            let plan = try store.read { try $0.exportPlan(try $0.exportTop(reference)) }
            var parts = [ArchivePart(self, plan)]
            var missing: [TransferReport.Problem] = []
            let top = [plan.top.name?.text].compactMap(\.self)
            for link in try linksBelow(reference) {
                if let place = link.place {
                    let folder = (top + link.folder).joined(separator: "/")
                    parts.append(try part(place, place.linkName, in: folder))
                } else {
                    missing.append(link.problem)
                }
            }
            return (parts, missing)
        } there: { place in
            let name = place.reference == .path(place.top) ? place.linkName : nil
            return (try [part(place, name, in: "")], [])
        }
    }

    private func write(
        _ writer: some ArchiveWriter,
        _ parts: [ArchivePart],
        _ missing: [TransferReport.Problem],
        _ progress: (TransferProgress) -> Void,
        into sink: (_ bytes: [UInt8]) throws -> Void
    ) async throws -> TransferReport {
        var archive = ArchiveExport(writer, missing: missing)
        for part in parts { try await archive.write(part, progress: progress, into: sink) }
        try archive.finish(into: sink)
        return archive.report
    }

    /// Writes an archive to a file that appears whole or not at all, for this user alone.
    /// - Parameter force: whether it may take the place of a file that is there.
    /// - Throws: `exists` when something is there that may not be replaced.
    public func archive(
        _ reference: FileReference,
        as format: ArchiveFormat,
        toFile path: String,
        force: Bool,
        progress: (TransferProgress) -> Void
    ) async throws -> TransferReport {
        try refuseOwnFolder([path])
        do {
            try refuseTaken(path, force: force)
            let folder = try DiskFile(Disk.parent(of: path), flags: O_RDONLY | O_DIRECTORY)
            ExportPlace.removeLeftovers(in: folder)
            let name = ExportPlace.temporaryPrefix + environment.random.bytes(8).hex
            let file = try UnfinishedExports.shared.make(in: folder, named: name) {
                try DiskFile(
                    in: folder,
                    name,
                    flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
                )
            }
            flock(file.descriptor, LOCK_EX)
            do {
                let report = try await archive(reference, as: format, progress: progress) {
                    try file.write($0)
                }
                _ = try Disk.retry(path) { fchmod(file.descriptor, 0o600) }
                try file.sync()
                if try force || !Disk.renameNew(in: folder, name, to: Disk.name(of: path)) {
                    // It may have appeared while this was written.
                    try refuseTaken(path, force: force)
                    _ = try Disk.retry(path) { renameat(folder.descriptor, name, AT_FDCWD, path) }
                }
                try folder.sync()
                return report
            } catch {
                unlinkat(folder.descriptor, name, 0)
                throw error
            }
        } catch let failure as DiskFailure {
            throw LockbookError.io(path: path, reason: failure.reason)
        }
    }

    private func refuseTaken(_ path: String, force: Bool) throws {
        guard let present = try? Disk.status(path) else { return }
        // Never in the place of a device, a pipe, a link or a folder.
        guard force, present.st_mode & S_IFMT == S_IFREG else {
            throw LockbookError.exists(path: path)
        }
    }
}
