import GRDB
import LockbookCrypto
import LockbookModel

/// The entry that was last sent, exactly as it was sent.
struct PendingEntry {
    let header: EntryHeader
    let certificate: [UInt8]?
    let groups: [EntryGroup]

    /// Everything that it lists.
    var records: [RecordReference] {
        groups.count == 1 ? groups[0].records : groups.flatMap(\.records)
    }
    var purged: [FileID] { groups.flatMap(\.purged) }
    /// Whether it changes who may see what, with records that no row has yet.
    var isOfShares: Bool {
        groups.contains { !$0.grants.isEmpty || !$0.left.isEmpty || $0.isMoved }
    }
}

extension LogHead {
    var bytes: [UInt8] {
        var encoder = CanonicalEncoder(reserving: 40)
        encoder.append(position)
        encoder.append(hash)
        return encoder.bytes
    }

    init?(bytes: [UInt8]) {
        var decoder = CanonicalDecoder(bytes)
        guard let position = try? decoder.uint64(), let hash = try? decoder.hash() else {
            return nil
        }
        self.init(position: position, hash: hash)
    }
}

extension LocalTree {
    /// The newest log entry that this device knows; nil before the first.
    func head() throws -> LogHead? {
        let head = try setting(.head).flatMap { LogHead(bytes: $0) }
        // No log is so long that nothing could follow.
        guard head?.position != .max else {
            throw LockbookError.damagedStore(directory: account.directory)
        }
        return head
    }

    func pending() throws -> PendingEntry? {
        guard
            let row = try Row.fetchOne(
                db.cachedStatement(sql: "SELECT header, certificate, entry_group FROM pending")
            )
        else { return nil }
        return PendingEntry(
            header: try EntryHeader(row.bytes(0)),
            certificate: row.optionalBytes(1),
            groups: try EntryGroup.list(row.bytes(2))
        )
    }

    /// Signs an entry over these records and purges, and keeps it, before anybody is told of it.
    func makePending(
        _ records: [RecordReference],
        purging purged: [FileID] = [],
        after head: LogHead?,
        certificate: [UInt8]? = nil
    ) throws {
        try makePending(
            [EntryGroup(scope: root, records: records, purged: purged)],
            after: head,
            certificate: certificate
        )
    }

    /// - Parameter groups: by rising scope.
    func makePending(
        _ groups: [EntryGroup],
        after head: LogHead?,
        certificate: [UInt8]? = nil,
        isShared: Bool = false
    ) throws {
        let parts = groups.map(\.bytes)
        let body = EntryBody(
            certificate: certificate,
            groups: parts.map { .whole($0) },
            scopes: isShared ? groups.map(\.scope) : nil
        )
        let bytes = Array(parts.joined())
        let header = try EntryHeader(
            log: owner,
            position: head.map { $0.position + 1 } ?? 0,
            previous: head?.hash ?? .zero,
            author: author,
            device: account.device,
            bodyHash: body.hash,
            created: environment.now(),
            signedBy: keys.signing
        )
        try forgetPending()
        try db.cachedStatement(
            sql: "INSERT INTO pending (header, certificate, entry_group) VALUES (?, ?, ?)"
        ).execute(arguments: [header.bytes.data, certificate?.data, bytes.data])
        pendingChanged()
    }

    /// Whether the server may have been asked to append the entry that waits.
    func wasOffered() throws -> Bool {
        try Bool.fetchOne(db.cachedStatement(sql: "SELECT offered FROM pending")) ?? false
    }

    func noteOffered(_ isOffered: Bool) throws {
        try db.cachedStatement(sql: "UPDATE pending SET offered = ?").run(isOffered)
    }

    /// The entry is not in the log and never will be.
    func forgetPending() throws {
        try removePending()
        try dropLooseBlobs()
    }

