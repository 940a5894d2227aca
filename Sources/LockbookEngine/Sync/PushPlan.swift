import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

/// One entry that is to be pushed, and what has to be at the server for it.
struct PushPlan {
    struct Item {
        let reference: RecordReference
        let scope: FileID
        let recordByteCount: Int
        /// The record, where it is at hand.
        var record: [UInt8]?
        let blob: BlobReference?
        var sendsRecord = true
        var sendsBlob = true

        /// A blob that travels in segments.
        var largeBlob: BlobReference? {
            guard let blob, sendsBlob, blob.size > UInt64(Wire.smallBlobByteCount) else {
                return nil
            }
            return blob
        }

        /// What the item adds to a batch.
        var byteCount: Int {
            let small = sendsBlob && largeBlob == nil ? Int(clamping: blob?.size ?? 0) : 0
            return (sendsRecord ? recordByteCount : 0) + small + 96
        }
    }

    struct Batch: Sendable {
        var records: [Data] = []
        var blobs: [Lockbook_V1_Blob] = []

        func stageRequest(for log: Data) -> Lockbook_V1_StageRequest {
            .with {
                $0.log = log
                $0.records = records
                $0.blobs = blobs
            }
        }
    }

    /// Why a file stays here whose content somebody removed or changed.
    static let unreadable = "its content cannot be read on this device"

    static func unreadableContent(of file: FileID) -> RefusedChange {
        RefusedChange(file: file, reason: unreadable, isUnreadable: true)
    }

    let entry: PendingEntry
    private(set) var items: [Item]
    /// Whether it was signed just now, and nobody was told of it.
    var isNew = true
    /// Whose log it is for, where that is another account's.
    var log: Data {
        entry.header.log == entry.header.author ? Data() : Data(entry.header.log.hash.bytes)
    }

    var byteCount: UInt64 {
        items.reduce(0) { $0 + UInt64($1.recordByteCount) + ($1.blob?.size ?? 0) }
    }

    /// What the server may not have yet.
    var wanted: [Item] { items.filter { $0.sendsRecord || $0.sendsBlob } }

    /// Whether something has to be at the server before it is asked to append the entry.
    func sendsAhead(_ byteCount: Int) -> Bool {
        items.contains { $0.largeBlob != nil } || Self.batches(of: wanted, byteCount).count > 1
    }

    /// Spares the records that the server has already.
    mutating func spare(_ sent: Set<Hash256>) {
        guard !sent.isEmpty else { return }
        for index in items.indices where sent.contains(items[index].reference.hash) {
            items[index].sendsRecord = false
        }
    }

    /// - Parameter byteCount: what one request aims at.
    static func batches(of items: [Item], _ byteCount: Int) -> [[Item]] {
        var batches: [[Item]] = []
        var batch: [Item] = []
        var size = 0
        for item in items {
            if size + item.byteCount > byteCount, !batch.isEmpty {
                batches.append(batch)
                batch = []
                size = 0
            }
            batch.append(item)
            size += item.byteCount
        }
        if !batch.isEmpty { batches.append(batch) }
        return batches
    }
}
