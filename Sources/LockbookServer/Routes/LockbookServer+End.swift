import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel
import Logging

extension LockbookServer {
    /// Deletes an account with all that is kept of it, for good.
    ///
    /// What its owner signed stays, and tells the account's other devices and those to whom it shared
    /// something; so does the name, which nobody else is ever given.
    func end(_ request: Lockbook_V1_EndRequest, for account: StoredAccount) async throws
        -> Lockbook_V1_EndResponse
    {
        let end = try AccountEnd(verifying: Array(request.end), of: account.id)
        let (store, blobStore, uploads) = (store, blobStore, uploads)
        let now = settings.now()
        // Nobody else is about to name a file of the account then.
        try await placing.hold {
            // Rows first: a file without a row is only space.
            try await store.write { store in
                // Another device was first: it is the same.
                guard try store.account(id: account.id) != nil else { return }
                try store.end(account, with: end, at: now)
            }
            await uploads.forgetAll(of: account.key)
            // What cannot be removed now the next collection removes: the account is gone.
            do {
                try await onOwnThread { try blobStore.deleteAll(of: account.id) }
                try await store.write { try $0.noteFilesGone(of: account.id) }
            } catch {
                logger.error("files of a deleted account stay", metadata: ["reason": "\(error)"])
            }
        }
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

    /// Removes what a process that was killed left of deleted accounts.
    func removeFilesOfEnded() async throws {
        let (store, blobStore) = (store, blobStore)
        for id in try await store.read({ try $0.endsWithFiles() }) {
            try await placing.hold {
                try await onOwnThread { try blobStore.deleteAll(of: id) }
                try await store.write { try $0.noteFilesGone(of: id) }
            }
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
    /// - Throws: a refusal with what its owner signed, where the account was deleted.
    func requireAccount(_ id: AccountID) throws {
        guard try account(id: id) == nil else { return }
        guard let end = try end(of: id) else { throw StoreFailure.damaged }
        throw Refusal(end)
    }
}
