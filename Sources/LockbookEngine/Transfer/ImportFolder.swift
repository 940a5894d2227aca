import Glibc

/// A folder on disk that is to be taken in.
struct ImportFolder {
    /// On the disk.
    let path: String
    /// In the lockbook.
    var target: ImportPath
    /// From the folder that the user named.
    let steps: [String]
    var rules: IgnoreRules
    /// What it stands in, open: another process may put a link in the way to it.
    var parent: DiskFile?
    /// Whether an ignore file names it, or what it is in: only what exports wrote is taken in.
    var isIgnored = false
    /// Names of files in it whose notes have files of their own spelling there.
    var respelled: Set<[UInt8]> = []

    func open() throws -> DiskFile {
        let flags = O_RDONLY | O_DIRECTORY
        guard let parent, let name = steps.last else { return try DiskFile(path, flags: flags) }
        return try DiskFile(in: parent, name, flags: flags | O_NOFOLLOW)
    }
}
