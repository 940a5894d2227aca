import LockbookCrypto
import LockbookModel

extension ResolvedPush {
    /// Writes the push, where the log is what it was validated against.
    func commit(to store: any MetadataWriting, for account: StoredAccount, at time: Int64) throws
        -> PushOutcome
    {
        guard let account = try store.account(id: account.id) else { throw StoreFailure.damaged }
        if let decided = try push.decided(by: account, in: store) { return decided }
        guard try store.collectionMark() == collectionMark else {
            // A collection came between. What is found in here nobody deletes before it is written.
            let found = try push.resolve(in: store, for: account)
            guard case .ready(let resolved) = found else { return found }
            return try resolved.commit(to: store, for: account, at: time)
        }
        // The log is what it was when the push was validated; what others say of its author may have changed.
        try push.validateGrants(in: store, for: account)
        let position = push.header.position
        try store.append(
            NewEntry(
                header: push.header,
                headerHash: push.headerHash,
                groups: push.groups,
                time: time
            ),
            to: account.key
        )
        try store.apply(
            try versions(in: store, for: account, at: time),
            at: position,
            to: account.key
        )
        try store.purge(push.purged.keys.sorted(), at: position, in: account.key)
        if !push.grants.isEmpty { try store.apply(push.grants, at: position, to: account.key) }
        return .accepted
    }

    private func versions(
        in store: any MetadataWriting,
        for account: StoredAccount,
        at time: Int64
    ) throws -> [NewVersion] {
        let (parcel, contents) = (push.parcel, push.contents)
        var newRecords: [Hash256: RecordKey] = [:]
        let recordKeys = try store.insert(parcel.records, of: account.key, at: time)
        for (record, key) in zip(parcel.records, recordKeys) { newRecords[record.hash] = key }
        var blobKeys = blobs
        let newKeys = try store.insert(contents, of: account.key, at: time)
        for (blob, key) in zip(contents, newKeys) { blobKeys[blob.name] = key }
        // An older database may know of their uploads alone.
        for file in push.unnamed { try store.deleteUpload(file.blob.name, of: account.key) }
        return try facts.indices.map { index in
            let hash = push.listed[index].reference.hash
            guard let record = records[index] ?? newRecords[hash] else {
                throw StoreFailure.damaged
            }
            let facts = facts[index]
            return NewVersion(
                facts: facts,
                record: record,
                blob: facts.blob.flatMap { blobKeys[$0.name] },
                replacing: (current[facts.id] ?? nil)?.version
            )
        }
    }
}
