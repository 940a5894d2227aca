import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel
import Logging

extension LockbookServer {
    /// Deletes an account with all that is kept of it, for good.
    ///
    /// What its owner signed stays, and tells the account's other devices and those to whom it shared
    /// something; so does the name, which nobody else is ever given. The account is out of sight when
    /// that is written; what it kept goes afterwards, part by part, and what is left of a large one when
    /// this answers goes with the next collection.
    func end(_ request: Lockbook_V1_EndRequest, for account: StoredAccount) async throws
        -> Lockbook_V1_EndResponse
    {
        let end = try AccountEnd(verifying: Array(request.end), of: account.id)
        let (store, uploads) = (store, uploads)
        let now = settings.now()
        // Nobody else is about to name a file of the account then.
        try await placing.hold {
            try await store.write { store in
                // Another device was first: it is the same.
                guard try store.account(id: account.id) != nil else { return }
                try store.end(account, with: end, at: now)
            }
            await uploads.forgetAll(of: account.key)
        }
        await tryToRemoveRest(of: account.id, parts: 32)
        return Lockbook_V1_EndResponse()
    }

    /// Answers who signs with the key of an account that was deleted.
    ///
    /// To delete it once more is what whose answer was lost asks for.
    func answer(_ request: Lockbook_V1_EndRequest, of ended: StoredEnd) throws
        -> Lockbook_V1_EndResponse
    {
        _ = try AccountEnd(verifying: Array(request.end), of: ended.id)
        return Lockbook_V1_EndResponse()
    }

    /// Removes what is left of deleted accounts: of large ones, and by a process that was killed.
    func removeEnded() async throws {
        for account in try await store.read({ try $0.unfinishedEnds() }) {
            await tryToRemoveRest(of: account)
        }
    }

    /// What stays keeps nothing else, and goes with the next collection.
    private func tryToRemoveRest(of account: AccountID, parts: Int = .max) async {
        do {
            try await removeRest(of: account, parts: parts)
        } catch is CancellationError {
            return
        } catch {
            tellOnce("a part of a deleted account stays", reason: "\(error)")
        }
    }

    /// Removes what is kept of a deleted account.
    ///
    /// Each part is so small that nobody waits for it, and that a disk with little room has enough
    /// for it.
    /// - Parameter parts: after how many it leaves the rest.
    private func removeRest(of account: AccountID, parts: Int) async throws {
        let (store, blobStore) = (store, blobStore)
        var hasRows = true
        var rowCount = 2_000
        for _ in 0..<parts {
            guard hasRows else {
                let hasFiles = try await placing.hold {
                    try await onOwnThread { try blobStore.deleteSome(of: account) }
                }
                guard !hasFiles else { continue }
                return try await store.write { try $0.finishEnd(of: account) }
            }
            // Rows first: a file without a row is only space.
            do {
                let count = rowCount
                hasRows = try await store.write { try $0.deleteRows(of: account, atMost: count) }
            } catch StoreFailure.full where rowCount > 1 {
                // What is to be deleted is written to the write-ahead log before there is room.
                rowCount = max(1, rowCount / 8)
            }
            try await store.settle()
        }
    }

    /// Reads what is kept of an account, unless that was deleted since it was asked for.
    func read<Value: Sendable>(
        of account: StoredAccount,
        _ body: @Sendable (any MetadataReading) throws -> Value
    ) async throws -> Value {
        try await store.read { store in
            try store.requireAccount(account.id)
            return try body(store)
        }
    }

    /// Changes something of an account, unless that, or who does it, was deleted since it was asked for.
    /// - Parameter author: who does it, where that is not whose it is.
    func write<Value: Sendable>(
        of account: StoredAccount,
        by author: StoredAccount? = nil,
        _ body: @Sendable (any MetadataWriting) throws -> Value
    ) async throws -> Value {
        try await store.write { store in
            try store.requireAccount(account.id)
            if let author { try store.requireAccount(author.id) }
            return try body(store)
        }
    }
}

extension MetadataReading {
    /// The account as it is now, and not when a request of it was admitted.
    /// - Throws: a refusal with what its owner signed, where the account was deleted.
    @discardableResult
    func requireAccount(_ id: AccountID) throws -> StoredAccount {
        if let account = try account(id: id) { return account }
        guard let end = try end(of: id) else { throw StoreFailure.damaged }
        throw Refusal(end)
    }
}
