import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel

extension LockbookServer {
    /// Which of these this account has not sent yet; what others sent does not count.
    ///
    /// A content counts as sent whose file is here although no row names it. It gets its row with the
    /// push: until then nothing is counted, and nothing would be collected in two days.
    func missing(_ request: Lockbook_V1_MissingRequest, for account: StoredAccount) async throws
        -> Lockbook_V1_MissingResponse
    {
        guard request.records.count <= Wire.maximumNamesPerRequest,
            request.blobs.count <= Wire.maximumNamesPerRequest
        else { throw Refusal(.tooLarge, "too many names in one request") }
        let author = account
        let account = try await owner(request.log, for: author, atLeast: .write)
        let records = try hashes(request.records)
        let blobs = try hashes(request.blobs).map { BlobName(hash: $0) }
        let (absentRecords, absent) = try await read(of: account) { store in
            let absent = zip(blobs, try store.blobs(blobs, of: account.key))
                .filter { $0.1 == nil }.map(\.0)
            return (try store.absentRecords(records, of: account.key), absent)
        }
        // That a member names a content does not say that he may read it.
        let files =
            try await author.id == account.id ? filesToTakeOver(absent, of: account) : []
        let found = Set(files.map(\.blob.name))
        var response = Lockbook_V1_MissingResponse()
        response.records = absentRecords.map(\.data)
        response.blobs = absent.filter { !found.contains($0) }.map(\.hash.data)
        return response
    }

    func stage(_ request: Lockbook_V1_StageRequest, for account: StoredAccount) async throws
        -> Lockbook_V1_StageResponse
    {
        let author = account
        let account = try await owner(request.log, for: author, atLeast: .write)
        let parcel = try Parcel(records: request.records, blobs: request.blobs)
        guard parcel.facts.allSatisfy({ $0.owner == account.id }) else {
            throw Refusal(.notPermitted, "a record of another tree")
        }
        let now = settings.now()
        try await place(parcel.files, of: account) {
            try await write(of: account, by: author) { store in
                try store.insert(parcel.blobs, of: account.key, at: now)
                try store.insert(parcel.records, of: account.key, at: now)
                try requireRoom(for: account.key, contents: !parcel.blobs.isEmpty, in: store)
            }
        }
        return Lockbook_V1_StageResponse()
    }

    /// Puts files on disk ahead of the transaction that refers to them, and takes those away again
    /// that it does not name in the end.
    /// - Parameters:
    ///   - unnamed: files that are there already, and that the transaction refers to as well.
    ///   - isKept: whether the transaction wrote something, by what it returned.
    func place<Value>(
        _ files: [(name: BlobName, bytes: [UInt8])],
        takingOver unnamed: [UnnamedFile] = [],
        of account: StoredAccount,
        keeping isKept: (Value) -> Bool = { _ in true },
        before transaction: () async throws -> Value
    ) async throws -> Value {
        guard !files.isEmpty || !unnamed.isEmpty else { return try await transaction() }
        return try await placing.hold {
            let blobStore = blobStore
            guard try await areUnchanged(unnamed, of: account) else { throw StoreFailure.collected }
            // Nobody else would remove the folder that would be made for them.
            _ = try await store.read { try $0.requireAccount(account.id) }
            try await requireRoom(for: files, of: account)
            // What was there may be the only copy of what another device is about to name.
            let new = try await onOwnThread {
                files.map(\.name).filter { blobStore.state(of: $0, of: account.id) == nil }
            }
            do {
                try await onOwnThread { try blobStore.put(files, of: account.id) }
                let value = try await transaction()
                if !isKept(value) { await takeBack(new, of: account) }
                return value
            } catch {
                await takeBack(new, of: account)
                throw error
            }
        }
    }

    /// Files for which there is no room are not even written.
    private func requireRoom(
        for files: [(name: BlobName, bytes: [UInt8])],
        of account: StoredAccount
    ) async throws {
        guard settings.quota != nil else { return }
        try await store.read { store in
            let known = try store.blobs(files.map(\.name), of: account.key)
            let more = zip(files, known).reduce(UInt64(0)) { sum, file in
                file.1 == nil ? sum + UInt64(file.0.bytes.count) : sum
            }
            guard more > 0 else { return }
            try requireRoom(for: account.key, contents: true, beside: more, in: store)
        }
    }

    /// Deletes those of these files that no row names; under the hold in which they were put, so that
    /// nobody else is about to name them.
    ///
    /// What fails here the collection does later.
    private func takeBack(_ names: [BlobName], of account: StoredAccount) async {
        let blobStore = blobStore
        guard let unnamed = try? await unnamed(names, of: account) else { return }
        try? await onOwnThread {
            for name in unnamed { try blobStore.delete(name, of: account.id) }
        }
    }

    func hashes(_ data: [Data]) throws(Refusal) -> [Hash256] {
        var hashes: [Hash256] = []
        hashes.reserveCapacity(data.count)
        for data in data {
            guard let hash = Hash256(data) else { throw Refusal(.malformed, "a hash is 32 bytes") }
            hashes.append(hash)
        }
        return hashes
    }
}
