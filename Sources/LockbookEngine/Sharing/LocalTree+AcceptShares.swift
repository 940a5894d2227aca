import FoundationEssentials
import GRDB
import LockbookCrypto
import LockbookModel

/// A file that an entry lists, as it is here and as it was sent.
private typealias SentFile = (row: FileRow, record: FileRecord)

extension LocalTree {
    /// The entry of shares is in the log: its records are what is agreed, its grants hold, and what
    /// was changed here meanwhile is sealed for them.
    /// - Parameter sealed: what was read for it, by the process that signed it.
    func acceptShares(_ pending: PendingEntry, _ sealed: SealedState? = nil) throws -> [FileID] {
        var changed: [FileID: File] = [:]
        for row in try changedRows() where !row.isDamaged {
            if let file = try opened(row) { changed[row.id] = file }
        }
        // Keys of what the entry does not seal stay the same, also where they are sealed for a
        // folder that has another one now.
        let kept = fileKeys
        let listed = Set(pending.records.map(\.file))
        if let sealed, try mark() == sealed.mark {
            try agree(on: sealed)
        } else {
            let sent = try sentFiles(pending)
            for (row, record) in sent
            where try changed[row.id] == nil && !row.isDamaged && isPutBack(row, record) {
                changed[row.id] = try file(row)
            }
            try agree(on: sent, changed)
        }
        // The wraps of this account are in the entry of its own.
        for wrap in pending.groups.flatMap(\.wraps) where wrap.grantee == author { try keep(wrap) }
        fileKeys = [:]
        folderKeys = [:]
        for (id, _) in changed where !listed.contains(id) { fileKeys[id] = kept[id] }
        for grant in pending.groups.flatMap(\.grants) {
            try keep(grant)
            guard
                var wish = try wishes().first(where: {
                    $0.file == grant.file && $0.grantee == AccountID(grant.grantee)
                })
            else { continue }
            if wish.mode == grant.mode {
                try forget(wish)
            } else if grant.mode > .none {
                // What was wanted since is another mode for who is in now.
                wish.isChange = true
                try self.wish(wish)
            }
        }
        try removePending()
        try sweepDeletionNotes()
        try advance(to: pending.header, records: pending.records.count)
        for (id, file) in changed.sorted(by: { $0.key < $1.key }) {
            guard id != root, let row = try row(id) else { continue }
            let isUnder = try self.row(file.parent).map { listed.contains($0.id) } ?? false
            guard listed.contains(id) || isUnder else { continue }
            var file = file
            if let base = row.base {
                let facts = try FileRecord(base).facts
                file.epoch = facts.epoch
                if facts.scope == id { file.scope = id }
            }
            try put(try file.placed(in: self))
        }
        try dropLooseBlobs()
        return pending.records.map(\.file)
    }

    /// What the entry lists of the files that are here, in the order in which they are stored: each
    /// page of many is read and written once.
    private func sentFiles(_ pending: PendingEntry) throws -> [SentFile] {
        var hashes: [FileID: Hash256] = [:]
        for reference in pending.records { hashes[reference.file] = reference.hash }
        var sent: [SentFile] = []
        sent.reserveCapacity(hashes.count)
        let kept = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT \(FileRow.columns), record FROM pushed JOIN file ON id = pushed.file
                    """
            )
        )
        while let columns = try kept.next() {
            let row = try FileRow(columns)
            let record = try FileRecord(columns.bytes(10))
            guard hashes[row.id] == record.hash else { continue }
            hashes[row.id] = nil
            sent.append((row, record))
        }
        for reference in pending.records where hashes[reference.file] != nil {
            guard let row = try row(reference.file) else { continue }
            sent.append((row, try sentRecord(reference, local: row.local)))
        }
        return sent.sorted { $0.row.number < $1.row.number }
    }

    private typealias Agreement = (record: Statement, recordAndTag: Statement)

    private func agreement() throws -> Agreement {
        (
            try db.cachedStatement(sql: "UPDATE file SET base = ?, local = NULL WHERE number = ?"),
            try db.cachedStatement(
                sql: "UPDATE file SET base = ?, local = NULL, tag = ? WHERE number = ?"
            )
        )
    }

    /// Nothing was changed since it was sealed.
    private func agree(on sealed: SealedState) throws {
        let agree = try agreement()
        // Each page of many rows is written once.
        let order = sealed.rows.indices.sorted { sealed.rows[$0].number < sealed.rows[$1].number }
        for index in order {
            let (row, record) = (sealed.rows[index], sealed.records[index])
            let tag = record.facts.nameTag
            if try tag == row.tag || isTop(record.facts) {
                try agree.record.run(record.bytes.data, row.number)
            } else {
                try agree.recordAndTag.run(record.bytes.data, tag.bytes.data, row.number)
            }
        }
    }

    /// What was sent is what both sides have now.
    private func agree(on sent: [SentFile], _ changed: [FileID: File]) throws {
        let agree = try agreement()
        for (row, record) in sent {
            let oldBlob = try row.base.flatMap { try FileRecord($0).facts.blob?.name }
            if changed[row.id] != nil { try takePlace(of: record, row) }
            let tag = try tagColumn(row, record)
            if tag == row.tag.bytes.data {
                try agree.record.run(record.bytes.data, row.number)
            } else {
                try agree.recordAndTag.run(record.bytes.data, tag, row.number)
            }
            // It is kept from when the server has it, also when it was deleted long before.
            if record.facts.isDeleted, row.isDeleted, row.local == record.bytes {
                try forgetTrashed(row.id)
                try noteTrashed(row.id)
            }
            let blobs = [changed[row.id]?.content?.blob, record.facts.blob?.name]
            if let oldBlob, !blobs.contains(oldBlob) { try dropBlob(oldBlob) }
        }
    }

    /// What was moved since the entry was signed stands where the entry has it, until it is put again:
    /// its new key is sealed under the folder there.
    private func takePlace(of record: FileRecord, _ row: FileRow) throws {
        let place = try place(of: record)
        guard row.parent != place else { return }
        try releasePlaces(of: [row.id])
        try db.cachedStatement(sql: "UPDATE file SET parent = ? WHERE number = ?")
            .run(place.bytes.data, row.number)
        folderPaths.removeAll()
    }

    /// Whether a file was made what the server had since it was sent, or was purged there: it is not
    /// changed, and something else than in the entry.
    private func isPutBack(_ row: FileRow, _ record: FileRecord) throws -> Bool {
        if try row.parent != place(of: record) || row.isDeleted != record.facts.isDeleted {
            return true
        }
        guard let base = try row.base.map({ try FileRecord($0).facts }) else { return false }
        // Under new keys of its folder the same name has another tag.
        return base.blob != record.facts.blob
            || base.parentEpoch == record.facts.parentEpoch
                && base.nameTag != record.facts.nameTag
    }

    private func place(of record: FileRecord) throws -> FileID {
        try isTop(record.facts) ? root : record.facts.parent
    }

    /// A name that was changed here has its tag when it is sealed again.
    private func tagColumn(_ row: FileRow, _ record: FileRecord) throws -> Data {
        // One at the top of another account's store is found by its id.
        if try isTop(record.facts) { return row.tag.bytes.data }
        return (row.local == nil ? record.facts.nameTag : row.tag).bytes.data
    }
}
