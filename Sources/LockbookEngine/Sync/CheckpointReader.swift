import FoundationEssentials
import GRDB
import LockbookAPI
import LockbookCrypto
import LockbookModel

/// Gathers the pages of a checkpoint's state and checks them against its signature.
struct CheckpointReader {
    private let checkpoint: Checkpoint
    private let store: LocalStore
    private let key: VerifyingKey
    private let owner: AccountID
    private let minimum: LogHead?
    private var head: LogHead?
    private var newest: EntryHeader?
    private(set) var next: Lockbook_V1_CheckpointCursor?

    init(_ page: Lockbook_V1_CheckpointPage, after known: LogHead?, sync: Sync) throws {
        checkpoint = try Checkpoint(Array(page.checkpoint))
        key = sync.keys.signing.publicKey
        owner = sync.owner
        store = sync.store
        head = known
        try checkpoint.verify(by: key)
        guard checkpoint.log == owner, checkpoint.author == owner else {
            throw VerificationFailure.misplaced
        }
        minimum = try store.write { tree in
            try tree.db.execute(sql: "DELETE FROM arriving")
            return try tree.setting(.minimumHead).flatMap { LogHead(bytes: $0) }
        }
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
        try store.write { tree in
            for item in page.items { try tree.addArriving(item) }
        }
        next = page.next
        guard page.complete else { return nil }
        guard let newest, head == checkpoint.head else { throw VerificationFailure.hash }
        let records = try store.write { try $0.takeArriving(checkpoint) }
        return VerifiedPage(newest: newest, records: records)
    }
}

extension LocalTree {
    func addArriving(_ item: Lockbook_V1_CheckpointItem) throws {
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO arriving (file, hash, record) VALUES (?, ?, ?)"
        ).run(item.file, item.recordHash, item.record)
    }

    /// The records of a complete state, when they are those that the checkpoint signed.
    func takeArriving(_ checkpoint: Checkpoint) throws -> [FileID: FileRecord] {
        var arrived: [ArrivedRecord] = []
        let rows = try Row.fetchCursor(
            db,
            sql: "SELECT file, hash, record FROM arriving ORDER BY file"
        )
        while let row = try rows.next() {
            arrived.append(
                ArrivedRecord(file: row.bytes(0), hash: row.bytes(1), record: row.bytes(2))
            )
        }
        let owner = owner
        var records: [FileID: FileRecord] = [:]
        var scopes: [FileID: [RecordReference]] = [:]
        for (record, hash) in try concurrentMap(arrived, { try $0.verified(owner: owner) }) {
            records[record.facts.id] = record
            scopes[record.facts.scope, default: []].append(
                RecordReference(file: record.facts.id, hash: hash)
            )
        }
        let digests = scopes.sorted { $0.key < $1.key }
            .map { ScopeDigest(scope: $0.key, sortedRecords: $0.value) }
        guard digests == checkpoint.scopes else { throw VerificationFailure.hash }
        try db.execute(sql: "DELETE FROM arriving")
        return records
    }
}

/// A record of a checkpoint as the server sent it.
private struct ArrivedRecord: Sendable {
    let file: [UInt8]
    let hash: [UInt8]
    let record: [UInt8]

    func verified(owner: AccountID) throws -> (record: FileRecord, hash: Hash256) {
        let record = try FileRecord(record)
        let hash = record.hash
        guard record.facts.id.bytes == file, hash.bytes == self.hash,
            record.facts.owner == owner, record.facts.author == owner
        else { throw VerificationFailure.hash }
        return (record, hash)
    }
}
