import Glibc
import LockbookCrypto
import LockbookModel

extension Lockbook {
    /// Keeps a mirror off a place whose disk is not mounted: nothing of what exports wrote is there, and it
    /// is on another file system than it was.
    ///
    /// Where the empty mount point is would be all notes in plain, and nothing in the copy; and what was
    /// remembered of that would be of other files.
    /// - Throws: `.io`, when nothing is left of what was made for it.
    func refuseOtherDisk(for top: ExportTop, at target: ExportTarget) throws {
        guard top.type == .folder else { return }
        let sealed = try store.read { tree -> [SealedMemory] in
            let disk = try tree.exportedDisk(at: target.identity)
            guard !disk.isEmpty, disk != target.top.fileSystemID else { return [] }
            return try tree.exported(at: target.identity)
        }
        let memory = try ExportMemory(opening: sealed, with: account.deviceKey)
        guard memory.folders.values.contains(where: { $0.files.count > 0 }),
            !memory.hasSomething(below: target.top)
        else { return }
        if target.isMade { rmdir(target.top.path) }
        throw LockbookError.io(
            path: target.top.path,
            reason: "nothing that exports wrote is there, and it was on another disk: is that "
                + "mounted? --force takes this one"
        )
    }

    /// Puts down on what disk a place is.
    func rememberDisk(of target: ExportTarget) throws {
        let disk = target.top.fileSystemID
        guard try store.read({ try $0.exportedDisk(at: target.identity) }) != disk else { return }
        try store.write { try $0.rememberDisk(disk, at: target.identity) }
    }
}

extension ExportMemory {
    /// Whether a name stands on the disk that an export wrote, whatever it is by now.
    fileprivate func hasSomething(below top: DiskFile) -> Bool {
        var chain = FolderChain(below: top)
        return folders.values.sorted { PathKey($0.path) < PathKey($1.path) }.contains { known in
            guard let folder = try? chain.folder(known.path) else { return false }
            return !known.files.allSatisfy { name, _, _, _, _, _, _ in
                faccessat(folder.descriptor, name, F_OK, AT_SYMLINK_NOFOLLOW) != 0
            }
        }
    }
}

extension LocalTree {
    /// No folder on disk has this name.
    private static let disk = "\0disk"

    /// The id of the file system that a place was on when it was exported to; empty when nothing is known.
    fileprivate func exportedDisk(at identity: [UInt8]) throws -> [UInt8] {
        try exportNote(Self.disk, at: identity) ?? []
    }

    func rememberDisk(_ disk: [UInt8], at identity: [UInt8]) throws {
        try putExportNote(disk, Self.disk, at: identity)
    }
}
