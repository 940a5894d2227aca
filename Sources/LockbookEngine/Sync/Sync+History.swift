import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

extension Sync {
    /// Asks for the newest versions of some files, and checks what of the answer can be checked.
    ///
    /// Each entry is signed by its author, so a version is of whom and when it says. That the entry
    /// lists it is proved where the server still has the entry's groups and sends them; else it is
    /// the server's word that it was ever pushed, and its own seal that somebody with the file's
    /// key made it. Nobody can prove that none was left out.
    func versions(of files: [FileID], limit: Int) async throws -> ToldVersions {
        var told = ToldVersions()
        var seen: Set<Hash256> = []
        for start in stride(from: 0, to: files.count, by: Wire.maximumNamesPerRequest) {
            let part = files[start..<min(files.count, start + Wire.maximumNamesPerRequest)]
            var before: UInt64 = 0
            var count = 0
            var hasMore = true
            repeat {
                let answer: Lockbook_V1_HistoryResponse = try await askSoon(
                    .history,
                    .with {
                        $0.log = foreignLog
                        $0.files = part.map { Data($0.bytes) }
                        $0.before = before
                        $0.limit = UInt32(clamping: limit - count)
                    } as Lockbook_V1_HistoryRequest
                )
                let found = try verified(answer, of: Set(part), before: before)
                hasMore = answer.more
                guard let last = found.map(\.position).compactMap(\.self).min() else { break }
                // A server may send one as often as it likes.
                told.versions += found.filter { seen.insert($0.hash).inserted }
                count += found.count
                // Asked for what is before it, a server would be asked for the newest again.
                guard last > 0 || !hasMore else {
                    throw LockbookError.integrity(
                        reason: "the server tells of versions from before the first entry"
                    )
                }
                before = last
                // Several files may have a version of one entry, so only those of one are paged.
            } while hasMore && count < limit && files.count == 1
            told.hasMore = told.hasMore || hasMore
        }
        return told
    }

    /// Asks, and does not wait for the answer as long as a sync does: somebody looks at the terminal, and
    /// what is here can be shown without it.
    private func askSoon<Answer: Message & Sendable>(
        _ endpoint: Endpoint,
        _ message: some Message & Sendable
    ) async throws -> Answer {
        let (server, patience) = (server, environment.historyPatience)
        return try await withThrowingTaskGroup(of: Answer?.self) { group in
            group.addTask { try await server.ask(endpoint, message) }
            group.addTask {
                try await Task.sleep(for: patience)
                return nil
            }
            defer { group.cancelAll() }
            guard let answer = try await group.next() ?? nil else {
                throw LockbookError.unavailable(
                    server: account.server.url,
                    reason: "it does not answer"
                )
            }
            return answer
        }
    }

    private func verified(
        _ answer: Lockbook_V1_HistoryResponse,
        of files: Set<FileID>,
        before: UInt64
    ) throws -> [FoundVersion] {
        var entries: [UInt64: (header: EntryHeader, listed: Set<Hash256>?)] = [:]
        var unknown: Set<UInt64> = []
        for message in answer.entries {
            let header = try EntryHeader(Array(message.header))
            guard header.log == owner else { throw VerificationFailure.author }
            // Who was out before the checkpoint that this device began with is nobody it knows.
            guard let key = try signingKey(of: header.author) else {
                unknown.insert(header.position)
                continue
            }
            try header.verify(by: key)
            entries[header.position] = (header, try listed(in: message, header))
        }
        return try answer.versions.filter { !unknown.contains($0.position) }.map { version in
            let record = try FileRecord(Array(version.record))
            guard let (header, listed) = entries[version.position],
                before == 0 || version.position < before
            else { throw VerificationFailure.misplaced }
            guard files.contains(record.facts.id), record.facts.owner == owner,
                record.facts.author == header.author, record.facts.device == header.device,
                listed?.contains(record.hash) ?? true
            else { throw VerificationFailure.hash }
            return FoundVersion(
                record: record,
                position: version.position,
                changed: header.created,
                isProven: listed != nil
            )
        }
    }

    /// The key of this account, of whose log it is, or of somebody whom that one let write.
    private func signingKey(of author: AccountID) throws -> VerifyingKey? {
        if author == store.context.author { return keys.signing.publicKey }
        return try store.read { tree in
            if author == owner { return try tree.contact(owner)?.keys.signing }
            return try tree.allGrants().first { AccountID($0.grantee) == author }?.grantee.signing
        }
    }

    /// What an entry lists; nil when the server sends no groups of it.
    private func listed(in message: Lockbook_V1_HistoryEntry, _ header: EntryHeader) throws
        -> Set<Hash256>?
    {
        if store.context.isForeign { return try seen(in: message, header) }
        guard !message.groups.isEmpty else { return nil }
        let groups = message.groups.map { SeenGroup.whole(Array($0)) }
        let certificate = header.position == 0 ? Array(message.certificate) : nil
        var body = EntryBody(certificate: certificate, groups: groups)
        if body.hash != header.bodyHash {
            // As it is signed where something is shared.
            body.scopes = try message.groups.map { try EntryGroup(Array($0)).scope }
            guard body.hash == header.bodyHash else { throw VerificationFailure.hash }
        }
        var hashes: Set<Hash256> = []
        for bytes in message.groups {
            for record in try EntryGroup(Array(bytes)).records { hashes.insert(record.hash) }
        }
        return hashes
    }

    /// What an entry of another account's log lists where this one may see it.
    private func seen(in message: Lockbook_V1_HistoryEntry, _ header: EntryHeader) throws
        -> Set<Hash256>?
    {
        guard !message.seen.isEmpty else { return nil }
        var body = EntryBody(groups: [], scopes: [])
        var hashes: Set<Hash256> = []
        for group in message.seen {
            switch group.content {
            case .whole(let data):
                let bytes = Array(data)
                let group = try EntryGroup(bytes)
                body.groups.append(.whole(bytes))
                body.scopes?.append(group.scope)
                for record in group.records { hashes.insert(record.hash) }
            case .hidden(let data):
                guard let scope = FileID(data.prefix(16)), let hash = Hash256(data.dropFirst(16))
                else { throw VerificationFailure.hash }
                body.groups.append(.hidden(hash))
                body.scopes?.append(scope)
            case nil: throw VerificationFailure.hash
            }
        }
        guard body.hash == header.bodyHash else { throw VerificationFailure.hash }
        return hashes
    }

    /// Fetches a content that nothing in the store refers to; nil when the server has it no more.
    func borrow(_ name: BlobName, size: UInt64) async throws -> LocalTree.StoredBlob? {
        guard size > UInt64(Wire.smallBlobByteCount) else {
            let answer: Lockbook_V1_BlobsResponse = try await server.ask(
                .blobs,
                .with {
                    $0.log = foreignLog
                    $0.names = [Data(name.hash.bytes)]
                } as Lockbook_V1_BlobsRequest
            )
            guard let blob = answer.blobs.first else { return nil }
            let bytes = Array(blob.content)
            guard BlobName(of: bytes) == name else {
                throw LockbookError.integrity(reason: "the server sends another content")
            }
            return .bytes(bytes)
        }
        do {
            let held = try await orHeld(name, size: size) {
                try await download(name, size: size)
            }
            if let held { return .bytes(held) }
        } catch is MissingContent {
            return nil
        }
        return .file(try store.blobs.open(name))
    }
}
