import LockbookAPI
import LockbookCrypto
import LockbookModel

/// A push of which every record and blob was found.
struct ResolvedPush: Sendable {
    let push: PreparedPush
    let facts: [FileFacts]
    /// Where what was staged is; nil for what came with the push.
    let records: [RecordKey?]
    let blobs: [BlobName: BlobKey]
    let collectionMark: Int64
}

extension PreparedPush {
    /// Looks up what is listed.
    func resolve(in store: any MetadataReading, for account: StoredAccount) throws -> PushOutcome {
        guard let account = try store.account(id: account.id) else { throw StoreFailure.damaged }
        if let decided = try decided(by: account, in: store) { return decided }
        var inline: [Hash256: Int] = [:]
        for (index, record) in parcel.records.enumerated() { inline[record.hash] = index }
        let absent = listed.filter { inline[$0.reference.hash] == nil }.map(\.reference.hash)
        var staged = try staged(absent, in: store, for: account)[...]
        var facts: [FileFacts] = []
        var keys: [RecordKey?] = []
        var missing = Lockbook_V1_MissingResponse()
        var byteCount = 0
        facts.reserveCapacity(listed.count)
        keys.reserveCapacity(listed.count)
        for (scope, reference) in listed {
            let found: FileFacts
            if let index = inline[reference.hash] {
                found = parcel.facts[index]
                keys.append(nil)
                byteCount += parcel.records[index].bytes.count
            } else if let record = staged.removeFirst() {
                found = record.facts
                keys.append(record.key)
                byteCount += record.byteCount
            } else {
                missing.records.append(reference.hash.data)
                continue
            }
            try check(found, against: reference, in: scope)
            facts.append(found)
        }
        guard byteCount <= Wire.maximumEntryByteCount else {
            throw Refusal(.tooLarge, "the records of one push may be 128 MiB together")
        }
        let blobs = try blobs(of: facts, in: store, for: account, missing: &missing)
        guard missing.records.isEmpty, missing.blobs.isEmpty else { return .missing(missing) }
        return .ready(
            ResolvedPush(
                push: self,
                facts: facts,
                records: keys,
                blobs: blobs,
                collectionMark: try store.collectionMark()
            )
        )
    }

    private struct StagedRecord {
        let key: RecordKey
        let facts: FileFacts
        let byteCount: Int
    }

    /// What came ahead of the push, without the bytes: all of them at once would fill the memory.
    private func staged(
        _ hashes: [Hash256],
        in store: any MetadataReading,
        for account: StoredAccount
    ) throws -> [StagedRecord?] {
        var staged: [StagedRecord?] = []
        staged.reserveCapacity(hashes.count)
        var rest = hashes[...]
        while !rest.isEmpty {
            let chunk = Array(rest.prefix(500))
            rest = rest.dropFirst(chunk.count)
            staged += try store.records(chunk, of: account.key).map { record in
                try record.map {
                    StagedRecord(
                        key: $0.key,
                        facts: try FileRecord($0.bytes).facts,
                        byteCount: $0.bytes.count
                    )
                }
            }
        }
        return staged
    }

    /// What is clear from the head alone.
    func decided(by account: StoredAccount, in store: any MetadataReading) throws -> PushOutcome? {
        let known = LogHead(position: header.position - 1, hash: header.previous)
        if known == account.head { return nil }
        // The answer to an earlier try was lost.
        if header.position <= account.head.position,
            try store.entry(header.position, of: account.key)?.hash == headerHash
        {
            return .accepted
        }
        return .moved
    }

    private func check(
        _ facts: FileFacts,
        against reference: RecordReference,
        in scope: FileID
    ) throws {
        guard facts.id == reference.file else {
            throw Refusal(
                .violation,
                "a record is listed under another file",
                file: reference.file
            )
        }
        guard facts.scope == scope else { throw Violation.scope(facts.id) }
        guard facts.device == header.device else {
            throw Refusal(.violation, "a record is of another device", file: facts.id)
        }
    }