    /// Without letting go of contents that waited for it: of those some rows may be without what was
    /// changed in them until they have that again.
    func removePending() throws {
        try db.execute(sql: "DELETE FROM pending")
        pendingChanged()
        guard try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM pushed)") ?? false else {
            return
        }
        // Sealed records, which the rows have now: no page is written to put zeros in their place.
        try db.execute(
            sql: "PRAGMA secure_delete = FAST; DELETE FROM pushed; PRAGMA secure_delete = ON"
        )
    }

    /// The entry is in the log: what it lists is agreed now.
    /// - Parameter sealed: what was read for it, by the process that signed an entry of shares.
    /// - Returns: the files whose changes are on the server; of purged ones nothing is left here.
    func acceptPending(_ sealed: SealedState? = nil) throws -> [FileID] {
        guard let pending = try pending() else { return [] }
        let agree = try db.cachedStatement(
            sql: "UPDATE file SET base = local, local = NULL WHERE number = ?"
        )
        if try pending.isOfShares || givesNewKeys(pending) {
            return try acceptShares(pending, sealed)
        }
        let records = pending.records
        for reference in records {
            guard let row = try row(reference.file) else { continue }
            let oldBlob = try row.base.flatMap { try FileRecord($0).facts.blob?.name }
            if let local = row.local, Hash256(label: "lockbook/v1/record", local) == reference.hash
            {
                try agree.run(row.number)
                // It is kept from when the server has it, also when it was deleted long before.
                if row.isDeleted {
                    try forgetTrashed(row.id)
                    try noteTrashed(row.id)
                }
            } else if let record = try pushedRecord(of: reference.file),
                record.hash == reference.hash
            {
                try rebase(row, on: record)
            }
            if let oldBlob, let now = try self.row(reference.file), try !now.has(oldBlob) {
                try dropBlob(oldBlob)
            }
        }
        // Nothing is sent again any more: what was kept for that goes with its file.
        try forgetPending()
        for id in pending.purged {
            if let row = try row(id) { try prune(row) }
        }
        try sweepDeletionNotes()
        try advance(to: pending.header, records: records.count + pending.purged.count)
        return records.map(\.file)
    }

    /// Whether what goes into a share has new keys in an entry, for a share that is not in it any more:
    /// that was moved out of it meanwhile, in the same entry.
    private func givesNewKeys(_ pending: PendingEntry) throws -> Bool {
        guard try isShared() else { return false }
        return try pending.records.contains { reference in
            guard let record = try pushedRecord(of: reference.file),
                record.hash == reference.hash, let base = try row(reference.file)?.base
            else { return false }
            return try record.facts.epoch > FileRecord(base).facts.epoch
        }
    }

    func advance(to header: EntryHeader, records: Int) throws {
        try forgetRefusedEntries()
        try setNewest(header)
        try addStep(header, files: records)
        try set(
            .recordsSinceCheckpoint,
            number: try number(.recordsSinceCheckpoint) + Int64(records)
        )
    }

    /// Another entry is the newest that is known: what was shown after the one before is of no use now.
    func setNewest(_ header: EntryHeader?) throws {
        try set(.head, to: header.map { LogHead($0).bytes })
        try set(.newestHeader, to: header?.bytes)
        try set(.shownEnd, to: nil)
    }

    /// The record that an entry lists, as it was when the entry was signed.
    func sentRecord(_ reference: RecordReference) throws -> FileRecord {
        let local = try db.cachedStatement(sql: "SELECT local FROM file WHERE id = ?")
            .first([reference.file.bytes.data]) { $0.optionalBytes(0) }
        return try sentRecord(reference, local: local ?? nil)
    }

    /// - Parameter local: the record of the file as it is here; nil when it is as agreed, or not here.
    func sentRecord(_ reference: RecordReference, local: [UInt8]?) throws -> FileRecord {
        if let local {
            let record = try FileRecord(local)
            if record.hash == reference.hash { return record }
        }
        guard let record = try pushedRecord(of: reference.file), record.hash == reference.hash
        else { throw LockbookError.store(reason: "a record that was sent is missing") }
        return record
    }

    private func pushedRecord(of file: FileID) throws -> FileRecord? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT record FROM pushed WHERE file = ?"),
            arguments: [file.bytes.data]
        ).map { try FileRecord($0.bytes(0)) }
    }

    /// The file was changed after it was sent: what was sent is its base now.
    private func rebase(_ row: FileRow, on record: FileRecord) throws {
        // The change may have undone itself meanwhile: then the old base is what is here, and it
        // may stand in another folder than what was sent.
        let file = try file(row)
        try db.cachedStatement(sql: "UPDATE file SET base = ? WHERE number = ?")
            .run(record.bytes.data, row.number)
        try db.cachedStatement(sql: "DELETE FROM pushed WHERE file = ?").execute(arguments: [
            row.id.bytes.data
        ])
        try put(file)
    }
}
