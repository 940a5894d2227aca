import LockbookCrypto
import LockbookModel

/// Contents that nothing here needs, but perhaps the entry whose fate is open.
extension LocalTree {
    /// A content, and the file that had it, as bytes.
    private static let looseByteCount = 48

    /// Lets go of a content of a file, unless the file has it: at once, or when it is known what became
    /// of the entry, which may have to be sent again with it.
    func letGo(_ blob: BlobName, of file: FileID) throws {
        guard try !hasPendingFiles() else {
            let loose = try setting(.looseBlobs) ?? []
            return try set(.looseBlobs, to: loose + file.bytes + blob.hash.bytes)
        }
        if try row(file)?.has(blob) != true { try dropBlob(blob) }
    }

    /// Lets go of what waited for the entry that is forgotten now.
    func dropLooseBlobs() throws {
        guard let loose = try setting(.looseBlobs) else { return }
        try set(.looseBlobs, to: nil)
        for start in stride(from: 0, to: loose.count, by: Self.looseByteCount) {
            let pair = loose[start...].prefix(Self.looseByteCount)
            guard let file = FileID(pair.prefix(16)), let hash = Hash256(pair.dropFirst(16)) else {
                continue
            }
            try letGo(BlobName(hash: hash), of: file)
        }
    }
}
