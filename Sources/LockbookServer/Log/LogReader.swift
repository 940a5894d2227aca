import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel

/// Makes the pages in which a device is told what is new in a log.
struct LogReader {
    let store: any MetadataReading
    let account: StoredAccount
    /// What the reader may see; nil for the owner, who sees all.
    private let member: MemberView?
    private let isShared: Bool

    /// - Parameters:
    ///   - account: whose log it is.
    ///   - reader: who asks.
    init(store: any MetadataReading, account: StoredAccount, reader: AccountID) throws {
        self.store = store
        self.account = account
        isShared = try store.isShared(account.key)
        member = reader == account.id ? nil : try store.memberView(of: reader, in: account.key)
    }

    private static let headersPerPage: UInt64 = 20_000

    /// What a device has of the log, as it says.
    struct Known {
        var head: LogHead?
        var cursor: Lockbook_V1_CheckpointCursor?
    }

    func page(after known: Known) throws -> Lockbook_V1_LogUpdate {
        var update = Lockbook_V1_LogUpdate()
        update.log = account.id.hash.data
        let newest = try newest()
        update.headPosition = newest.position
        update.head = newest.hash.data
        if let member {
            try fill(&update, for: member, after: known.head, to: newest)
            return update
        }
        if let head = known.head {
            // Ahead of us, or on another branch: this server was restored from a backup, or lies.
            // The device sees it from our head.
            guard head.position <= account.head.position,
                try store.entry(head.position, of: account.key)?.hash == head.hash
            else { return update }
        }
        if let checkpoint = try checkpoint(for: known) {
            try fill(&update, from: checkpoint, after: known)
        } else {
            try fill(
                &update,
                from: known.head.map { $0.position + 1 } ?? 0,
                to: account.head.position
            )
        }
        return update
    }

    /// The newest entry that the reader may see.
    private func newest() throws -> LogHead {
        guard let last = member?.last else { return account.head }
        guard let entry = try store.entry(last, of: account.key) else {
            throw StoreFailure.damaged
        }
        return LogHead(position: last, hash: entry.hash)
    }

    private func fill(
        _ update: inout Lockbook_V1_LogUpdate,
        for member: MemberView,
        after head: LogHead?,
        to newest: LogHead
    ) throws {
        if let head {
            guard head.position <= newest.position,
                try store.entry(head.position, of: account.key)?.hash == head.hash
            else { return }
            try fill(&update, from: head.position + 1, to: newest.position)
        } else {
            guard let first = member.first else {
                throw Refusal(.notPermitted, "this account may not read this log")
            }
            try fill(&update, from: first, to: newest.position)
        }
    }

    /// The checkpoint that a device must start from; nil when entries do.
    private func checkpoint(for known: Known) throws -> StoredCheckpoint? {
        let next = known.head.map { $0.position + 1 } ?? 0
        if known.head != nil, next >= account.bodiesFrom, known.cursor == nil { return nil }
        if let cursor = known.cursor, cursor.checkpoint >= next,
            let begun = try store.checkpoint(at: cursor.checkpoint, of: account.key)
        {
            return begun
        }
        guard let newest = try store.newestCheckpoint(of: account.key), newest.position >= next
        else {
            guard next >= account.bodiesFrom else { throw StoreFailure.damaged }
            return nil
        }
        return known.head == nil || next < account.bodiesFrom ? newest : nil
    }

    // MARK: Entries

