import LockbookCrypto
import LockbookModel

/// A document of a batch with all that sealing it takes.
struct ImportDocument: Sendable {
    /// As it will be, but for its content.
    let file: File
    let base: File?
    let isNew: Bool
    /// Whether it is written even when its content stays.
    let isTouched: Bool
    /// When what is there was changed last.
    let changed: Timestamp
    /// When what takes its place was, as the disk has it.
    let time: Timestamp
    let mark: ImportedMark?
    let foreign: ForeignMark?
    /// In the lockbook.
    let path: String
    let bytes: [UInt8]
    let folder: FolderKeys
    let owner: AccountID
    let random: RandomSource

    func sealed() throws -> SealedDocument {
        for known in [file.content, base?.content] where UInt64(bytes.count) == known?.size ?? 0 {
            if known == nil || known?.key.digest(bytes) == known?.digest {
                return try finished(known, blob: nil)
            }
        }
        guard !bytes.isEmpty else { return try finished(nil, blob: nil) }
        let key = ContentKey(random: random)
        let version = VersionID(random: random)
        let (blob, facts) = try ContentSealer.seal(
            bytes,
            key: key,
            bound: Content.binding(owner: owner, file: file.id, version: version)
        )
        return try finished(Content(version: version, key: key, facts: facts), blob: blob)
    }

    /// Changes of what is there go the way of every change; a new file's record is sealed here.
    private func finished(_ content: Content?, blob: [UInt8]?) throws -> SealedDocument {
        guard isNew else { return SealedDocument(content: content, blob: blob, record: nil) }
        var file = file
        file.content = content
        let key = FileKey(random: random)
        let record = try FileRecord(
            sealing: file,
            owner: owner,
            key: key,
            in: folder,
            random: random
        )
        return SealedDocument(content: content, blob: blob, record: (key, record))
    }
}

struct SealedDocument: Sendable {
    let content: Content?
    /// Set when the content is a new one.
    let blob: [UInt8]?
    let record: (key: FileKey, record: FileRecord)?
}
