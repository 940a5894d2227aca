import LockbookCrypto
import LockbookModel

/// What a checkpoint has to say of a log at one position.
struct LogState {
    private let account: StoredAccount
    private let gathered: GatheredState
    /// All that held then; nil while nothing was shared.
    private let grants: [Grant]?

    init(of account: StoredAccount, at position: UInt64, in store: any MetadataReading) throws {
        self.account = account
        let chunk = 5_000
        var gathered = GatheredState(rootOf: account.id)
        var last: FileID?
        while true {
            let items = try store.state(
                of: account.key,
                at: position,
                after: last,
                limit: chunk
            )
            for item in items {
                let isTop = item.file == item.scope
                gathered.add(
                    RecordReference(file: item.file, hash: item.recordHash),
                    in: item.scope,
                    top: isTop ? try FileRecord(store.content(of: item)).facts : nil
                )
            }
            last = items.last?.file
            if items.count < chunk { break }
        }
        self.gathered = gathered
        let first = try store.firstGrant(in: account.key)
        grants =
            first.map { $0 <= position } ?? false
            ? try store.grants(in: account.key, at: position) : nil
    }

    /// Compares a checkpoint, and what came with it, with this state.
    func verify(_ checkpoint: Checkpoint, _ sent: [SeenScopeState]) throws {
        guard let grants else {
            guard checkpoint.states == nil, sent.isEmpty,
                gathered.digests == checkpoint.scopes
            else { throw VerificationFailure.hash }
            return
        }
        guard sent.map(\.reference) == checkpoint.states else { throw VerificationFailure.hash }
        let expected = gathered.states(grants)
        guard sent.count == expected.count else { throw VerificationFailure.hash }
        for (seen, state) in zip(sent, expected) {
            let told = try ScopeState(seen)
            if case .whole(let body) = seen.body {
                try Refusal.requireShortExtension(body.count - told.body.count)
            }
            try told.verify(in: account.id, by: account.signingKey)
            // The wraps are new, and open for others than this server.
            var same = told
            same.wraps = []
            guard same == state else { throw VerificationFailure.hash }
            if let wrap = told.wraps.first, wrap.epoch != gathered.top(of: told.scope)?.epoch {
                throw VerificationFailure.hash
            }
        }
    }
}
