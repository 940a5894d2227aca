import LockbookModel

extension LockbookServer {
    /// Deletes what nobody can be sent any more and what was staged and never pushed.
    /// - Returns: how many rows went.
    @discardableResult
    package func collect() async throws -> Int {
        let now = settings.now()
        let limits = CollectionLimits(
            supersededBefore: now - Int64(settings.retentionDays) * 86_400,
            keptVersions: settings.keptVersions,
            stagedBefore: now - settings.stagedSeconds,
            replacedBefore: now - 86_400
        )
        // Until then there is a sentence for who comes too late.
        let longAgo = (now - 30 * 86_400) * 1_000
        try await store.write { try $0.deleteInvitations(expiredBefore: longAgo) }
        var total = 0
        var more = true
        while more {
            let (store, blobStore, uploads) = (store, blobStore, uploads)
            let collected = try await placing.hold {
                // Rows first: a file without a row is only space, a row without a file is a loss.
                let collected = try await store.write { try $0.collect(limits) }
                try await onOwnThread {
                    for file in collected.files {
                        try blobStore.delete(file.name, of: file.owner)
                    }
                    for upload in collected.uploads {
                        try blobStore.deleteUpload(upload.name, of: upload.owner)
                    }
                }
                for upload in collected.uploads {
                    await uploads.forget(upload.name, for: upload.key)
                }
                return collected
            }
            total += collected.rowCount
            more = collected.more
        }
        return total
    }
}
