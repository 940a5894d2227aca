import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

extension LogReader {
    private static let recordsPerQuery = 100

    /// Whole entries, about as many as one answer should hold and at least one; of one that has more
    /// records than that a part.
    func fill(
        _ update: inout Lockbook_V1_LogUpdate,
        from first: UInt64,
        _ cursor: Lockbook_V1_EntryCursor?
    ) throws {
        let last = update.headPosition
        if let cursor, cursor.position == first, first <= last,
            try goOn(&update, at: cursor)
        {
            return
        }
        var position = first
        var byteCount = 0
        // Of each file only the newest record of the page is sent.
        var latest: [FileID: Int] = [:]
        var records: [Data?] = []
        while position <= last {
            let entry = try entry(position)
            let part = try part(of: entry, after: 0, byteCount: byteCount + entry.byteCount)
            guard byteCount == 0 || part.isWhole && part.byteCount <= pageByteCount else { break }
            byteCount = part.byteCount
            update.entries.append(entry.message)
            for (reference, bytes) in zip(entry.records, part.records) {
                // Where several people write, readers check each entry by itself.
                if !isShared,
                    let earlier = latest.updateValue(records.count, forKey: reference.file)
                {
                    records[earlier] = nil
                }
                records.append(bytes)
            }
            for file in entry.purged {
                if let earlier = latest.removeValue(forKey: file) { records[earlier] = nil }
            }
            guard part.isWhole else {
                update.next = .with {
                    $0.position = position
                    $0.recordsAfter = UInt32(part.records.count)
                }
                break
            }
            position += 1
            if reading.isOver { break }
        }
        update.records = records.compactMap { $0 }
        update.more = position <= last
    }

    /// More records of an entry of which the device has a part.
    /// - Returns: false when the cursor is not one that was given out for this entry.
    private func goOn(
        _ update: inout Lockbook_V1_LogUpdate,
        at cursor: Lockbook_V1_EntryCursor
    ) throws -> Bool {
        let entry = try entry(cursor.position)
        let count = Int(cursor.recordsAfter)
        guard count > 0, count < entry.records.count else { return false }
        let part = try part(of: entry, after: count, byteCount: 0)
        update.records = part.records
        update.more = !part.isWhole || cursor.position < update.headPosition
        if !part.isWhole {
            update.next = cursor
            update.next.recordsAfter += UInt32(part.records.count)
        }
        return true
    }

    private struct ReadEntry {
        var message = Lockbook_V1_Entry()
        /// What the groups list that the reader sees, in their order.
        var records: [RecordReference] = []
        var purged: [FileID] = []
        /// Without the records.
        var byteCount = 0
    }

    private func entry(_ position: UInt64) throws -> ReadEntry {
        guard let stored = try store.entry(position, of: account.key) else {
            throw StoreFailure.damaged
        }
        var entry = ReadEntry()
        entry.message.header = Data(stored.header)
        entry.message.certificate = Data(stored.certificate ?? [])
        entry.byteCount = stored.header.count + (stored.certificate?.count ?? 0)
        for bytes in try store.groups(position, of: account.key) {
            reading.note(bytes.count)
            var message = Lockbook_V1_Group()
            if let member {
                let scope = try EntryGroup(bytes).scope
                guard try member.sees(scope, at: position) else {
                    message.hidden = scope.data + EntryGroup.hash(of: bytes).data
                    entry.message.groups.append(message)
                    entry.byteCount += message.hidden.count
                    continue
                }
            }
            message.whole = Data(bytes)
            entry.message.groups.append(message)
            entry.byteCount += bytes.count
            let group = try EntryGroup(bytes)
            entry.records += group.records
            entry.purged += group.purged
        }
        return entry
    }

    private struct EntryPart {
        var records: [Data] = []
        /// Whether these are the last.
        var isWhole = true
        /// Of the page with them.
        var byteCount: Int
    }

    /// Records of an entry, at least one and as many as the page has room for.
    private func part(of entry: ReadEntry, after count: Int, byteCount: Int) throws -> EntryPart {
        var part = EntryPart(byteCount: byteCount)
        var rest = entry.records[count...]
        while !rest.isEmpty {
            let chunk = rest.prefix(Self.recordsPerQuery)
            rest = rest.dropFirst(chunk.count)
            for record in try store.records(chunk.map(\.hash), of: account.key) {
                guard let record else { throw StoreFailure.damaged }
                let total = part.byteCount + record.bytes.count
                guard part.records.isEmpty || total <= pageByteCount else {
                    part.isWhole = false
                    return part
                }
                part.byteCount = total
                part.records.append(Data(record.bytes))
            }
        }
        return part
    }
}
