import LockbookCrypto
import LockbookModel
import Logging
import Synchronization

extension LockbookServer {
    /// Deletes what nobody can be sent any more and what was staged and never pushed.
    /// - Parameter time: by which time it judges, in seconds; that of the clock, where none is given.
    /// - Returns: how many rows went.
    @discardableResult
    package func collect(at time: Int64? = nil) async throws -> Int {
        let now = time ?? settings.now()
        var limits = CollectionLimits(
            supersededBefore: now - Int64(settings.retentionDays) * 86_400,
            keptVersions: settings.keptVersions,
            stagedBefore: now - settings.stagedSeconds,
            replacedBefore: now - 86_400
        )
        // First, because it needs the least room and makes the most.
        try await removeEnded()
        var total = try await collectLogs(&limits)
        var loose = LooseRows()
        var more = true
        while more {
            loose = try await store.read { [loose, limits] in
                try $0.loose(limits, after: loose)
            }
            let collected = try await collect(loose, &limits)
            total += collected.rowCount
            more = loose.more || collected.more
        }
        // Until then there is a sentence for who comes too late.
        let longAgo = (now - 30 * 86_400) * 1_000
        try await store.write { try $0.deleteInvitations(expiredBefore: longAgo) }
        try await sweep(before: limits.stagedBefore, at: now)
        return total
    }

    /// One log after the other: nobody waits for all of them to write.
    ///
    /// One that is damaged keeps nothing of the others.
    /// - Returns: how many rows went.
    private func collectLogs(_ limits: inout CollectionLimits) async throws -> Int {
        var total = 0
        for log in try await store.read({ try $0.logs() }) {
            do {
                total += try await collectLog(log, &limits)
            } catch let error where !StoreFailure.isFull(error) && !(error is CancellationError) {
                tell(ofDamaged: "account \(log.row)", reason: "\(error)")
            }
        }
        return total
    }

    private func collectLog(_ log: AccountKey, _ limits: inout CollectionLimits) async throws
        -> Int
    {
        let store = store
        var total = 0
        var more = true
        while more {
            let collected = try await inParts(&limits) { limits in
                try await store.write { try $0.collect(limits, of: log) }
            }
            total += collected.rowCount
            more = collected.more
        }
        return try await total + collectVersions(of: log, &limits)
    }

    /// Looks for what may go while others write, and deletes it after that.
    private func collectVersions(
        of log: AccountKey,
        _ limits: inout CollectionLimits
    ) async throws -> Int {
        let store = store
        var total = 0
        var more = true
        while more {
            var found = try await store.read { [limits] in try $0.oldVersions(limits, of: log) }
            more = found.more
            while !found.rows.isEmpty {
                let (count, collected) = try await inParts(&limits) { [found] limits in
                    var part = found
                    part.rows = Array(found.rows.prefix(limits.batch))
                    let collected = try await store.write { [part] in
                        try $0.collect(part, of: log)
                    }
                    return (part.rows.count, collected)
                }
                found.rows.removeFirst(count)
                total += collected.rowCount
            }
        }
        return total
    }

    /// Deletes less at a time from then on where the disk has no room for more: what is deleted is written to
    /// the write-ahead log before there is room.
    private func inParts<Value>(
        _ limits: inout CollectionLimits,
        _ delete: (CollectionLimits) async throws -> Value
    ) async throws -> Value {
        while true {
            do {
                let value = try await delete(limits)
                if limits.isNarrow { try? await store.settle() }
                return value
            } catch StoreFailure.full where limits.batch > 1 {
                limits.narrow()
            }
        }
    }

    private func collect(_ loose: LooseRows, _ limits: inout CollectionLimits) async throws
        -> Collected
    {
        var (rest, total) = (loose, Collected())
        repeat {
            let (left, collected) = try await inParts(&limits) { [rest] limits in
                var left = rest
                let part = left.removeFirst(limits)
                return (left, try await collect(part, limits))
            }
            rest = left
            total.rowCount += collected.rowCount
            total.more = total.more || collected.more
        } while !rest.isEmpty
        return total
    }

    private func collect(_ loose: LooseRows, _ limits: CollectionLimits) async throws -> Collected {
        let (store, blobStore, uploads) = (store, blobStore, uploads)
        return try await placing.hold {
            // Rows first: a file without a row is only space, a row without a file is a loss.
            let collected = try await store.write { try $0.collect(loose, limits) }
            for row in collected.damaged { tell(ofDamaged: row, reason: "\(StoreFailure.damaged)") }
            try await onOwnThread {
                for file in collected.files {
                    removeFile(file.name) { try blobStore.delete(file.name, of: file.owner) }
                }
                for upload in collected.uploads {
                    removeFile(upload.name) {
                        try blobStore.deleteUpload(upload.name, of: upload.owner)
                    }
                }
            }
            for upload in collected.uploads {
                await uploads.forget(upload.name, for: upload.key)
            }
            return collected
        }
    }

