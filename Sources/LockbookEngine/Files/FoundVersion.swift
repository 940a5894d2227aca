import LockbookCrypto
import LockbookModel

/// A version as it was found, here or at the server.
struct FoundVersion: Sendable {
    let record: FileRecord
    /// The entry that lists it; nil for what the server did not tell of.
    var position: UInt64?
    /// When that entry was signed; of what is on this device alone, when it was changed so, if
    /// that is known.
    var changed: Timestamp?
    /// When this device put something else in its place before any server had it.
    var replaced: Timestamp?
    /// Whether it is on this device alone.
    var isUnsynced = false
    var isProven = true
    /// Which of the file's records it was on this device, as far as its commands are remembered: that
    /// goes before what any clock said.
    var turn: Int?
    /// The file's key of that time, where this device kept it.
    var key: FileKey?

    var hash: Hash256 { record.hash }
}

extension FileRecord {
    /// How a version is called.
    var versionName: String { String(hash.description.prefix(16)) }
}
