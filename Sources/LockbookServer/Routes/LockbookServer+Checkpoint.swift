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
        try Refusal.requireShortExtension(checkpoint.extensionByteCount)
        guard request.states.reduce(0, { $0 + $1.count }) <= Wire.maximumStateByteCount else {
            throw Refusal(.tooLarge, "what a checkpoint says of scopes may be 12 MiB together")
        }
        let states = try request.states.map { try SeenScopeState(Array($0)) }
        let head = checkpoint.head
        let isNew = try await read(of: account) { store in
            guard try store.entry(head.position, of: account.key)?.hash == head.hash else {
                throw VerificationFailure.misplaced
            }
            if let newest = try store.newestCheckpoint(of: account.key, upTo: .max),
                newest.position >= head.position
            {
                return false
            }
            let state = try LogState(of: account, at: head.position, in: store)
            try state.verify(checkpoint, states)
            return true
        }
        if isNew {
            let now = settings.now()
            try await write(of: account) { store in
                // Another device of the owner may have been here meanwhile.
                let newest = try store.newestCheckpoint(of: account.key, upTo: .max)
                guard newest.map({ $0.position < head.position }) ?? true else { return }
                try store.insert(checkpoint, states, of: account.key, at: now)
            }
        }
        return Lockbook_V1_CheckpointResponse()
    }
}
