import LockbookCrypto
import Synchronization

/// The last content that was fetched to be read, and that the data directory did not take.
///
/// Notes are read all the same then, and copied to another disk: that is when somebody wants them out.
final class UnkeptContent: Sendable {
    private let content = Mutex<FetchedBlob?>(nil)

    func hold(_ blob: FetchedBlob) { content.withLock { $0 = blob } }

    func letGo() { content.withLock { $0 = nil } }

    /// - Returns: nil for any other content.
    func bytes(of name: BlobName) -> [UInt8]? {
        content.withLock { $0?.name == name ? $0?.bytes : nil }
    }
}
