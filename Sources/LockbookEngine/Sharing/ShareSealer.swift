import LockbookCrypto
import LockbookModel

/// A record to be sealed for an entry of shares.
enum ShareSeal: Sendable {
    /// Of a file that was opened on the way to it.
    case opened(OpenedSeal)
    /// Of a document as it was agreed, which need not be opened to go on from there.
    case document(DocumentSeal)
}

/// A file as it is to be.
struct OpenedSeal: Sendable {
    let file: File
    let key: FileKey
    let previous: FileKey?
    /// Nil for a file whose folder is not this account's to see.
    let folder: FolderKeys?
    let old: FileRecord
}

/// A document that changes its keys, its scope, or both, and nothing else.
struct DocumentSeal: Sendable {
    let old: FileRecord
    /// The keys of its folder, as they are and as they are to be.
    let above: FolderKeys
    let folder: FolderKeys
    let scope: FileID
    let parentEpoch: UInt32
}

/// Opens and seals, with nothing of the store, so that all cores can.
struct ShareSealer: Sendable {
    let owner: AccountID
    let author: AccountID
    let device: DeviceID
    let isRotating: Bool
    let random: RandomSource

    func record(_ seal: ShareSeal) throws -> FileRecord {
        switch seal {
        case .opened(let seal): try record(seal)
        case .document(let seal): try record(seal)
        }
    }

    private func record(_ seal: OpenedSeal) throws -> FileRecord {
        guard let folder = seal.folder else {
            return try FileRecord(
                sealing: seal.file,
                keeping: seal.old,
                key: seal.key,
                previous: seal.previous,
                random: random
            )
        }
        return try FileRecord(
            sealing: seal.file,
            owner: owner,
            key: seal.key,
            previous: seal.previous,
            in: folder,
            random: random
        )
    }

    private func record(_ seal: DocumentSeal) throws -> FileRecord {
        let oldKey = try seal.old.key(in: seal.above)
        let bodyKey = oldKey.bodyKey()
        var file = try seal.old.file(bodyKey: bodyKey)
        (file.author, file.device) = (author, device)
        (file.scope, file.parentEpoch) = (seal.scope, seal.parentEpoch)
        if isRotating { file.epoch += 1 }
        return try FileRecord(
            sealing: file,
            owner: owner,
            key: isRotating ? FileKey(random: random) : oldKey,
            bodyKey: isRotating ? nil : bodyKey,
            previous: isRotating ? oldKey : seal.old.carriedKey(oldKey, random: random),
            in: seal.folder,
            random: random
        )
    }
}
