import LockbookCrypto
import LockbookModel

extension ResolvedPush {
    /// Validates the push against the tree as it is now, and writes it.
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
        let tree = CurrentTree(store, log: account.key, knowing: current)
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
        try store.refuseMisnamed(grants, by: push.header.author)
        try store.refuseUnwanted(grants, of: account)
    }

    private func versions(
        in tree: CurrentTree,
        _ store: any MetadataWriting,
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
                replacing: try tree.file(facts.id)?.version
            )
        }
    }
}
