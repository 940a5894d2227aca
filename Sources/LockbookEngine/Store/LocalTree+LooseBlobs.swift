import LockbookCrypto
import LockbookModel

/// Contents that nothing here needs, but perhaps the entry whose fate is open.
extension LocalTree {
    /// A content, and the file that had it, as bytes.
    private static let looseByteCount = 48

    /// Lets go of contents of files, unless these have them: at once, or when it is known what became of
    /// the entry, which may have to be sent again with them.
    func letGo(_ contents: [(blob: BlobName, file: FileID)]) throws {
        guard !contents.isEmpty else { return }
        guard try !hasPendingFiles() else {
            // All of a command's at once: what waits already is written anew with each.
            let loose = try setting(.looseBlobs) ?? []
            let more = contents.flatMap { $0.file.bytes + $0.blob.hash.bytes }
            return try set(.looseBlobs, to: loose + more)
        }
        for (blob, file) in contents where try row(file)?.has(blob) != true { try dropBlob(blob) }
    }

    /// Lets go of what waited for the entry that is forgotten now.
    func dropLooseBlobs() throws {
        guard let loose = try setting(.looseBlobs) else { return }
        try set(.looseBlobs, to: nil)
        try letGo(
            stride(from: 0, to: loose.count, by: Self.looseByteCount).compactMap { start in
                let pair = loose[start...].prefix(Self.looseByteCount)
                guard let file = FileID(pair.prefix(16)), let hash = Hash256(pair.dropFirst(16))
                else { return nil }
                return (BlobName(hash: hash), file)
            }
        )
    }
}
