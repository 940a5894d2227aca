import Glibc
import LockbookModel

extension DiskImport {
    /// Whether something goes in although an ignore file names it.
    ///
    /// Such a file tells what is to become no note, and may be somebody else's in a share: what an export
    /// wrote is a note, as what is tracked is for git. Who excludes it on the command line means that.
    mutating func isNote(
        _ name: [UInt8],
        _ steps: [String],
        isFolder: Bool,
        in folder: ImportFolder,
        _ place: ImportPlace
    ) throws -> Bool {
        guard !folder.rules.exclude(steps, isFolder: isFolder),
            let name = try? FileName(bytes: name)
        else { return false }
        return try isExported(name.text, in: place.source, at: folder.target.appending(name))
    }

    /// Whether an export wrote what stands in a folder of the disk, or into it, and a note or folder of
    /// that is there.
    mutating func isExported(_ name: String, in folder: [UInt8], at target: ImportPath) throws
        -> Bool
    {
        if exported?.folder != folder {
            exported = (folder, try store.read { try ExportedVersions($0).names(in: folder) })
        }
        guard exported?.names.contains(name) == true else { return false }
        return try store.read { try $0.find(path: target.shown) != nil }
    }

    private static let ignoreByteCount = 65_536

    /// The rules below a folder, with those of its ignore file.
    /// - Throws: `DiskFailure` when there is one that cannot be read.
    func rules(_ rules: IgnoreRules, in folder: DiskFile, depth: Int) throws -> IgnoreRules {
        let file: DiskFile
        do {
            file = try DiskFile(
                in: folder,
                IgnoreRules.fileName,
                flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK
            )
        } catch let failure as DiskFailure where failure.code == ENOENT {
            return rules
        }
        guard try file.status().st_mode & S_IFMT == S_IFREG else {
            throw DiskFailure(file.path, code: EINVAL)
        }
        var bytes: [UInt8] = []
        while true {
            let piece = try file.read(65_536)
            if piece.isEmpty { break }
            bytes += piece
            // Every name is compared with every line, and the file may be somebody else's.
            guard bytes.count <= Self.ignoreByteCount else {
                throw DiskFailure(file.path, code: EFBIG)
            }
        }
        return rules.adding(String(decoding: bytes, as: UTF8.self), depth: depth)
    }
}
