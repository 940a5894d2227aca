import LockbookAPI
import LockbookCrypto
import LockbookModel

extension LockbookServer {
    /// What is new in the logs that a device follows.
    func pull(_ request: Lockbook_V1_PullRequest, for account: StoredAccount) async throws
        -> Lockbook_V1_PullResponse
    {
        guard request.logs.count <= 1 else {
            throw Refusal(.notPermitted, "this account may read only its own log")
        }
        let positions = try request.logs.map { position in
            guard Hash256(position.log) == account.id.hash else {
                throw Refusal(.notPermitted, "this account may not read this log")
            }
            return try LogReader.Known(position)
        }
        return try await store.read { store in
            // The head of this transaction, not the one from when the request was admitted.
            guard let account = try store.account(id: account.id) else {
                throw StoreFailure.damaged
            }
            let reader = LogReader(store: store, account: account)
            var response = Lockbook_V1_PullResponse()
            response.logs = try positions.map { try reader.page(after: $0) }
            return response
        }
    }
}

extension LogReader.Known {
    fileprivate init(_ position: Lockbook_V1_LogPosition) throws(Refusal) {
        if position.known {
            guard let hash = Hash256(position.head) else {
                throw Refusal(.malformed, "a head is 32 bytes")
            }
            head = LogHead(position: position.position, hash: hash)
        }
        if position.hasCursor { cursor = position.cursor }
    }
}
