import LockbookAPI
import LockbookCrypto
import LockbookModel

extension LockbookServer {
    /// Keeps a checkpoint after comparing it with the state that this server has.
    func checkpoint(_ request: Lockbook_V1_CheckpointRequest, for account: StoredAccount)
        async throws -> Lockbook_V1_CheckpointResponse
    {
        let checkpoint = try Checkpoint(Array(request.checkpoint))
        guard checkpoint.log == account.id, checkpoint.author == account.id else {
            throw Refusal(.notPermitted, "this account may make no checkpoint of this log")
        }
        try checkpoint.verify(by: account.signingKey)
        let head = checkpoint.head
        let isNew = try await store.read { store in
            guard try store.entry(head.position, of: account.key)?.hash == head.hash else {
                throw VerificationFailure.misplaced
            }
            // Members read every entry, and a checkpoint says nothing about grants.
            if let first = try store.firstGrant(in: account.key), first <= head.position {
                throw Refusal(.notPermitted, "no checkpoint of a log that is shared")
            }
            if let newest = try store.newestCheckpoint(of: account.key),
                newest.position >= head.position
            {
                return false
            }
            guard try digests(of: account, at: head.position, in: store) == checkpoint.scopes else {
                throw VerificationFailure.hash
            }
            return true
        }
        if isNew {
            let now = settings.now()
            try await store.write { try $0.insert(checkpoint, of: account.key, at: now) }
        }
        return Lockbook_V1_CheckpointResponse()
    }

    private func digests(
        of account: StoredAccount,
        at position: UInt64,
        in store: any MetadataReading
    ) throws -> [ScopeDigest] {
        let chunk = 5_000
        var scopes: [FileID: [RecordReference]] = [:]
        var last: FileID?
        while true {
            let items = try store.state(
                of: account.key,
                at: position,
                after: last,
                limit: chunk
            )
            for item in items {
                scopes[item.scope, default: []].append(
                    RecordReference(file: item.file, hash: item.recordHash)
                )
            }
            last = items.last?.file
            if items.count < chunk { break }
        }
        return scopes.sorted { $0.key < $1.key }
            .map { ScopeDigest(scope: $0.key, sortedRecords: $0.value) }
    }
}
