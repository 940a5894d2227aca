import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel

extension LogReader {
    /// Two at least: a cursor does not tell the first header from none.
    private var headersPerPage: UInt64 {
        UInt64(max(2, min(20_000, pageByteCount / EntryHeader.byteCount)))
    }

    /// The checkpoint that a device must start from; nil when entries do.
    ///
    /// Who sees a part of the tree knows nothing before the entry that let him in: a state of an earlier
    /// time is none of his.
    func checkpoint(for known: Known) throws -> StoredCheckpoint? {
        let next = known.head.map { $0.position + 1 } ?? member?.first ?? 0
        if known.head != nil, next >= account.bodiesFrom, known.cursor == nil { return nil }
        if let cursor = known.cursor, cursor.checkpoint >= next,
            let begun = try store.checkpoint(at: cursor.checkpoint, of: account.key)
        {
            return begun
        }
        guard let newest = try newest(from: next, for: known) else {
            guard next >= account.bodiesFrom else { throw StoreFailure.damaged }
            return nil
        }
        return known.head == nil || next < account.bodiesFrom ? newest : nil
    }

    /// The newest checkpoint that tells something, and nothing of a later time than is asked for where
    /// that can be.
    private func newest(from next: UInt64, for known: Known) throws -> StoredCheckpoint? {
        func newest(upTo position: UInt64) throws -> StoredCheckpoint? {
            try store.newestCheckpoint(of: account.key, upTo: position)
                .flatMap { $0.position >= next ? $0 : nil }
        }
        if let latest = known.latest {
            let earlier = try newest(upTo: latest)
            if earlier != nil || next >= account.bodiesFrom { return earlier }
        }
        return try newest(upTo: .max)
    }

    func fill(
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
            page.states = try states(at: checkpoint.position).map { Data($0) }
        }
        var headersTo = max(cursor?.headersTo ?? 0, known.head?.position ?? 0)
        var byteCount = page.states.reduce(page.checkpoint.count + page.certificate.count) {
            $0 + $1.count
        }
        let isStart = known.head == nil && headersTo == 0
        if after == nil, isStart || headersTo < checkpoint.position {
            var first = isStart ? 0 : headersTo + 1
            // What was before he was let in is none of a member's business, whatever he says that he
            // was sent already; what follows on a head of which he knows the hash is.
            if member != nil, known.head == nil { first = checkpoint.position }
            let last = min(checkpoint.position, first + headersPerPage - 1)
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
        update.more = !page.complete || checkpoint.position < update.headPosition
        update.checkpoint = page
    }

    /// What the checkpoint says of the scopes that the reader may see, and of those that he may not see
    /// any more that it is so.
    private func states(at position: UInt64) throws -> [[UInt8]] {
        let stored = try store.states(at: position, of: account.key)
        guard let member else { return stored }
        return try stored.compactMap { bytes in
            let state = try SeenScopeState(bytes)
            if try member.sees(state.scope, after: position) { return bytes }
            guard member.held(state.scope, until: position) else { return nil }
            return try ScopeState(state).seen(by: reader).bytes
        }
    }

    /// Adds files, at least one that the reader may see and as many as the page has room for.
    private func fill(
        _ page: inout Lockbook_V1_CheckpointPage,
        at checkpoint: StoredCheckpoint,
        after file: FileID?,
        byteCount: Int
    ) throws {
        // About as many as that are, and not one by one where few of them are for this reader.
        let chunk = max(100, min(1_000, pageByteCount / 512))
        var byteCount = byteCount
        var last = file
        defer { page.next.itemsAfter = last?.data ?? Data() }
        repeat {
            let items = try store.state(
                of: account.key,
                at: checkpoint.position,
                after: last,
                limit: chunk
            )
            for item in items {
                if let member, try !member.sees(item.scope, after: checkpoint.position) {
                    last = item.file
                    continue
                }
                let total = byteCount + 64 + item.recordByteCount
                guard page.items.isEmpty || total <= pageByteCount else { return }
                var message = Lockbook_V1_CheckpointItem()
                message.file = item.file.data
                message.recordHash = item.recordHash.data
                // Superseded ones too: what stands in a folder opens with the folder's record.
                message.record = Data(try store.content(of: item))
                page.items.append(message)
                (byteCount, last) = (total, item.file)
            }
            if items.count < chunk {
                page.complete = true
                break
            }
        } while page.items.isEmpty || byteCount < pageByteCount
    }
}
