import Glibc
import LockbookModel

extension ExportMemory {
    /// The folders in which there is nothing to do: the lockbook has not changed them since all of
    /// it was on disk, and every file on disk is as it was written.
    ///
    /// Reads no content and opens no record. Each core looks at a stretch of the tree, where one folder
    /// is a step from the next. Of documents behind links in a folder nothing is asked: the plan does
    /// that.
    /// - Parameter directories: how the directory index of every folder begins now.
    /// - Parameter removing: whether what is gone from the lockbook is to go from the disk too.
    func unchanged(
        below top: DiskFile,
        of source: ExportedID,
        directories: [ExportedID: [UInt8]],
        removing: Bool
    ) throws -> PathSet {
        let candidates = folders.values.filter { folder in
            folder.source.isSame(as: source) && !folder.directory.isEmpty
                && folder.directory.starts(with: Self.stamp(folder.id, directories))
                && !(removing && folder.gone.count > 0)
        }.sorted { PathKey($0.path) < PathKey($1.path) }
        let found = try concurrentMap(stretches: 32, of: candidates) { stretch -> [Bool] in
            var chain = FolderChain(below: top)
            return stretch.map { $0.isUntouched(in: &chain) }
        }
        return PathSet(zip(candidates, found).filter(\.1).map(\.0.path))
    }

    /// Never empty, unlike the index of an empty folder.
    static func stamp(_ folder: ExportedID, _ directories: [ExportedID: [UInt8]]) -> [UInt8] {
        [1] + (directories[folder] ?? [])
    }
}

extension ExportedFolder {
    /// Whether every file stands on disk as it was written; no link is followed.
    fileprivate func isUntouched(in chain: inout FolderChain) -> Bool {
        var status = stat()
        guard let folder = try? chain.folder(path), fstat(folder.descriptor, &status) == 0,
            UInt64(status.st_ino) == inode
        else { return false }
        return files.allSatisfy { name, _, stamp, _, isExecutable, _, _ in
            fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
                && stamp.matches(status) && status.isExecutable == isExecutable
        }
    }
}
