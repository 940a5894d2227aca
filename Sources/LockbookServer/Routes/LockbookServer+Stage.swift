import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel

extension LockbookServer {
    /// Which of these this account has not sent yet; what others sent does not count.
    func missing(_ request: Lockbook_V1_MissingRequest, for account: StoredAccount) async throws
        -> Lockbook_V1_MissingResponse
    {
        guard request.records.count <= Wire.maximumNamesPerRequest,
            request.blobs.count <= Wire.maximumNamesPerRequest
        else { throw Refusal(.tooLarge, "too many names in one request") }
        let account = try await owner(request.log, for: account, atLeast: .write)
        let records = try hashes(request.records)
        let blobs = try hashes(request.blobs).map { BlobName(hash: $0) }
        return try await store.read { store in
            var response = Lockbook_V1_MissingResponse()
            response.records = try store.absentRecords(records, of: account.key).map(\.data)
            response.blobs = zip(blobs, try store.blobs(blobs, of: account.key))
                .filter { $0.1 == nil }.map { $0.0.hash.data }
            return response
        }
    }

    func stage(_ request: Lockbook_V1_StageRequest, for account: StoredAccount) async throws
        -> Lockbook_V1_StageResponse
    {
        let account = try await owner(request.log, for: account, atLeast: .write)
        let parcel = try Parcel(records: request.records, blobs: request.blobs)
        guard parcel.facts.allSatisfy({ $0.owner == account.id }) else {
            throw Refusal(.notPermitted, "a record of another tree")
        }
        let now = settings.now()
        try await place(parcel.files, of: account) {
            try await store.write { store in
                try store.insert(parcel.blobs, of: account.key, at: now)
                try store.insert(parcel.records, of: account.key, at: now)
                try requireRoom(for: account.key, contents: !parcel.blobs.isEmpty, in: store)
            }
        }
        return Lockbook_V1_StageResponse()
    }

    /// Puts files on disk ahead of the transaction that refers to them.
    func place<Value>(
        _ files: [(name: BlobName, bytes: [UInt8])],
        of account: StoredAccount,
        before transaction: () async throws -> Value
    ) async throws -> Value {
        guard !files.isEmpty else { return try await transaction() }
        return try await placing.hold {
            let blobStore = blobStore
            try await onOwnThread { try blobStore.put(files, of: account.id) }
            return try await transaction()
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
