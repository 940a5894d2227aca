import Glibc
import LockbookCrypto

/// A sealed content that is here already under another name, for as long as nobody knows whether that
/// stays.
///
/// What gave its bytes gives them once. It has no name of its own yet, and goes when nothing holds it.
final class SpareContent: Sendable {
    private let file: DiskFile
    private let blobs: BlobFolder

    init(_ file: DiskFile, in blobs: BlobFolder) {
        self.file = file
        self.blobs = blobs
    }

    deinit { blobs.discard(file) }

    /// Reads it from its beginning.
    func reader() throws -> DiskFile { try DiskFile(file.path, flags: O_RDONLY) }

    /// Gives it its name.
    func keep(as name: BlobName) throws { try blobs.keep(file, as: name) }
}
