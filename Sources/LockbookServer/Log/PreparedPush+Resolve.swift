import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel

/// A push of which every record and blob was found, and which the tree allows.
struct ResolvedPush: Sendable {
    let push: PreparedPush
    let facts: [FileFacts]
    /// Where what was staged is; nil for what came with the push.
    let records: [RecordKey?]
    let blobs: [BlobName: BlobKey]
    /// What is changed, and all that it stands in, as it was before; nil for what is new.
    let current: [FileID: CurrentFile?]
    let collectionMark: Int64

    /// Whether something is listed or purged, and all that is listed is there, and is deleted by it.
    ///
    /// What it purges is there in any case, or it is refused. One with grants alone ends nothing: it can
    /// be made again and again.
    var onlyDeletes: Bool {
        push.contents.isEmpty && !(facts.isEmpty && push.purged.isEmpty)
            && facts.allSatisfy { facts in
                facts.isDeleted && (current[facts.id] ?? nil)?.facts.isDeleted == false
            }
    }
}

extension PreparedPush {
    /// Looks up what is listed, and validates it against the tree as it is.
    func resolve(in store: any MetadataReading, for account: StoredAccount) throws -> PushOutcome {
        guard let account = try store.account(id: account.id) else { throw StoreFailure.damaged }
        if let decided = try decided(by: account, in: store) { return decided }
        let found = try found(in: store, for: account)
        var current: [FileID: CurrentFile?] = [:]
        current.reserveCapacity(found.facts.count)
        let ids = found.facts.map(\.id)
        for (id, file) in zip(ids, try store.currentFiles(ids, in: account.key)) {
            current[id] = .some(file)
        }
        try checkSteps(found, current, in: store, of: account)
        // Nobody else can write while that is looked for: folders may be thousands deep.
        try addFolders(of: found.facts, to: &current, in: store, log: account.key)
        var missing = Lockbook_V1_MissingResponse()
        missing.records = found.missing
        let blobs = try blobs(of: found.facts, current, in: store, for: account, missing: &missing)
        guard missing.records.isEmpty, missing.blobs.isEmpty else { return .missing(missing) }
        try validate(found.facts, against: current, in: store, for: account)
        return .ready(
            ResolvedPush(
                push: self,
                facts: found.facts,
                records: found.keys,
                blobs: blobs,
                current: current,
                collectionMark: try store.collectionMark()
            )
        )
    }

    /// Looks up what the listed files stand in, up to the root.
    private func addFolders(
        of facts: [FileFacts],
        to current: inout [FileID: CurrentFile?],
        in store: any MetadataReading,
        log: AccountKey
    ) throws {
        for facts in facts {
            var next: FileID? = facts.parent
            while let id = next, current[id] == nil {
                let folder = try store.currentFiles([id], in: log).first ?? nil
                current[id] = .some(folder)
                next = folder?.facts.parent
            }
        }
    }

    /// What is listed, as far as it is there.
    private struct FoundRecords {
        var facts: [FileFacts] = []
        /// Where what was staged is; nil for what came with the push.
        var keys: [RecordKey?] = []
        /// What names the key of each.
        var commitments: [Hash256] = []
        /// The hashes of what is not there.
        var missing: [Data] = []
    }

    /// Finds what is listed among what came with the push and what came ahead of it.
    private func found(in store: any MetadataReading, for account: StoredAccount) throws
        -> FoundRecords
    {
        var inline: [Hash256: Int] = [:]
        for (index, record) in parcel.records.enumerated() { inline[record.hash] = index }
        let absent = listed.filter { inline[$0.reference.hash] == nil }.map(\.reference.hash)
        var staged = try staged(absent, in: store, for: account)[...]
        var found = FoundRecords()
        var byteCount = 0
        found.facts.reserveCapacity(listed.count)
        found.keys.reserveCapacity(listed.count)
        found.commitments.reserveCapacity(listed.count)
        for (scope, reference) in listed {
            let facts: FileFacts
            let commitment: Hash256
            if let index = inline[reference.hash] {
                facts = parcel.facts[index]
                commitment = parcel.commitments[index]
                found.keys.append(nil)
                byteCount += parcel.records[index].bytes.count
            } else if let record = staged.removeFirst() {
                facts = record.facts
                commitment = record.keyCommitment
                found.keys.append(record.key)
                byteCount += record.byteCount
            } else {
                found.missing.append(reference.hash.data)
                continue
            }
            try check(facts, against: reference, in: scope)
            found.facts.append(facts)
            found.commitments.append(commitment)
        }
        guard byteCount <= Wire.maximumEntryByteCount else {
            throw Refusal(.tooLarge, "the records of one push may be 128 MiB together")
        }
        return found
    }

    /// Refuses what no client takes that sees it, whoever signed it: it would read no more of the log.
    private func checkSteps(
        _ found: FoundRecords,
        _ current: [FileID: CurrentFile?],
        in store: any MetadataReading,
        of account: StoredAccount
    ) throws {
        let isOwners = header.author == account.id
        for (facts, commitment) in zip(found.facts, found.commitments) {
            guard let old = current[facts.id] ?? nil else {
                guard let purged = try store.purgedFile(facts.id, in: account.key) else { continue }
                // A copy of a data folder that was put back may not know that it was, and has it as it was.
                guard isOwners, purged.facts.type == facts.type,
                    purged.facts.epoch == facts.epoch, purged.keyCommitment == commitment
                else { throw Refusal(.violation, "this file was purged", file: facts.id) }
                continue
            }
            guard old.facts.epoch == facts.epoch, old.keyCommitment != commitment else { continue }
            // Of a member another key is nonsense, over which the owner puts back what was before; in a
            // folder it would shut everybody out of all that stands there.
            guard isOwners ? old.facts.author != account.id : facts.type != .folder else {
                throw Violation.epoch(facts.id)
            }
        }
    }

    private struct StagedRecord {
        let key: RecordKey
        let facts: FileFacts
        let keyCommitment: Hash256
        let byteCount: Int

        init(_ record: FileRecord, key: RecordKey) {
            self.key = key
            (facts, keyCommitment) = (record.facts, record.keyCommitment)
            byteCount = record.bytes.count
        }
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
                    StagedRecord(try FileRecord($0.bytes), key: $0.key)
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
        _ current: [FileID: CurrentFile?],
        in store: any MetadataReading,
        for account: StoredAccount,
        missing: inout Lockbook_V1_MissingResponse
    ) throws -> [BlobName: BlobKey] {
        var inline: [BlobName: UInt64] = [:]
        for blob in contents { inline[blob.name] = blob.size }
        var keys: [BlobName: BlobKey] = [:]
        var sizes = inline
        var stored: [BlobName] = []
        for facts in facts {
            guard let blob = facts.blob, inline[blob.name] == nil else { continue }
            // What keeps its content was looked up when it got it.
            if let old = current[facts.id] ?? nil, old.facts.blob == blob, let key = old.blob {
                keys[blob.name] = key
                sizes[blob.name] = blob.size
            } else {
                stored.append(blob.name)
            }
        }
        var reader = try BlobReader(header.author, of: account, in: store)
        for (name, blob) in zip(stored, try store.blobs(stored, of: account.key)) {
            guard let blob, try reader.mayName(blob) else {
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
