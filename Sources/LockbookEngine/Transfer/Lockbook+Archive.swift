import Glibc
import LockbookCrypto
import LockbookModel

extension Lockbook {
    /// Writes a folder or document as an archive, decrypted, in constant memory.
    ///
    /// A folder stands in it under its own name, and `/` as what it holds. What cannot be read is
    /// left out and in the report; nothing of it gets into the archive.
    /// - Parameter sink: gets the archive piece by piece.
    /// - Throws: `badPath` where the file's own name can be in no zip.
    public func archive(
        _ reference: FileReference,
        as format: ArchiveFormat,
        progress: (TransferProgress) -> Void,
        into sink: (_ bytes: [UInt8]) throws -> Void
    ) async throws -> TransferReport {
        let (top, links) = try exportTop(reference)
        if format == .zip, let name = top.name,
            let reason = ZipWriter.obstacle(to: name, isFirst: true)
        {
            throw LockbookError.badPath(path: top.path, reason: reason)
        }
        let plan = try ExportPlan(of: top, with: links, as: format)
        switch format {
        case .tar: return try await write(TarWriter(), plan, progress, into: sink)
        case .zip: return try await write(ZipWriter(), plan, progress, into: sink)
        }
    }

    private func write(
        _ writer: some ArchiveWriter,
        _ plan: ExportPlan,
        _ progress: (TransferProgress) -> Void,
        into sink: (_ bytes: [UInt8]) throws -> Void
    ) async throws -> TransferReport {
        var archive = ArchiveExport(writer, of: plan)
        try await archive.write(progress: progress, into: sink)
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
            // Whatever is put in the place of the folder meanwhile, all is done in this one.
            let folder = try DiskFile(Disk.parent(of: path), flags: O_RDONLY | O_DIRECTORY)
            let last = Disk.name(of: path)
            try refuseTaken(last, in: folder, path, force: force)
            let tag = ExportPlace.tag(of: account.device, environment.random)
            ExportPlace.removeLeftovers(in: folder, for: tag, isShared: folder.isShared)
            let name = ExportPlace.temporaryPrefix + tag
            let file = try ExportPlace.create(name, in: folder, beginning: name)
            do {
                var report = try await archive(reference, as: format, progress: progress) {
                    try file.write($0)
                }
                if try file.setMode(0o600).isForOthers { report.unprotected = path }
                try file.flush()
                try file.sync()
                if try force || !Disk.renameNew(in: folder, name, to: last) {
                    // It may have appeared while this was written.
                    try refuseTaken(last, in: folder, path, force: force)
                    _ = try Disk.retry(path) {
                        renameat(folder.descriptor, name, folder.descriptor, last)
                    }
                }
                // Locked until then: another export takes what nobody holds for a leftover.
                withExtendedLifetime(file) {}
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

    private func refuseTaken(
        _ name: String,
        in folder: DiskFile,
        _ path: String,
        force: Bool
    ) throws {
        var present = stat()
        // Behind a / stands the folder itself.
        let isThere =
            fstatat(folder.descriptor, name.isEmpty ? "." : name, &present, AT_SYMLINK_NOFOLLOW)
            == 0
        // Never in the place of a device, a pipe, a link or a folder.
        guard !isThere || force && present.st_mode & S_IFMT == S_IFREG else {
            throw LockbookError.exists(path: path)
        }
    }
}
