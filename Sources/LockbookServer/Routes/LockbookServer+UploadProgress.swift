import LockbookCrypto
import LockbookModel

/// How far uploads are, and how they end.
extension LockbookServer {
    /// What is there of an upload; after a restart that is read from its file.
    func progress(of name: BlobName, for account: StoredAccount) async throws
        -> Uploads.Progress
    {
        while true {
            if let known = await uploads.progress(of: name, for: account.key) { return known }
            guard let reading = await uploads.beginReading(name, for: account.key) else {
                continue
            }
            let found: (upload: StoredUpload, intact: Int)
            do {
                found = try await read(name, for: account)
            } catch {
                await uploads.giveUp(reading)
                throw error
            }
            let begun = await uploads.end(reading, of: found.upload, intact: found.intact)
            // What was found may have been taken away meanwhile.
            if let begun { return begun }
        }
    }

    private func read(_ name: BlobName, for account: StoredAccount) async throws
        -> (upload: StoredUpload, intact: Int)
    {
        let upload = try await stored(name, for: account)
        let blobStore = blobStore
        let intact = try await onOwnThread {
            try blobStore.intactSegments(of: upload, of: account.id)
        }
        return (upload, intact)
    }

    func announced(_ name: BlobName, for account: StoredAccount) async throws
        -> StoredUpload
    {
        if let known = await uploads.progress(of: name, for: account.key) { return known.upload }
        return try await stored(name, for: account)
    }

    private func stored(_ name: BlobName, for account: StoredAccount) async throws -> StoredUpload {
        let upload = try await store.read { try $0.upload(name, of: account.key) }
        guard let upload else { throw Self.notBegun }
        return upload
    }

    /// Ends an upload whose last segment came.
    /// - Returns: the first segment that is not here.
    func complete(_ progress: Uploads.Progress, for account: StoredAccount) async throws
        -> Int
    {
        guard progress.next == progress.upload.segments.count else { return progress.next }
        let (name, blobStore) = (progress.upload.name, blobStore)
        do {
            // Of a large one that takes long, and under the hold others could place nothing.
            try await onOwnThread { try blobStore.flush(name, of: account.id) }
        } catch {
            await uploads.forget(name, for: account.key)
            throw error
        }
        try await placing.hold {
            do {
                try await finish(progress.upload, for: account)
            } catch {
                // Its file may be under either name: what is there is read again.
                await uploads.forget(name, for: account.key)
                throw error
            }
            await uploads.forget(name, for: account.key)
        }
        return progress.next
    }

    /// Gives an upload its name and its row, under the hold of `placing`.
    private func finish(_ upload: StoredUpload, for account: StoredAccount) async throws {
        if try await isStored(upload.name, for: account) { return }
        // A collection may have taken it away, with what came before.
        let known = await uploads.progress(of: upload.name, for: account.key)
        guard known?.next == upload.segments.count else { throw Self.notBegun }
        let blobStore = blobStore
        let now = settings.now()
        try await onOwnThread { try blobStore.finish(upload.name, of: account.id) }
        try await write(of: account) { store in
            try store.insert(
                [
                    NewBlob(
                        name: upload.name,
                        size: upload.length,
                        place: .file(segments: upload.segments)
                    )
                ],
                of: account.key,
                at: now
            )
            try store.deleteUpload(upload.name, of: account.key)
        }
    }

    /// Takes away what came of an upload for which there is no room: with what it takes up everybody
    /// else's changes would be refused, too.
    func giveUp(_ name: BlobName, for account: StoredAccount) async {
        let blobStore = blobStore
        // Else another request could be finishing it.
        try? await placing.hold {
            await uploads.forget(name, for: account.key)
            try? await onOwnThread { try blobStore.deleteUpload(name, of: account.id) }
            // It may have been read from its file before that was gone.
            await uploads.forget(name, for: account.key)
            // What is left of it, also where there is no room to say so, is collected in two days.
            try? await store.write { try $0.deleteUpload(name, of: account.key) }
        }
    }

    func isStored(_ name: BlobName, for account: StoredAccount) async throws -> Bool {
        try await read(of: account) { try $0.blobs([name], of: account.key) != [nil] }
    }
}
