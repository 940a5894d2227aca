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

    private static let noRoom = Refusal(.tooLarge, "the server's disk has no room for this content")
    private static let tooMany = Refusal(
        .tooLarge,
        "too many contents of this account have begun to come, and not ended"
    )
    static let notBegun = Refusal(.notFound, "this upload has not begun")
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
