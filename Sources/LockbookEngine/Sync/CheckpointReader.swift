import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel

/// Gathers the pages of a checkpoint's state and checks them against its signature.
struct CheckpointReader {
    private let checkpoint: Checkpoint
    private let key: VerifyingKey
    private let owner: AccountID
    private let minimum: LogHead?
    private var head: LogHead?
    private var newest: EntryHeader?
    private(set) var next: Lockbook_V1_CheckpointCursor?
    private var records: [FileID: FileRecord] = [:]
    private var scopes: [FileID: [RecordReference]] = [:]

    init(_ page: Lockbook_V1_CheckpointPage, after known: LogHead?, sync: Sync) throws {
        checkpoint = try Checkpoint(Array(page.checkpoint))
        key = sync.keys.signing.publicKey
        owner = sync.owner
        head = known
        try checkpoint.verify(by: key)
        guard checkpoint.log == owner, checkpoint.author == owner else {
            throw VerificationFailure.misplaced
        }
        minimum = try sync.store.read { try $0.setting(.minimumHead) }
            .flatMap { LogHead(bytes: $0) }
    }

    /// Takes one page.
    /// - Returns: the whole state, once its last page is there and the digest is right.
    mutating func take(_ page: Lockbook_V1_CheckpointPage) throws -> VerifiedPage? {
        guard Array(page.checkpoint) == checkpoint.bytes else {
            throw VerificationFailure.misplaced
        }
        guard page.complete || !page.headers.isEmpty || !page.items.isEmpty else {
            throw LockbookError.integrity(reason: "the server sends an empty page")
        }
        for bytes in page.headers {
            let header = try EntryHeader(Array(bytes))
            try header.verify(after: head, in: owner)
            try header.verify(by: key)
            guard header.author == owner else { throw VerificationFailure.author }
            if let minimum, minimum.position == header.position, minimum.hash != header.hash {
                throw VerificationFailure.hash
            }
            head = LogHead(header)
            newest = header
        }
        try take(page.items)
        guard UInt64(records.count) <= checkpoint.fileCount else { throw VerificationFailure.hash }
        next = page.next
        guard page.complete else { return nil }
        guard let newest, head == checkpoint.head else { throw VerificationFailure.hash }
        let digests = scopes.sorted { $0.key < $1.key }
            .map { scope, records in
                ScopeDigest(scope: scope, sortedRecords: records.sorted { $0.file < $1.file })
            }
        guard digests == checkpoint.scopes else { throw VerificationFailure.hash }
        return VerifiedPage(newest: newest, records: records)
    }

    private mutating func take(_ items: [Lockbook_V1_CheckpointItem]) throws {
        let owner = owner
        for (record, hash) in try concurrentMap(items, { try $0.verified(owner: owner) }) {
            guard records.updateValue(record, forKey: record.facts.id) == nil else {
                throw VerificationFailure.misplaced
            }
            scopes[record.facts.scope, default: []].append(
                RecordReference(file: record.facts.id, hash: hash)
            )
        }
    }
}

extension Lockbook_V1_CheckpointItem {
    fileprivate func verified(owner: AccountID) throws -> (record: FileRecord, hash: Hash256) {
        let record = try FileRecord(Array(record))
        let hash = record.hash
        guard record.facts.id == FileID(Array(file)), hash == Hash256(Array(recordHash)),
            record.facts.owner == owner, record.facts.author == owner
        else { throw VerificationFailure.hash }
        return (record, hash)
    }
}
