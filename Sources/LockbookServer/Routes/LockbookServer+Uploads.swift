import LockbookAPI
import LockbookCrypto
import LockbookModel
import NIOCore
import NIOFoundationCompat

extension LockbookServer {
    /// Begins a large blob, or says where to go on.
    func upload(_ request: Lockbook_V1_UploadRequest, for account: StoredAccount) async throws
        -> Lockbook_V1_UploadResponse
    {
        let author = account
        let account = try await owner(request.log, for: author, atLeast: .write)
        let segments = try hashes(request.segments)
        let length = request.length
        guard length <= Wire.maximumBlobByteCount else {
            throw Refusal(.tooLarge, "a blob may be 64 GiB")
        }
        // Each is a file, and a quota counts its bytes.
        guard length > UInt64(Wire.smallBlobByteCount) else {
            throw Refusal(.malformed, "a blob up to 1 MiB goes with others")
        }
        let name = BlobName(length: length, segments: segments)
        guard UInt64(segments.count) == ContentFormat.segmentCount(of: length),
            Hash256(request.name) == name.hash
        else { throw Refusal(.malformed, "the name does not fit the segments") }
        let wanted = StoredUpload(name: name, length: length, segments: segments)
        var response = Lockbook_V1_UploadResponse()
        if try await read(of: account, { try $0.blobs([name], of: account.key).first ?? nil })
            != nil
        {
            response.nextSegment = UInt32(segments.count)
            return response
        }
        let blobStore = blobStore
        let hasRoom = try await onOwnThread { try blobStore.hasRoom(for: wanted, of: account.id) }
        guard hasRoom else { throw Self.noRoom }
        guard try await begin(wanted, by: author, for: account) else {
            response.nextSegment = UInt32(segments.count)
            return response
        }
        let progress = try await progress(of: name, for: account)
        response.nextSegment = UInt32(try await complete(progress, for: account))
        return response
    }

    /// Makes the row and the file of an upload; those that are there stay.
    /// - Returns: false when it was finished meanwhile.
    private func begin(
        _ upload: StoredUpload,
        by author: StoredAccount,
        for account: StoredAccount
    ) async throws -> Bool {
        let blobStore = blobStore
        let now = settings.now()
        let most = author.id == account.id ? settings.uploadCount : settings.uploadCount / 2
        return try await placing.hold {
            let isNew = try await write(of: account) { store in
                guard try store.blobs([upload.name], of: account.key) == [nil] else { return false }
                let isGoingOn = try store.upload(upload.name, of: account.key) != nil
                guard try isGoingOn || store.uploadCount(of: account.key) < most else {
                    throw Self.tooMany
                }
                try store.insert(upload, of: account.key, at: now)
                try requireRoom(for: account.key, contents: true, in: store)
                return true
            }
            guard isNew else { return false }
            let hasNewFile = try await onOwnThread {
                try blobStore.begin(upload.name, of: account.id)
            }
            if hasNewFile { await uploads.forget(upload.name, for: account.key) }
            return true
        }
    }

    /// Takes segments of an upload; those that came before are taken again.
    func uploadSegments(
        _ body: ByteBuffer,
        to name: BlobName,
        first: Int,
        log: AccountID?,
        for account: StoredAccount
    ) async throws -> Lockbook_V1_UploadResponse {
        let account = try await owner(log ?? account.id, for: account, atLeast: .write)
        var response = Lockbook_V1_UploadResponse()
        let stored = try await read(of: account) {
            try $0.blobs([name], of: account.key).first ?? nil
        }
        if let stored {
            response.nextSegment = UInt32(ContentFormat.segmentCount(of: stored.size))
            return response
        }
        // Before its file is read, which is much work.
        let count = try await announced(name, for: account)
            .verify(body.readableBytesView, first: first)
        let known = try await progress(of: name, for: account)
        let now = settings.now()
        // A slow line may need longer than the time that staged things are kept.
        let age = settings.stagedSeconds / 48
        if await uploads.renews(name, for: account.key, at: now, ifOlderThan: age) {
            try await write(of: account) { try $0.insert(known.upload, of: account.key, at: now) }
        }
        let blobStore = blobStore
        let isWritten: Bool
        do {
            isWritten = try await onOwnThread {
                try blobStore.write(
                    body.readableBytesView,
                    at: UInt64(first) << 20,
                    to: name,
                    of: account.id
                )
            }
        } catch let error where StoreFailure.isFull(error) {
            await giveUp(name, for: account)
            throw Self.noRoom
        }
        let came = first..<first + count
        var noted =
            isWritten ? await uploads.received(came, of: known, for: account.key) : nil
        if noted == nil {
            // Another request may be finishing it.
            if try await placing.hold({ try await isStored(name, for: account) }) {
                response.nextSegment = UInt32(known.upload.segments.count)
                return response
            }
            // Or there was no room to know of it: its file says what came.
            if isWritten { noted = try await self.progress(of: name, for: account) }
        }
        guard let progress = noted else { throw Self.notBegun }
        response.nextSegment = UInt32(try await complete(progress, for: account))
        return response
    }

    /// Takes away what came of an upload for which there is no room: with what it takes up everybody
    /// else's changes would be refused, too.
    private func giveUp(_ name: BlobName, for account: StoredAccount) async {
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

    private func isStored(_ name: BlobName, for account: StoredAccount) async throws -> Bool {
        try await read(of: account) { try $0.blobs([name], of: account.key) != [nil] }
    }

    private static let noRoom = Refusal(.tooLarge, "the server's disk has no room for this content")
    private static let tooMany = Refusal(
        .tooLarge,
        "too many contents of this account have begun to come, and not ended"
    )
    private static let notBegun = Refusal(.notFound, "this upload has not begun")

    /// What is there of an upload; after a restart that is read from its file.
    private func progress(of name: BlobName, for account: StoredAccount) async throws
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

    private func announced(_ name: BlobName, for account: StoredAccount) async throws
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
    private func complete(_ progress: Uploads.Progress, for account: StoredAccount) async throws
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
}

extension StoredUpload {
    /// Checks segments against their digests.
    /// - Returns: how many they are.
    fileprivate func verify(_ bytes: ByteBufferView, first: Int) throws(Refusal) -> Int {
        guard first < segments.count else {
            throw Refusal(.malformed, "the blob has fewer segments")
        }
        let segment = ContentFormat.segmentByteCount
        let rest = length - UInt64(first) * UInt64(segment)
        let isWhole = bytes.count.isMultiple(of: segment) || UInt64(bytes.count) == rest
        guard !bytes.isEmpty, UInt64(bytes.count) <= rest, isWhole else {
            throw Refusal(.malformed, "only the last segment of a blob is shorter than 1 MiB")
        }
        var index = first
        var start = bytes.startIndex
        while start < bytes.endIndex {
            let end = min(start + segment, bytes.endIndex)
            guard Hash256(sha256: bytes[start..<end]) == segments[index] else {
                throw Refusal(.malformed, "a segment is not the one that was announced")
            }
            start = end
            index += 1
        }
        return index - first
    }
}
