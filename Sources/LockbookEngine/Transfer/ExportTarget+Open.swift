import Glibc
import LockbookModel

extension ExportTarget {
    /// Opens the place of an export, and makes the folder that is to be the copy.
    ///
    /// What is looked at is what is opened: somebody may put a link there in between.
    /// - Returns: the folder, what a document is called in it, and whether it was made.
    static func open(
        _ destination: String,
        of type: FileType,
        named exported: FileName?
    ) throws -> (top: DiskFile, single: String?, isMade: Bool) {
        let inner = type == .document ? nil : exported?.text
        // Of a folder that gets another one into it nothing is read.
        let there = try present(destination, access: inner == nil ? O_RDONLY : pathAlone)
        if type == .document {
            let name = there == nil ? destination.steps.last : exported?.text
            guard let name, there != nil || !destination.endsWithSlash else {
                throw DiskFailure(destination, code: ENOENT)
            }
            let above = Disk.parent(of: destination)
            let top = try there ?? DiskFile(above, flags: O_RDONLY | O_DIRECTORY)
            return (top, name, false)
        }
        guard let there else {
            let isMade: Bool
            do {
                isMade = try make(destination) { mkdir(destination, 0o700) }
            } catch let failure as DiskFailure
                where failure.code == ENOENT && !Disk.exists(Disk.parent(of: destination))
            {
                // No folder above is made: it may be a disk's that is not mounted.
                throw LockbookError.io(
                    path: destination,
                    reason: "the folder that it was to be made in is not there"
                )
            }
            return (try DiskFile(destination, flags: O_RDONLY | folderAlone), nil, isMade)
        }
        guard let inner else { return (there, nil, false) }
        let isMade = try make(there.path + "/" + inner) {
            mkdirat(there.descriptor, inner, 0o700)
        }
        return (try DiskFile(in: there, inner, flags: O_RDONLY | folderAlone), nil, isMade)
    }

    /// A link is followed only where a / is behind it.
    private static let folderAlone = O_DIRECTORY | O_NOFOLLOW
    /// O_PATH of the kernel's `asm-generic/fcntl.h`: for what is done in a folder, which needs no right to read it.
    private static let pathAlone: Int32 = 0o10_000_000

    /// Opens the folder that an export is to go to; nil where there is none, or something else.
    private static func present(_ destination: String, access: Int32) throws -> DiskFile? {
        do {
            return try DiskFile(destination, flags: access | folderAlone)
        } catch let failure as DiskFailure
            where [ENOENT, ENOTDIR, ENAMETOOLONG].contains(failure.code)
        {
            guard Disk.isLink(destination) else { return nil }
            throw LockbookError.io(
                path: destination,
                reason: "it is a symbolic link; with a / behind it, it is followed"
            )
        }
    }

    /// - Returns: false where something is there.
    private static func make(_ path: String, _ call: () -> Int32) throws -> Bool {
        if call() == 0 { return true }
        guard errno == EEXIST else { throw DiskFailure(path) }
        return false
    }
}