    /// Deletes files that no row names, as a process leaves them that ends between a file and its row.
    /// - Parameters:
    ///   - time: what was written later stays, whatever it is.
    ///   - now: by which time the collection judges.
    private func sweep(before time: Int64, at now: Int64) async throws {
        let accounts = try await readableAccounts()
        let (store, blobStore, uploads) = (store, blobStore, uploads)
        for account in accounts {
            do {
                try await sweepBlobs(of: account, before: time, at: now)
            } catch let failure as SystemFailure {
                tellOnce("a folder of contents cannot be read", reason: "\(failure)")
            }
        }
        let found = try await onOwnThread {
            try blobStore.uploads(of: accounts.map(\.id), before: time)
        }
        let keys = Dictionary(accounts.map { ($0.id, $0.key) }) { $1 }
        for (owner, name) in found {
            guard let key = keys[owner] else { continue }
            try await placing.hold {
                guard try await store.read({ try $0.upload(name, of: key) }) == nil else { return }
                try await onOwnThread {
                    removeFile(name) { try blobStore.deleteUpload(name, of: owner) }
                }
                await uploads.forget(name, for: key)
            }
        }
    }

    /// Deletes whole contents that no row names, when that was found long ago.
    ///
    /// Of a database that was put back they may be newer, and devices have yet to push what names them.
    private func sweepBlobs(of account: StoredAccount, before time: Int64, at now: Int64)
        async throws
    {
        // What is found is noted by the clock, behind which the collection's time may be.
        let (blobStore, noted) = (blobStore, settings.now())
        let found = try await onOwnThread { try blobStore.blobs(of: account.id, before: time) }
        let unnamed = try await self.unnamed(found, of: account)
        let known = try await store.read { try $0.unnamed(of: account.key) }
        if Set(known.keys) != Set(unnamed) {
            try await store.write { store in
                guard try store.account(id: account.id) != nil else { return }
                try store.note(unnamed: unnamed, of: account.key, at: noted)
            }
        }
        let limit = now - settings.unnamedSeconds
        let due = unnamed.filter { (known[$0] ?? noted) < limit }
        guard !due.isEmpty else { return }
        try await placing.hold {
            // One may have been named since.
            let unnamed = try await self.unnamed(due, of: account)
            try await onOwnThread {
                for name in unnamed {
                    removeFile(name) { try blobStore.delete(name, of: account.id) }
                }
            }
            await unnamedFiles.forget(unnamed, of: account.id)
        }
    }

    private func readableAccounts() async throws -> [StoredAccount] {
        var accounts: [StoredAccount] = []
        for log in try await store.read({ try $0.logs() }) {
            do {
                let account = try await store.read { try $0.account(key: log) }
                if let account { accounts.append(account) }
            } catch let failure as StoreFailure {
                tell(ofDamaged: "account \(log.row)", reason: "\(failure)")
            }
        }
        return accounts
    }

    /// Removes the file of a content.
    ///
    /// What stands there and is no file, or does not go, keeps nothing else from going.
    private func removeFile(_ name: BlobName, _ body: () throws -> Void) {
        do { try body() } catch {
            tellOnce(
                "what stands in the place of a content's file should go and does not",
                file: name,
                reason: "\(error)"
            )
        }
    }

    private func tell(ofDamaged row: String, reason: String) {
        tellOnce("a row of the database keeps what is of it", reason: "\(row): \(reason)")
    }

    /// Tells the log of what the next collection will find again, once.
    func tellOnce(_ message: Logger.Message, file: BlobName? = nil, reason: String) {
        guard told.isNew("\(message) \(file.map { "\($0)" } ?? "") \(reason)") else { return }
        var metadata: Logger.Metadata = ["reason": "\(reason)"]
        if let file { metadata["file"] = "\(file)" }
        logger.error(message, metadata: metadata)
    }

    /// Those of these blobs that have no row.
    func unnamed(_ names: [BlobName], of account: StoredAccount) async throws -> [BlobName] {
        guard !names.isEmpty else { return [] }
        return try await store.read { store in
            zip(names, try store.blobs(names, of: account.key)).filter { $0.1 == nil }.map(\.0)
        }
    }
}

/// What the log was told since this process began.
final class ToldOnce: Sendable {
    private let all = Mutex<Set<String>>([])

    func isNew(_ what: String) -> Bool { all.withLock { $0.insert(what).inserted } }
}
