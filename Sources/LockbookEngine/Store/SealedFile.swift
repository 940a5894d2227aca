import LockbookCrypto
import LockbookModel

/// A record with all that opening it takes, so that many are opened on all cores.
struct SealedFile: Sendable {
    let record: FileRecord
    let folder: FolderKeys
    /// Set when the file's key was unwrapped before.
    let key: FileKey?

    /// - Throws: `DamagedRecord`.
    func opened() throws(DamagedRecord) -> (key: FileKey, file: File) {
        if let key { return (key, try record.file(key: key, in: folder)) }
        let key = try record.key(in: folder)
        return (key, try record.file(key: key, in: folder))
    }
}
