import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel

/// What the pages of a checkpoint say, checked against its signature.
struct CheckpointState {
    /// The entry after which it was so.
    let newest: EntryHeader
    let records: [FileID: FileRecord]
    /// Of a log with shares.
    let scopes: CheckpointScopes?

    var head: LogHead { LogHead(newest) }
    var byteCount: Int { records.values.reduce(0) { $0 + $1.bytes.count } }
}

/// Gathers the pages of a checkpoint's state and checks them against its signature.
struct CheckpointReader {
    /// How often one is begun, because a newer one has taken the place of the one before: a server that
    /// has yet another one each time would keep a device busy for ever.
    private static let beginCount = 3

    private let checkpoint: Checkpoint
    private let key: VerifyingKey
    private let context: StoreContext
    private let required: [LogHead]
    private let scopes: CheckpointScopes?
    private var head: LogHead?
    private var newest: EntryHeader?
    private(set) var next: Lockbook_V1_CheckpointCursor?
    private var records: [FileID: FileRecord] = [:]
    private var references: [FileID: [RecordReference]] = [:]
    private var begun = 1

    private var owner: AccountID { context.owner }
    /// Of the entry after which it was so.
    var position: UInt64 { checkpoint.head.position }

    /// - Parameter isRolledBack: whether the server may have lost what else the log would have to have.
    init(
        _ page: Lockbook_V1_CheckpointPage,
        after known: LogHead?,
        sync: Sync,
        isRolledBack: Bool = false
    ) throws {
        checkpoint = try Checkpoint(Array(page.checkpoint))
        context = sync.store.context
        let context = context
        key =
            try context.isForeign
            ? sync.store.read { try $0.contact(context.owner)?.keys.signing }
                ?? { throw VerificationFailure.author }() : sync.keys.signing.publicKey
        head = known
        try checkpoint.verify(by: key)
        guard checkpoint.log == context.owner, checkpoint.author == context.owner else {
            throw VerificationFailure.misplaced
        }
        scopes = try CheckpointScopes(checkpoint, page.states, for: context, by: key)
        required = try isRolledBack ? [] : sync.store.read { try $0.requiredHeads() }
    }

    /// What takes the next page: this reader, or one that begins anew with a newer checkpoint.
    ///
    /// An older one, as of a server that was put back meanwhile, `take` refuses.
    func reading(
        _ page: Lockbook_V1_CheckpointPage,
        after known: LogHead?,
        sync: Sync,
        isRolledBack: Bool = false
    ) throws -> CheckpointReader {
        guard Array(page.checkpoint) != checkpoint.bytes, begun < Self.beginCount else {
            return self
        }
        var newer = try CheckpointReader(
            page,
            after: known,
            sync: sync,
            isRolledBack: isRolledBack
        )
        guard newer.position > position else { return self }
        newer.begun = begun + 1
        return newer
    }

    /// Takes one page.
    /// - Returns: the whole state, once its last page is there and the digest is right.
    mutating func take(_ page: Lockbook_V1_CheckpointPage) throws -> CheckpointState? {
        guard Array(page.checkpoint) == checkpoint.bytes else {
            throw VerificationFailure.misplaced
        }
        guard page.complete || !page.headers.isEmpty || !page.items.isEmpty else {
            throw LockbookError.integrity(reason: "the server sends an empty page")
        }
        for bytes in page.headers { try take(try EntryHeader(Array(bytes))) }
        try take(page.items)
        let fileCount = scopes?.fileCount ?? checkpoint.fileCount
        guard UInt64(records.count) <= fileCount else { throw VerificationFailure.hash }
        next = page.next
        guard page.complete else { return nil }
        guard let newest, head == checkpoint.head else { throw VerificationFailure.hash }
        let digests = references.sorted { $0.key < $1.key }
            .map { scope, records in
                ScopeDigest(scope: scope, sortedRecords: records.sorted { $0.file < $1.file })
            }
        guard digests == scopes?.digests ?? checkpoint.scopes else {
            throw VerificationFailure.hash
        }
        try scopes?.verify(records)
        return CheckpointState(newest: newest, records: records, scopes: scopes)
    }

    private mutating func take(_ header: EntryHeader) throws {
        if context.isForeign, head == nil {
            // Of the time before he was let in a member needs only what the checkpoint is of.
            guard header.log == owner, LogHead(header) == checkpoint.head else {
                throw VerificationFailure.misplaced
            }
        } else {
            try header.verify(after: head, in: owner)
        }
        // What others signed leads up to a head that the owner has signed, and ends there.
        guard header.position < checkpoint.head.position || LogHead(header) == checkpoint.head
        else { throw VerificationFailure.misplaced }
        if scopes == nil || header.author == owner {
            guard header.author == owner else { throw VerificationFailure.author }
            try header.verify(by: key)
        }
        head = LogHead(header)
        try LogHead(header).requireIn(required)
        newest = header
    }

    private mutating func take(_ items: [Lockbook_V1_CheckpointItem]) throws {
        let (owner, isShared) = (owner, scopes != nil)
        let found = try concurrentMap(items) { try $0.verified(owner: owner, isShared: isShared) }
        for (record, hash) in found {
            guard records.updateValue(record, forKey: record.facts.id) == nil else {
                throw VerificationFailure.misplaced
            }
            references[record.facts.scope, default: []].append(
                RecordReference(file: record.facts.id, hash: hash)
            )
        }
    }
}

extension Lockbook_V1_CheckpointItem {
    /// - Parameter isShared: whether others than the owner may have written it.
    fileprivate func verified(owner: AccountID, isShared: Bool) throws
        -> (record: FileRecord, hash: Hash256)
    {
        let record = try FileRecord(Array(record))
        let hash = record.hash
        guard record.facts.id == FileID(Array(file)), hash == Hash256(Array(recordHash)),
            record.facts.owner == owner, isShared || record.facts.author == owner
        else { throw VerificationFailure.hash }
        return (record, hash)
    }
}
