package import LockbookCrypto
package import LockbookModel

/// The store's own name for an account and its log.
package struct AccountKey: Hashable, Sendable {
    package let row: Int64
}

/// The store's own name for a record.
package struct RecordKey: Hashable, Sendable {
    package let row: Int64
}

/// The store's own name for a blob.
package struct BlobKey: Hashable, Sendable {
    package let row: Int64
}

package struct StoredAccount: Sendable {
    package var key: AccountKey
    package var id: AccountID
    /// As the certificate says.
    package var username: String
    package var certificate: [UInt8]
    package var signingKey: VerifyingKey
    package var head: LogHead
    /// The first position whose groups are kept.
    package var bodiesFrom: UInt64
}

/// What is left of an account that its owner deleted.
package struct StoredEnd: Sendable {
    package var id: AccountID
    /// What the owner signed.
    package var statement: [UInt8]
}

package struct StoredEntry: Sendable {
    package var header: [UInt8]
    package var hash: Hash256
    /// Only at position 0.
    package var certificate: [UInt8]?
    /// The server's time when it came, in seconds.
    package var time: Int64
}

package struct NewEntry: Sendable {
    package var header: EntryHeader
    package var headerHash: Hash256
    package var certificate: [UInt8]?
    package var groups: [(scope: FileID, bytes: [UInt8])]
    /// The server's time, in seconds.
    package var time: Int64
}

package struct StoredRecord: Sendable {
    package var key: RecordKey
    package var bytes: [UInt8]
}

package struct NewRecord: Sendable {
    package var hash: Hash256
    package var bytes: [UInt8]
}

package struct StoredBlob: Equatable, Sendable {
    package var key: BlobKey
    package var name: BlobName
    package var size: UInt64
    /// Whether what named it was purged, and nobody sent its bytes since.
    package var isLetGo: Bool
}

package struct NewBlob: Sendable {
    package enum Place: Sendable {
        case row([UInt8])
        /// A file that is on disk already, and the digests of its segments.
        case file(segments: [Hash256])
    }

    package var name: BlobName
    package var size: UInt64
    package var place: Place
}

/// The newest version of a file.
package struct CurrentFile: Sendable {
    package var version: Int64
    package var facts: FileFacts
    /// Names its key.
    package var keyCommitment: Hash256
    package var blob: BlobKey?
}

package struct NewVersion: Sendable {
    package var facts: FileFacts
    package var record: RecordKey
    package var blob: BlobKey?
    /// The version that this one takes the place of.
    package var replacing: Int64?
}

/// A record that a file had from a position on.
package struct StoredVersion: Sendable {
    package var position: UInt64
    package var bytes: [UInt8]
}

package struct StateItem: Sendable {
    package var file: FileID
    package var scope: FileID
    package var recordHash: Hash256
    package var record: RecordKey
    package var recordByteCount: Int
}

/// A grant that holds, or held, for one account.
package struct StoredMembership: Sendable {
    package var file: FileID
    package var mode: ShareMode
    package var position: UInt64
    /// The position of the grant that took its place.
    package var superseded: UInt64?
}

/// What a scope stands in, and after which entries that is so at least.
package struct StoredSurrounding: Sendable {
    package var scope: FileID?
    package var positions: ClosedRange<UInt64>
}

package struct StoredCheckpoint: Sendable {
    package var position: UInt64
    package var bytes: [UInt8]
}

/// A large blob that is on its way.
package struct StoredUpload: Sendable, Equatable {
    package var name: BlobName
    package var length: UInt64
    package var segments: [Hash256]
}

/// Times before which things may go, in seconds.
package struct CollectionLimits: Sendable {
    /// Superseded versions and groups older than this.
    package var supersededBefore: Int64
    /// How many of the newest versions of a file that is not deleted stay however old.
    package var keptVersions: Int
    /// Staged records, blobs and uploads older than this.
    package var stagedBefore: Int64
    /// Checkpoints that were replaced before this.
    package var replacedBefore: Int64
    /// Rows of one kind to delete in one transaction.
    package var batch = 2_000
    /// Contents to delete in one transaction, which have up to 64 KiB each in their rows: all wait
    /// meanwhile who write.
    package var contentBatch: Int { max(1, batch / 32) }
    /// Whether a batch is smaller than it was, since the disk has little room.
    package private(set) var isNarrow = false

    mutating func narrow() {
        batch = max(1, batch / 8)
        isNarrow = true
    }
}

/// Versions of a log that were superseded long ago, and that may go.
package struct OldVersions: Sendable {
    package var rows: [Int64] = []
    /// The last position at which any of them was superseded.
    package var last: Int64 = 0
    /// Whether there may be others.
    package var more = false
}

/// Records and contents that no version names, and that may go.
package struct LooseRows: Sendable {
    package var records: [RecordKey] = []
    package var blobs: [BlobKey] = []
    /// What was looked at, up to this row.
    package var lastRecord: Int64 = 0
    package var lastBlob: Int64 = 0

    /// Whether there may be others behind these.
    package var more: Bool { lastRecord < .max || lastBlob < .max }

    /// Whether nothing was found.
    package var isEmpty: Bool { records.isEmpty && blobs.isEmpty }

    /// Takes away what goes in one transaction.
    mutating func removeFirst(_ limits: CollectionLimits) -> LooseRows {
        let first = LooseRows(
            records: Array(records.prefix(limits.batch)),
            blobs: Array(blobs.prefix(limits.contentBatch))
        )
        records.removeFirst(first.records.count)
        blobs.removeFirst(first.blobs.count)
        return first
    }
}

/// What a collection deleted.
package struct Collected: Sendable {
    package var rowCount = 0
    /// Files that no row names any more.
    package var files: [(owner: AccountID, name: BlobName)] = []
    package var uploads: [(owner: AccountID, key: AccountKey, name: BlobName)] = []
    /// Rows that stay since they do not hold what this program wrote, for the log.
    package var damaged: [String] = []
    /// Whether a batch was full.
    package var more = false
}
