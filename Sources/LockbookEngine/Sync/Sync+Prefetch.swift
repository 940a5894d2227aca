import LockbookAPI
import LockbookCrypto
import LockbookModel

extension Sync {
    /// More wait on the server until what has arrived is stored: all of this is in memory.
    private static let mostPrefetched: UInt64 = 2 * UInt64(Wire.batchByteCount)

    /// The small contents that pages lead to and that are not here, where they are many.
    ///
    /// The server is idle while a device merges, and a device waits while the server reads: a new
    /// device asks for them before it merges.
    func expectedContents(of pages: [VerifiedPage]) throws -> [(name: BlobName, size: UInt64)] {
        guard prefetches, !options.isDryRun else { return [] }
        let most = min(
            UInt64(Wire.smallBlobByteCount),
            options.full ? .max : environment.lazyByteCount
        )
        var names: Set<BlobName> = []
        var blobs: [(name: BlobName, size: UInt64)] = []
        var size: UInt64 = 0
        for page in pages {
            for record in page.records.values where !record.facts.isDeleted {
                guard let blob = record.facts.blob, blob.size <= most,
                    size + blob.size <= Self.mostPrefetched, names.insert(blob.name).inserted
                else { continue }
                blobs.append((blob.name, blob.size))
                size += blob.size
            }
        }
        guard size >= environment.prefetchByteCount else { return [] }
        return try store.read { tree in
            // A new device has none of them.
            try tree.head() == nil ? blobs : blobs.filter { try !tree.hasBlob($0.name) }
        }
    }

    /// - Returns: as many as came; what fails now is asked for again, and told then.
    func prefetch(_ blobs: [(name: BlobName, size: UInt64)]) async -> [FetchedBlob] {
        var rest = blobs[...]
        var arrived: [FetchedBlob] = []
        while !rest.isEmpty, let batch = try? await fetchSmall(rest) {
            arrived.append(contentsOf: batch)
            rest = rest.dropFirst(batch.count)
        }
        return arrived
    }
}