    /// Whole entries, about as many as one answer should hold and at least one.
    private func fill(
        _ update: inout Lockbook_V1_LogUpdate,
        from first: UInt64,
        to last: UInt64
    ) throws {
        var position = first
        var byteCount = 0
        // Of each file only the newest record of the page is sent.
        var latest: [FileID: Int] = [:]
        var records: [Data?] = []
        while position <= last {
            let entry = try entry(position)
            if byteCount > 0, byteCount + entry.byteCount > Wire.batchByteCount { break }
            byteCount += entry.byteCount
            update.entries.append(entry.message)
            for (file, bytes) in entry.records {
                // Where several people write, readers check each entry by itself.
                if !isShared, let earlier = latest.updateValue(records.count, forKey: file) {
                    records[earlier] = nil
                }
                records.append(bytes)
            }
            for file in entry.purged {
                if let earlier = latest.removeValue(forKey: file) { records[earlier] = nil }
            }
            position += 1
        }
        update.records = records.compactMap { $0 }
        update.more = position <= last
    }

    private struct ReadEntry {
        var message = Lockbook_V1_Entry()
        var records: [(FileID, Data)] = []
        var purged: [FileID] = []
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
            var message = Lockbook_V1_Group()
            if let member {
                let scope = try EntryGroup(bytes).scope
                guard try member.sees(scope, at: position) else {
                    message.hidden = scope.data + EntryGroup.hash(of: bytes).data
                    entry.message.groups.append(message)
                    continue
                }
            }
            message.whole = Data(bytes)
            entry.message.groups.append(message)
            entry.byteCount += bytes.count
            let group = try EntryGroup(bytes)
            let references = group.records
            entry.purged += group.purged
            let records = try store.records(references.map(\.hash), of: account.key)
            for (reference, record) in zip(references, records) {
                guard let record else { throw StoreFailure.damaged }
                entry.records.append((reference.file, Data(record.bytes)))
                entry.byteCount += record.bytes.count
            }
        }
        return entry
    }

    // MARK: Checkpoints

    private func fill(
        _ update: inout Lockbook_V1_LogUpdate,
        from checkpoint: StoredCheckpoint,
        after known: Known
    ) throws {
        var page = Lockbook_V1_CheckpointPage()
        page.checkpoint = Data(checkpoint.bytes)
        let cursor =
            known.cursor.flatMap { $0.checkpoint == checkpoint.position ? $0 : nil }
        let after = cursor.flatMap { FileID($0.itemsAfter) }
        if cursor == nil {
            page.certificate = Data(account.certificate)
        }
        var headersTo = max(cursor?.headersTo ?? 0, known.head?.position ?? 0)
        var byteCount = page.checkpoint.count + page.certificate.count
        let isStart = known.head == nil && headersTo == 0
        if after == nil, isStart || headersTo < checkpoint.position {
            let first = isStart ? 0 : headersTo + 1
            let last = min(checkpoint.position, first + Self.headersPerPage - 1)
            let headers = try store.headers(first...last, of: account.key)
            page.headers = headers.map { Data($0) }
            byteCount += headers.reduce(0) { $0 + $1.count }
            headersTo = last
        }
        page.next.checkpoint = checkpoint.position
        page.next.headersTo = headersTo
        if headersTo >= checkpoint.position {
            try fill(&page, at: checkpoint, after: after, byteCount: byteCount)
        }
        update.more = !page.complete || checkpoint.position < account.head.position
        update.checkpoint = page
    }

    private func fill(
        _ page: inout Lockbook_V1_CheckpointPage,
        at checkpoint: StoredCheckpoint,
        after file: FileID?,
        byteCount: Int
    ) throws {
        let chunk = 1_000
        var byteCount = byteCount
        var last = file
        while byteCount < Wire.batchByteCount {
            let items = try store.state(
                of: account.key,
                at: checkpoint.position,
                after: last,
                limit: chunk
            )
            for item in items {
                var message = Lockbook_V1_CheckpointItem()
                message.file = item.file.data
                message.recordHash = item.recordHash.data
                // Superseded ones too: what stands in a folder opens with the folder's record.
                message.record = Data(try store.content(of: item))
                byteCount += 64 + item.recordByteCount
                page.items.append(message)
                last = item.file
            }
            if items.count < chunk {
                page.complete = true
                break
            }
        }
        page.next.itemsAfter = last?.data ?? Data()
    }
}