    private func blobs(
        of facts: [FileFacts],
        in store: any MetadataReading,
        for account: StoredAccount,
        missing: inout Lockbook_V1_MissingResponse
    ) throws -> [BlobName: BlobKey] {
        var inline: [BlobName: UInt64] = [:]
        for blob in parcel.blobs { inline[blob.name] = blob.size }
        let stored = facts.compactMap { facts in
            facts.blob.flatMap { inline[$0.name] == nil ? $0.name : nil }
        }
        var keys: [BlobName: BlobKey] = [:]
        var sizes = inline
        for (name, blob) in zip(stored, try store.blobs(stored, of: account.key)) {
            guard let blob else {
                if sizes.updateValue(0, forKey: name) == nil {
                    missing.blobs.append(name.hash.data)
                }
                continue
            }
            keys[name] = blob.key
            sizes[name] = blob.size
        }
        guard missing.blobs.isEmpty else { return [:] }
        for facts in facts {
            guard let blob = facts.blob, sizes[blob.name] != blob.size else { continue }
            throw Refusal(.violation, "the content is not of the size it should be", file: facts.id)
        }
        return keys
    }
}

extension ResolvedPush {
    /// Validates the push against the tree as it is now, and writes it.
    func commit(to store: any MetadataWriting, for account: StoredAccount, at time: Int64) throws
        -> PushOutcome
    {
        guard let account = try store.account(id: account.id) else { throw StoreFailure.damaged }
        if let decided = try push.decided(by: account, in: store) { return decided }
        guard try store.collectionMark() == collectionMark else { return .collected }
        let tree = try CurrentTree(store, log: account.key, expecting: facts)
        try validateForm(in: store, for: account)
        let author = push.header.author
        var validator = PushValidator(
            before: tree,
            owner: account.id,
            seenFrom: author == account.id ? [] : try outermostScopes(of: author, in: tree)
        )
        guard push.purged.isEmpty || author == account.id else {
            throw Refusal(.notPermitted, "only the owner purges")
        }
        for (file, scope) in push.purged {
            if let facts = try tree.facts(file), facts.scope != scope {
                throw Violation.scope(file)
            }
        }
        try validator.validate(facts, purging: Set(push.purged.keys), by: author) {
            $0.author == author
        }
        var shares = ShareValidator(
            before: tree,
            owner: account.id,
            ownerKey: account.signingKey
        )
        try shares.validate(facts, push.shares, by: author, key: push.authorKey)
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
            try versions(in: tree, store, for: account, at: time),
            at: position,
            to: account.key
        )
        try store.purge(push.purged.keys.sorted(), at: position, in: account.key)
        if !push.grants.isEmpty { try store.apply(push.grants, at: position, to: account.key) }
        return .accepted
    }

    /// What a member sees nothing around, of what this push is about.
    private func outermostScopes(of member: AccountID, in tree: CurrentTree) throws -> Set<FileID> {
        try Set(
            Set(facts.map(\.scope)).compactMap {
                try tree.outermostScope(seenBy: member, from: $0)
            }
        )
    }

    /// In a log of which something is shared the scopes are signed with the groups, and nobody is
    /// offered more than a device can follow.
    private func validateForm(in store: any MetadataReading, for account: StoredAccount) throws {
        let grants = push.grants
        guard try push.isSharedForm == (!grants.isEmpty || store.isShared(account.key)) else {
            throw VerificationFailure.hash
        }
        try store.refuseUnwanted(grants, of: account)
    }

    private func versions(
        in tree: CurrentTree,
        _ store: any MetadataWriting,
        for account: StoredAccount,
        at time: Int64
    ) throws -> [NewVersion] {
        let parcel = push.parcel
        var newRecords: [Hash256: RecordKey] = [:]
        let recordKeys = try store.insert(parcel.records, of: account.key, at: time)
        for (record, key) in zip(parcel.records, recordKeys) { newRecords[record.hash] = key }
        var blobKeys = blobs
        let newKeys = try store.insert(parcel.blobs, of: account.key, at: time)
        for (blob, key) in zip(parcel.blobs, newKeys) { blobKeys[blob.name] = key }
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
                replacing: try tree.file(facts.id)?.version
            )
        }
    }
}
